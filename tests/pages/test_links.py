"""Links that ask for what is not there: every page opens with its default and says in a line what it ignored."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore import limits
from nmtcore.config import DEFAULT_BEAM
from tests.pages import helpers

ASKING = ("translate", "no_attention", "additive", "dot", "transformer", "positions", "beam")  # a sentence
COMPONENT = {
    "translate": "alignment",
    "additive": "walkthrough",
    "dot": "walkthrough",
    "transformer": "heads",
    "beam": "beam_tree",
}
LONG = 4096  # characters of a query string


def opened(page: str, **asked: str) -> AppTest:
    at = helpers.opened(page, **asked)
    helpers.said(at)  # nothing like an error
    return at


def said(at: AppTest) -> str:
    return "\n".join(element.value for element in at.text)


def shows_its_default(at: AppTest, page: str) -> bool:
    drawn = [element.proto.component_name for element in at.get("bidi_component")]
    figures = [*at.get("plotly_chart"), *at.get("arrow_vega_lite_chart"), *at.get("vega_lite_chart")]
    default = (at.selectbox(key="pair").value, at.slider(key="beam").value) == ("en-fr", DEFAULT_BEAM)
    return default and (COMPONENT[page] in drawn if page in COMPONENT else bool(figures))


@pytest.mark.parametrize("page", ASKING)
def test_a_model_that_is_not_there_and_a_width_out_of_range_are_said(model_directory: Path, page: str) -> None:
    at = opened(page, pair="../../etc to passwd", beam="99")
    assert "The link asks for the model '../../etc to passwd', which is not here: English to French is" in said(at)
    assert "beam width" in said(at) and "99" in said(at)
    assert shows_its_default(at, page)
    at.text_input(key="text").set_value("A dog.").run()
    assert "which is not here" not in said(at), "it was of the link"


def test_the_remark_outlives_a_page_that_runs_itself_again(model_directory: Path) -> None:
    at = opened("translate", pair="no such")
    assert "which is not here" in said(at)
    at.run()  # as the page does until all models have answered
    assert "which is not here" in said(at)
    at.menu_button(key="examples").click_index(2).run()
    assert "which is not here" not in said(at)


def test_the_beam_page_says_when_a_step_is_beyond_the_end(model_directory: Path) -> None:
    at = opened("beam", **{"search-step": "99999"})
    assert "The link asks for step 99999, but this search has" in said(at)
    assert "The link asks" not in said(opened("beam", **{"search-step": "1"}))


@pytest.mark.parametrize("page", [*ASKING, "finetune"])
def test_a_link_of_4_kb_breaks_no_page(model_directory: Path, page: str) -> None:
    names = ("pair", "beam", "model", "step", "head", "off", "pick", "bend", "whatif", "clauses", "unknown")
    at = opened(page, **dict.fromkeys(names, "z9." * (LONG // 3)))
    assert page not in ASKING or shows_its_default(at, page)


@pytest.mark.parametrize("page", ASKING)
def test_a_sentence_of_4_kb_in_a_link_makes_way_for_the_page_s_own(model_directory: Path, page: str) -> None:
    at = opened(page, text=("word " * (LONG // 5)).strip())
    assert "The sentence in the link is left out. This text has 4,094 characters; the limit is 2,000" in said(at)
    assert 0 < len(at.text_input(key="text").value) < 100
    assert shows_its_default(at, page)
    at.text_input(key="text").set_value("A dog.").run()
    assert "left out" not in said(at)


@pytest.mark.parametrize("page", ["translate", "transformer", "beam"])
def test_a_sentence_of_too_many_pieces_in_a_link_makes_way_for_the_page_s_own(model_directory: Path, page: str) -> None:
    at = opened(page, text="word " * (limits.MAX_PIECES + 1))
    assert "is left out. The vocabulary splits the text into" in said(at)
    assert f"pieces; the limit is {limits.MAX_PIECES}." in said(at)
    assert shows_its_default(at, page)
