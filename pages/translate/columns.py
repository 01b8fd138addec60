"""The columns of the Translate page: the models side by side, chosen among the settings, each with its beam search."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.limits import SIDE_BY_SIDE
from nmtcore.views.alignment.data import Panel
from pages.common import models
from pages.common.address import control
from pages.common.alignment import model_panel
from pages.common.controls import change_button, question_row
from pages.common.examples import Example, rare_name
from pages.common.i18n import _
from pages.common.question import Question, question_texts
from pages.common.registry import entry, page_texts
from pages.common.side_by_side import code, offered
from pages.common.text import not_markdown
from pages.common.training_data import training_data_note
from pages.translate.state import TranslateState


def question_and_models(state: TranslateState, question: Question) -> None:
    """The row of controls, with the models side by side among the settings."""
    ids = offered(question.choice)
    if len(ids) < 2:
        return question_row(state, question)
    count = _("{shown} of {all} models").format(shown=len(state.chosen), all=len(ids))
    unseen = rare_name(question.pair) if "copying" in ids else None

    def ask(example: Example) -> dict[str, Any]:
        return {"typed": example.text} | ({"models": with_pointer_generator(state)} if example == unseen else {})

    question_row(state, question, [count], lambda: model_chips(state, ids), ask, (unseen,) if unseen else ())
    offer_places(state, ids, "row")


def model_chips(state: TranslateState, ids: Mapping[str, str]) -> None:
    """The chips of the models."""
    st.pills(
        _("Models, at most {most} side by side").format(most=SIDE_BY_SIDE),
        tuple(ids),
        selection_mode="multi",
        format_func=lambda name: models.heading(ids[name]),
        **control(state, "models", value=tuple(map(code, state.chosen))),
    )
    offer_places(state, ids, "chips")


def offer_places(state: TranslateState, ids: Mapping[str, str], where: str) -> None:
    """Offer each shown model's place to the model that found none. where: tells these buttons from others.

    Shown where the model was chosen, and on the page for those who follow a link.
    """
    if not state.waiting:
        return
    with st.container(key=f"places {where}", horizontal=True, vertical_alignment="center", gap="small"):
        says = _("{most} models fit side by side. Show {model} in place of:")
        st.text(says.format(most=SIDE_BY_SIDE, model=models.heading(ids[state.waiting])), width="content")
        for name in map(code, state.chosen):
            changed = tuple(state.waiting if one == name else one for one in map(code, state.chosen))
            change_button(state, not_markdown(models.heading(ids[name])), f"place {where} {name}", models=changed)
        change_button(state, _("Never mind"), f"no place {where}", models=tuple(map(code, state.chosen)))


def with_pointer_generator(state: TranslateState) -> tuple[str, ...]:
    """The codes of the models with the pointer-generator's last; if four are shown, the first makes way."""
    others = [name for name in map(code, state.chosen) if name != "copying"]
    return (*others[-SIDE_BY_SIDE + 1 :], "copying")


def about(state: TranslateState) -> tuple[str, str]:
    """The sentence under the title, and what differs in the models' training data; a saved model may stand alone."""
    count = len(state.chosen)
    if count > 1:
        difference = training_data_note(model for model in state.chosen if models.readable(model))
        if difference:
            says = _("Pick a word to see what it was made from. These models were trained on different data.")
            return says, difference
        return _("Several models translate the same sentence. Pick a word to see, in each, what it was made from."), ""
    if len(offered(state.question.choice)) > 1:
        return _("One model translates the sentence. Pick a word to see what it was made from."), ""
    return _("This model was trained for a task of its own. Pick a word to see what it was made from."), ""


def draw_column(question: Question, model: str, record: Trace | MaskPredictRecord) -> Panel:
    """A model's column, with the address of its beam search for the question."""
    panel = model_panel(model, record)
    asked = question_texts(question, model) | page_texts("beam", model_code=models.architecture(model))
    search = entry("beam").link(asked) if panel.autoregressive else None
    return replace(panel, search=search, translation=question.source.with_emoji(panel.translation))
