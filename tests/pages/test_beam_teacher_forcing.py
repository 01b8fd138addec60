"""Teacher forcing on the Beam search page: numbers beside what search found, and a sentence for bad input."""

import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis.teacher_forcing import force_truth, verdict
from nmtcore.config import DecodingConfig
from nmtcore.figures.text import signed
from nmtcore.models.checkpoint import Checkpoint
from pages.common.vectors import NEIGHBORS
from tests.helpers import translate
from tests.pages.helpers import component_data, press

TEXT, TRUTH = "a red cat", "un chat rouge"
PAGE = f"beam?text={TEXT}&model=transformer"


def pane(at: AppTest) -> Any:
    """The folded pane; fails if the page shows an error or lost its tree."""
    assert not at.exception, at.exception
    assert not [*at.error, *at.warning]
    assert [e for e in at.get("bidi_component") if e.proto.component_name == "beam_tree"]
    (found,) = (one for one in at.expander if one.label.startswith("Teacher forcing"))
    return found


def words(block: Any) -> str:
    return "\n".join([e.value for e in (*block.text, *block.markdown)] + [e.proto.body for e in block.get("html")])


def test_a_typed_translation_unfolds_it_and_stands_beside_what_search_found(page: AppTest, model: Checkpoint) -> None:
    closed = pane(page.run())
    assert not closed.proto.expanded
    assert "as in training" in words(closed)
    assert not closed.get("vega_lite_chart")
    page.text_input(key="truth").set_value(TRUTH).run()
    opened = pane(page)
    forced = force_truth(model, model.read(TEXT), model.read_target(TRUTH))
    found = translate(model, TEXT, DecodingConfig(5))
    said = words(opened)
    assert opened.proto.expanded
    for total, score in ((forced.log_probability, forced.score(0.6, 0.0)), (found.log_probability, found.score)):
        assert f"log P {signed(total)}" in said
        assert f"= {signed(score)}" in said
    kind = verdict(forced, found, model.vocab, 0.6, 0.0)
    sentences = {
        "search_error": "**search error**",
        "model_error": "**model error**",
        "unfinished": "cannot be compared",
    }
    assert [sentence in said for sentence in sentences.values()] == [kind == one for one in sentences]
    piece = forced.pieces[forced.first_difference - 1]
    assert f"Step {forced.first_difference} is the first" in said and f"has rank {piece.rank:,} of" in said
    assert len(opened.get("vega_lite_chart")) == 1


def test_a_link_reopens_it_another_model_keeps_what_was_typed_and_an_example_does_not(page: AppTest) -> None:
    page.query_params["truth"] = TRUTH
    opened = pane(page.run())
    assert opened.proto.expanded and page.text_input(key="truth").value == TRUTH
    before = words(opened)
    page.selectbox(key="model").set_value("dot").run()
    assert page.text_input(key="truth").value == TRUTH
    assert words(pane(page)) != before and "is the first" in words(pane(page))
    page.menu_button(key="examples").click_index(0).run()
    assert page.text_input(key="truth").value == "" and "truth" not in page.query_params


def test_the_penalties_of_the_tree_hold(page: AppTest, model: Checkpoint) -> None:
    page.query_params["truth"] = TRUTH
    page.query_params["alpha"], page.query_params["beta"] = "0", "0.5"
    said = words(pane(page.run()))
    assert f"= {signed(force_truth(model, model.read(TEXT), model.read_target(TRUTH)).score(0.0, 0.5))}" in said
    made = re.findall(r"s = (−[\d.]+) / ([\d.]+) \+ \((−[\d.]+)\) = (−[\d.]+)", said)
    assert len(made) == 2
    for numbers in made:
        log_p, lp, cp, score = (float(number.replace("−", "-")) for number in numbers)
        assert log_p / lp + cp == pytest.approx(score, abs=0.006)


def test_the_tree_asks_anew_for_other_penalties_where_they_are_held_against_a_typed_translation(page: AppTest) -> None:
    def follows() -> bool:
        link = component_data(page, "beam_tree")["link"]
        runs = [use for use in link if "runs" in link[use] and use not in NEIGHBORS]
        return runs == ["alpha", "beta", "whatif", "compare"]

    page.run()
    assert not follows()
    page.text_input(key="truth").set_value(TRUTH).run()
    assert follows()
    page.text_input(key="truth").set_value("").run()
    assert not follows()
    press(page, "widths")
    assert follows()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (" ", "Type the translation that you think is right."),
        ("le chat Ω", "“Ω” is not in this model's vocabulary"),
        ("le\u200b\u202e chat", "2 control or zero-width characters were removed."),
        ("<b>chat</b> " * 200, "the limit is"),
    ],
)
def test_bad_input_gets_a_sentence_and_stays(page: AppTest, typed: str, sentence: str) -> None:
    page.run()
    page.text_input(key="truth").set_value(typed).run()
    assert sentence in words(pane(page))
    assert page.text_input(key="truth").value == typed
