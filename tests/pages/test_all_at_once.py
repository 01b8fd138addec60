"""A model that writes all words at once on the pages: its rounds on Architectures, and no place on any other page."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.config import DecodingConfig
from nmtcore.models import checkpoint
from nmtcore.text.vocabulary import Vocab
from pages.common.side_by_side import CHIPS
from tests.helpers import small
from tests.pages.helpers import component_data, components, opened, said
from tests.pages.test_saved import root, save

TEXT = "the small cat sees a red house ."
HEADING = "All words at once"

__all__ = ["root"]  # a fixture


@pytest.fixture(autouse=True)
def quick(own_shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two models beside it, whose translations are short: untrained ones write up to the limit."""
    for folder in (own_shelf / "en-fr").iterdir():
        if folder.name not in ("additive", "transformer"):
            shutil.rmtree(folder)
    limit = DecodingConfig.limit
    monkeypatch.setattr(DecodingConfig, "limit", lambda self, length: min(limit(self, length), 9))


@pytest.fixture
def at_once(own_shelf: Path, vocab: Vocab) -> Path:
    """A shelf with such a model for English to French."""
    made = small("all-at-once", vocab)
    checkpoint.save(own_shelf / "en-fr" / "all-at-once", made.model, vocab, made.meta)
    return own_shelf


def headings(at: AppTest) -> list[str]:
    return [header.value for header in at.header]


def test_without_such_a_model_the_page_does_not_mention_it(shelf: Path) -> None:
    at = opened("architectures", 120, text=TEXT)
    assert not components(at, "mask_predict") and HEADING not in headings(at)


def test_its_rounds_are_drawn_beside_the_transformer_word_by_word(at_once: Path) -> None:
    at = opened("architectures", 120, text=TEXT, rounds="2")
    assert HEADING in headings(at)
    data = component_data(at, "mask_predict")
    assert (data["title"], data["sentence"], len(data["rounds"])) == ("All at once", TEXT, 2)
    assert data["beside"]["title"] == "Transformer" and data["beside"]["steps"]
    assert [panel["title"] for panel in component_data(at, "alignment")["panels"]] == ["Additive", "Transformer"]
    waiting = [caption.value for caption in at.caption if "each waits for the one before" in caption.value]
    one, theirs = (int(number) for number in re.findall(r": ([\d,]+)\.", waiting[0]))
    at.selectbox(key="rounds").set_value("1").run()
    fewer = next(caption.value for caption in at.caption if "each waits for the one before" in caption.value)
    assert int(re.findall(r": ([\d,]+)\.", fewer)[0]) < one < theirs
    assert len(component_data(at, "mask_predict")["rounds"]) == 1
    assert at.query_params["rounds"] in ("1", ["1"])


def test_its_card_says_how_good_it_is_with_how_many_rounds(at_once: Path) -> None:
    for name, meta in (("all-at-once", {"by_rounds": [{"rounds": 1, "bleu": 21.04}, {"rounds": 4, "bleu": 37.5}]}),
                       ("transformer", {"scores": {"bleu": 45.26}})):  # fmt: skip
        path = at_once / "en-fr" / name / checkpoint.CONFIG
        settings = json.loads(path.read_text(encoding="utf-8"))
        settings["meta"] |= meta
        path.write_text(json.dumps(settings), encoding="utf-8")
    captions = [caption.value for caption in opened("architectures", 120, text=TEXT).caption]
    expected = "BLEU on the test split by the number of rounds: 1: 21.0, 4: 37.5. Transformer, beam 5: 45.3."
    assert expected in captions


@pytest.mark.parametrize(("name", "asked"), [("rounds", "3"), ("rounds", "<b>"), ("at-once", "mamba")])
def test_what_a_link_cannot_have_is_said(at_once: Path, name: str, asked: str) -> None:
    at = opened("architectures", 120, text=TEXT, **{name: asked})
    assert [sentence for sentence in said(at) if repr(asked) in sentence]
    assert len(component_data(at, "mask_predict")["rounds"]) <= 4


def test_pages_that_search_do_not_offer_it(at_once: Path) -> None:
    assert "All at once" not in opened("translate").button_group(key=CHIPS).options
    beam = opened("beam", model="all-at-once")
    assert "all-at-once" not in beam.selectbox(key="model").options
    assert any("which is not here" in sentence for sentence in said(beam))


def test_a_saved_one_is_shown_with_its_own_sentence(root: Path, vocab: Vocab) -> None:
    save(root, vocab, "Mine", "all-at-once")
    at = opened("architectures", 120, pair="saved.Mine")
    assert component_data(at, "mask_predict")["title"] == "All at once: Mine"
    assert "Mine (saved)" not in opened("translate").selectbox(key="pair").options


def test_a_damaged_one_is_said_and_the_rest_works(at_once: Path) -> None:
    (at_once / "en-fr" / "all-at-once" / "model.safetensors").write_bytes(b"no")
    at = opened("architectures", 120, text=TEXT)
    assert not components(at, "mask_predict") and "model.safetensors" in " ".join(said(at))
    assert len(component_data(at, "alignment")["panels"]) == 2
