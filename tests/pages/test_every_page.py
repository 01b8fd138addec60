"""Checks of every page that asks for a sentence: odd input and missing or damaged models get an answer."""

import re
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.config import ARCHITECTURES
from pages.common import registry
from pages.common.registry import PAGES, entry
from tests.pages.helpers import component_data, components, opened, page_at, said

WITH_TEXT = [page.name for page in PAGES if "text" in (one.name for one in page.state.parameters().values())]
ASKING = [
    name for name in WITH_TEXT if entry(name).offers and name != "corpus"
]  # it asks for a file, its text is on the page that it links to
PICTURES = {"alignment", "walkthrough", "heads", "beam_tree", "context_vector", "rotation"}
PROJECTED = {  # the key of the picture that is projected first
    "translate": "alignment",
    "no_attention": "bottleneck",
    **dict.fromkeys(("additive", "dot"), "steps"),
    "transformer": "heads",
    "positions": "turn",
    "beam": "tree",
}
REFUSED = (
    ("", "Type a sentence"),
    ("word " * 3000, "14,999 characters; the limit is 2,000"),
    ("tcphd " * 119, "pieces; the limit is 300"),
)
TERMS = ["piece", r"\<sos\>, \<eos\>", "log P", "entropy", "lp", "cp"]
SURPRISING = "<b>A\u200b dog 🐕</b>"
NONE = re.compile("no (model|Transformer)")


def pictures(at: AppTest) -> set[str]:
    return {element.proto.component_name for element in at.get("bidi_component")} & PICTURES


def leads_on(at: AppTest) -> bool:
    """Whether a page ends with links to the idea before or after it."""
    return any("idea: " in link["says"] for data in components(at, "navigation") for link in data["links"])


def own_models(page: str, folder: Path) -> list[Path]:
    """The folders of the English models that the page is about."""
    offers = entry(page).offers
    return [folder / "en-fr" / offers] if offers in ARCHITECTURES else sorted((folder / "en-fr").iterdir())


def test_names_and_scripts_are_there_once() -> None:
    assert len({entry.name for entry in PAGES}) == len(PAGES) == len({entry.script for entry in PAGES})
    for one in PAGES:
        assert one.script.is_file(), one
        assert one.script.parent.parent == registry.FOLDER, "a page is a folder"
    with pytest.raises(KeyError):
        entry("no such page")


@pytest.mark.parametrize("page", ASKING)
def test_what_cannot_be_translated_or_may_surprise_is_said(model_directory: Path, page: str) -> None:
    at = opened(page)
    assert pictures(at) or at.get("plotly_chart") or at.get("html")
    for typed, sentence in REFUSED:
        at.text_input(key="text").set_value(typed).run()
        assert any(sentence in words for words in said(at)), (typed[:20], said(at))
        assert not pictures(at) and at.text_input(key="text").value == typed, typed[:20]
        assert leads_on(at), typed[:20]
    assert leads_on(at.text_input(key="text").set_value("我吃苹果。").run()), "the script of another pair"
    at.text_input(key="text").set_value(SURPRISING).run()
    for sentence in ("emoji", "nothing in them is run", "removed"):
        assert any(sentence in words for words in said(at)), said(at)
    assert at.text_input(key="text").value == SURPRISING


@pytest.mark.parametrize("page", ASKING)
def test_models_that_are_damaged_or_missing_are_said(own_model_directory: Path, page: str) -> None:
    for folder in own_models(page, own_model_directory):
        (folder / "model.safetensors").write_bytes(b"not what it was")
    at = page_at(page, beam="1").run()
    assert any("model.safetensors" in words for words in said(at)), said(at)
    assert not any(str(own_model_directory) in words for words in said(at)), (
        "where the files of a server are is nobody's business"
    )
    for folder in own_models(page, own_model_directory):
        shutil.rmtree(folder)
    missing = [words for words in said(at.run()) if NONE.search(words)]
    assert missing or at.selectbox(key="pair").value == "zh-en", "without any model a pair is not offered"


@pytest.mark.parametrize("page", WITH_TEXT)
def test_without_any_model_a_page_says_so(own_model_directory: Path, page: str) -> None:
    shutil.rmtree(own_model_directory)
    at = opened(page)
    assert any(NONE.search(words) for words in said(at)) and leads_on(at)


@pytest.mark.parametrize("page", [page.name for page in PAGES])
def test_a_page_has_the_link_to_itself_the_terms_and_something_to_project(model_directory: Path, page: str) -> None:
    at = opened(page, projection="on", text="A dog.")
    assert component_data(at, "copy_link")["copy"] == "Copy link"
    assert "Terms" in [popover.proto.popover.label for popover in at.get("popover")]
    (terms,) = [element.value for element in at.markdown if "Coverage penalty" in element.value]
    assert [term.partition("**: ")[0] for term in terms.split("- **")[1:]] == TERMS
    links = [link["name"] for link in component_data(at, "picture_links")["links"]]
    assert links == ["guided-tour", "project-picture", "pin-picture"]
    projected = component_data(at, "projection")
    assert projected["keys"] and projected["pin"] is None
    if page in PROJECTED:
        assert projected["keys"][0] == PROJECTED[page] and PROJECTED[page] in at.session_state
        assert projected["title"].endswith(" · A dog.")
