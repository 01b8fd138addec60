"""A new page is a folder and one entry in the registry: nothing else has to know about it."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import pages
from pages.common import registry
from pages.common.registry import PAGES, PageEntry, script
from tests.helpers import PATIENCE
from tests.pages.helpers import components, opened
from tests.paths import ROOT

TOY = '''
"""How long is a sentence?"""

import streamlit as st

from pages.common.footer import page_footer
from pages.common.opening import open_page
from pages.toy.state import ToyState

page = open_page("How long is it?", "Letters are counted.", ToyState)
st.text(f"{len(page.source.text)} letters")
page_footer("toy", "Who counts?", "Python.")
'''


STATE = '''
"""State of the toy."""

from dataclasses import dataclass

from pages.common.question import Question
from pages.common.state import State, part


@dataclass(frozen=True)
class ToyState(State):
    question: Question = part(Question)
'''


@pytest.fixture
def toy(own_model_directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder and the entry of one more page."""
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "page.py").write_text(TOY, encoding="utf-8")
    (folder / "state.py").write_text(STATE, encoding="utf-8")
    monkeypatch.setattr(pages, "__path__", [*pages.__path__, str(tmp_path)])
    entry = PageEntry("toy", str(folder / "page.py"), lambda: "A toy")
    monkeypatch.setattr(registry, "PAGES", (*PAGES, entry))


def links(at: AppTest) -> list[str]:
    (data,) = (data for data in components(at, "navigation") if data["look"] == "column")
    return [link["says"] for link in data["links"]]


def test_it_answers_what_is_asked_on_every_page(toy: None) -> None:
    at = opened("toy", text="a red cat", pair="zh-en", beam="99")
    assert not at.exception, at.exception
    assert at.title[0].value == "How long is it?"
    assert (at.selectbox(key="pair").value, at.text_input(key="text").value) == ("zh-en", "a red cat")
    said = [element.value for element in at.text]
    assert any("beam width '99'" in sentence for sentence in said) and "9 letters" in said
    at.text_input(key="text").set_value("").run()
    assert any("Type a sentence" in element.value for element in at.text)
    assert not any("letters" in element.value for element in at.text)


def test_the_app_lists_it(toy: None) -> None:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()
    assert [link for link in links(at) if link == "A toy"] == ["A toy"]


def test_names_and_scripts_are_there_once() -> None:
    assert len({entry.name for entry in PAGES}) == len(PAGES) == len({entry.script for entry in PAGES})
    for entry in PAGES:
        assert entry.script.is_file(), entry
        assert entry.script.parent.parent == registry.FOLDER, "a page is a folder"
    with pytest.raises(KeyError):
        script("no such page")
