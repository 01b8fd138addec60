"""Pinyin and meanings under a Mandarin sentence: off until asked for, in the link, kept on the next page, escaped."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.text.reading import ReadWord
from nmtcore.text.source import read_source
from nmtcore.text.vocabulary import Subwords
from pages.common import models
from pages.common.question import Question
from pages.common.reading import written
from tests.pages.helpers import opened


class FakeModel:
    """A model that only cuts text into pieces."""

    def __init__(self, pieces: list[str]) -> None:
        self.vocab = self
        self.cut = lambda text: Subwords(tuple(range(len(pieces))), tuple(pieces))


def shown(at: AppTest) -> str:
    return "".join(element.body for element in at.get("html") if "lang=" in element.body)


@pytest.mark.parametrize("page", ["dot", "beam"])
def test_they_are_one_click_away_and_in_the_link(model_directory: Path, page: str) -> None:
    at = opened(page, pair="zh-en", text="红色的房子很大。")
    assert shown(at) == ""
    at.button(key="reading").click().run()
    assert not at.exception, at.exception
    assert at.query_params["reading"] in ("shown", ["shown"])
    assert "fáng" in shown(at) and "house" in shown(at) and "hóng" in shown(at)
    at.button(key="reading").click().run()
    assert "reading" not in at.query_params and shown(at) == ""


def test_a_link_opens_them_and_english_has_none(model_directory: Path) -> None:
    assert "house" in shown(opened("dot", pair="zh-en", text="红色的房子很大。", reading="shown"))
    at = opened("dot", text="a red cat", reading="shown")
    assert shown(at) == "" and "reading" not in [button.key for button in at.button]


def test_the_pieces_are_those_of_the_model_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model without attention has another vocabulary; only its own page shows the pieces of that."""
    cut = {"zh-en/none": ["▁哥", "哥"]}
    monkeypatch.setattr(models, "load", lambda model: FakeModel(cut.get(model, ["▁哥哥"])))
    word = read_source("哥哥")
    assert Question("zh-en", offers="none").pieces(word) == ["▁哥", "哥"]
    assert Question("zh-en", offers="transformer").pieces(word) == Question("zh-en").pieces(word) == ["▁哥哥"]


def test_what_was_typed_is_text() -> None:
    said = written([ReadWord(("<b>", "好"), ("", "hǎo"), "a & b")])
    assert "&lt;b&gt;" in said and "<b>" not in said and "a &amp; b" in said
