"""Any two models on the typed sentence: what they write, with what the other does not write, and their pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from nmtcore.config import DecodingConfig, MaskPredictDecoding
from nmtcore.text.diff import word_diff
from nmtcore.views.alignment.data import Panel
from nmtcore.views.alignment.messages import MESSAGES
from pages.architectures.found import Found, Known
from pages.common import models
from pages.common.aligning_head import aligning_head
from pages.common.alignment import draw_alignment
from pages.common.component import localized
from pages.common.controls import linked_selectbox, show_notes
from pages.common.i18n import _
from pages.common.link_parameters import LEFT, RIGHT, ROUNDS, not_here
from pages.common.link_state import Choice
from pages.common.neighbors import neighbors_address
from pages.common.question import Question
from pages.common.training_data import training_data_note

OPENS = ("additive", "transformer")  # where both are there


def compared(found: Sequence[Known]) -> tuple[Known, Known] | None:
    """The two models that the address names; None where there are no two."""
    by_code = {one.code: one for one in found}
    if len(by_code) < 2:
        return None
    left, right = (parameter.read() for parameter in _parameters(by_code))
    return by_code[left], by_code[right]


def draw_two_models(question: Question, found: Sequence[Known], decoding: DecodingConfig) -> list[Panel]:
    """Draw the choice of two, their translations and their pictures; returns the panels.

    A model that writes all words at once does so in as many rounds as the address asks for.
    """
    st.header(_("Two of them on this sentence"), anchor=False)
    by_code = {one.code: one for one in found}
    if len(by_code) < 2:
        show_notes(_("There are no two models for this sentence."))
        return []
    show_notes(*(note for parameter in _parameters(by_code) for note in parameter.note()))
    with st.container(horizontal=True, gap="small", key="two models"):
        codes = [
            linked_selectbox(parameter, label, lambda code: by_code[code].title, 240)
            for parameter, label in zip(_parameters(by_code), (_("First model"), _("Second model")), strict=True)
        ]
    pair = [by_code[code] for code in dict.fromkeys(codes)]
    drawn = [_panel(one, decoding) for one in pair]
    parts = word_diff(drawn[0].translation, drawn[-1].translation)
    if difference := training_data_note(one.id for one in pair):
        st.caption(difference)
    panels = [
        replace(panel.against(marked), neighbors=neighbors_address(question, one.id))
        for one, panel, marked in zip(pair, drawn, parts, strict=False)
    ]
    draw_alignment(panels, key="alignment", sentence=pair[0].text, play=True, marks=True)
    return panels


def _panel(one: Known, decoding: DecodingConfig) -> Panel:
    """Without its time: all models were decoded at once, and the table says how long each takes alone."""
    if isinstance(one, Found):
        trace = models.translate(one.id, one.text, decoding)
        panel = Panel.of(one.title, models.architecture(one.id), trace, aligning_head(one.id))
    else:
        record = models.mask_predict(one.id, one.text, MaskPredictDecoding(int(ROUNDS.read())))
        panel = Panel.of_rounds(one.title, record, localized(MESSAGES))
    return replace(panel, seconds=None)


def _parameters(by_code: Mapping[str, Known]) -> tuple[Choice, Choice]:
    codes = list(by_code)
    usual = OPENS if all(code in codes for code in OPENS) else (codes[0], codes[-1])
    left, right = (
        parameter.among(codes, default, wrong=not_here(by_code[default].title))
        for parameter, default in zip((LEFT, RIGHT), usual, strict=True)
    )
    return left, right
