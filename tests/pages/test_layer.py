"""The pane of one layer: parts that are off come from the address and return to it; the picture gets the rest."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.config import DEFAULT_BEAM, DecodingConfig
from nmtcore.intervention import Intervention
from nmtcore.models import checkpoint
from nmtcore.text.words import sentence_names
from pages.common.examples import example_sentences
from pages.transformer import layer
from pages.transformer.state import TransformerState
from tests.helpers import translate
from tests.pages import helpers
from tests.pages.helpers import component_data

opened = partial(helpers.opened, "transformer", pane="layer")


def picture(at: AppTest) -> dict[str, Any]:
    return component_data(at, "residual_stream")


def test_parts_off_are_translated_again(model_directory: Path) -> None:
    found = picture(opened(**{"parts-off": "decoder.2.residual_encoder.1.norm", "off": "cross.1.1"}))
    model = checkpoint.load(model_directory / "en-fr" / "transformer")
    change = Intervention(heads_off=(("cross", 0, 0),), parts_off=(("decoder", 1, "residual"), ("encoder", 0, "norm")))
    text = example_sentences("en-fr")[0].text
    ordinary = translate(model, text, DecodingConfig(DEFAULT_BEAM))
    after = translate(model, text, DecodingConfig(DEFAULT_BEAM), change)
    before_line, after_line = found["effect"]
    assert before_line[:2] == ["Before", ordinary.text]
    title, shown, remark = after_line
    assert title == "After, without decoder layer 2 residual, encoder layer 1 norm, 1 head"
    assert shown == (after.text or "(nothing)")
    assert f"{after.log_probability:.2f}".replace("-", "\u2212") in remark
    assert found["off"] == ["decoder.2.residual", "encoder.1.norm"]
    assert found["stacks"]["t"]["names"] == sentence_names(ordinary.target), "the streams are of the same words"


def test_parts_of_one_kind_are_named_together() -> None:
    """All residual connections of a deep model are eight names, or one for each stack."""
    off = [("encoder", n, "residual") for n in (4, 0, 1, 2)] + [("decoder", 1, "cross"), ("encoder", 3, "norm")]
    assert layer.switch_names(off) == [  # type: ignore[arg-type]
        "decoder layer 2 cross attention",
        "encoder layers 1–3, 5 residual",
        "encoder layer 4 norm",
    ]


def test_the_other_panes_are_a_click_away(model_directory: Path) -> None:
    page = opened()
    assert picture(page)["effect"] == [], "with everything on nothing is compared"
    pills = {group.key: group for group in page.get("button_group")}
    pills["pane"].set_value("compare").run()
    assert not page.exception
    assert page.query_params["pane"] in ("compare", ["compare"])
    assert component_data(page, "heads")["heads"]["pane"] == "compare"


@pytest.mark.parametrize(
    ("pane", "formula", "question"),
    [
        ("layer", r"\max(0,xW_1+b_1)\,W_2+b_2", "Switch off the feed-forward part of a layer"),
        ("batch", r"$\mathrm{Mask}$ is 0 where", "in a batch with longer ones"),
        ("cell", r"\mathrm{Concat}(\mathrm{head}_1", "Switch off the head that aligns best"),
    ],
)
def test_formulas_and_question_are_those_of_the_pane(
    model_directory: Path, pane: str, formula: str, question: str
) -> None:
    shown = [element.value for element in helpers.opened("transformer", pane=pane).markdown]
    assert sum(formula in text for text in shown) == 1
    (asked,) = [text for text in shown if "A question for the class" in text]
    assert question in asked


def test_state_names_the_layers_and_parts_that_a_model_has(model_directory: Path) -> None:
    model = checkpoint.load(model_directory / "en-fr" / "transformer")
    trace = translate(model, example_sentences("en-fr")[0].text, DecodingConfig(DEFAULT_BEAM))
    layers = {"encoder": 2, "decoder": 3}
    codes = "encoder.1.norm_encoder.3.norm_encoder.1.cross_decoder.3.residual_x"
    state = TransformerState.parse({"piece": "s1", "layer": "3", "parts-off": codes})
    assert state.switches(layers) == (("decoder", 2, "residual"), ("encoder", 0, "norm"))
    fields = [field for field, __ in state.lacking_layers(trace, layers)]
    assert fields == ["stream_layer", "parts_off", "parts_off", "parts_off"], "the encoder has two layers"
    assert not list(TransformerState.parse({"piece": "t1", "layer": "3"}).lacking_layers(trace, layers))
