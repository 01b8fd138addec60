"""Any two models on the typed sentence: what they write, with the differences underlined, and their pictures."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from nmtcore.config import DecodingConfig, MaskPredictDecoding
from nmtcore.text.diff import word_diff
from nmtcore.views.alignment.data import Panel
from pages.architectures.cost_table import CostTable
from pages.architectures.results import ModelResult
from pages.architectures.state import ArchitecturesState, usual_pair
from pages.common import models
from pages.common.alignment import draw_alignment, model_panel
from pages.common.controls import quiet_list, show_notes
from pages.common.i18n import _
from pages.common.neighbors import neighbors_address
from pages.common.training_data import training_data_note


def compared(state: ArchitecturesState, results: Sequence[ModelResult]) -> tuple[ModelResult, ModelResult] | None:
    """The two chosen models, with the usual ones in place of any that gave no answer; None if there are not two."""
    by_code = {one.code: one for one in results}
    if len(by_code) < 2:
        return None
    usual = usual_pair(tuple(by_code))
    left, right = (by_code.get(a, by_code[b]) for a, b in zip((state.left, state.right), usual, strict=True))
    return left, right


def draw_two_models(
    state: ArchitecturesState, results: Sequence[ModelResult], decoding: DecodingConfig
) -> tuple[list[Panel], list[CostTable]]:
    """Draw the choice of two, their costs, translations and pictures; returns the panels and the table of costs.

    A non-autoregressive model takes the number of rounds in the state.
    """
    st.header(_("Two models side by side: what they cost and what they write"), anchor=False)
    two = compared(state, results)
    if two is None:
        show_notes(_("There are no two models for this sentence."))
        return [], []
    by_code = {one.code: one for one in results}
    with st.container(horizontal=True, gap="small", key="two models"):
        for one, name, says in zip(two, ("left", "right"), (_("First model"), _("Second model")), strict=True):
            quiet_list(state, name, says, list(by_code), lambda code: by_code[code].title, value=one.code)
    pair = list(dict.fromkeys(two))
    tables = [CostTable(st.empty(), pair, ratio=True)] if len(pair) > 1 else []
    for table in tables:
        table.draw()
    ids = [one.id for one in pair]
    records = models.ask(models.requests(ids, pair[0].source, decoding, MaskPredictDecoding(int(state.rounds))))
    drawn = [model_panel(id, record) for id, record in zip(ids, records, strict=True)]
    parts = word_diff(drawn[0].translation, drawn[-1].translation)
    if difference := training_data_note(ids):
        st.caption(difference)
    panels = [
        replace(panel.against(marked), neighbors=neighbors_address(state.question, one.id))
        for one, panel, marked in zip(pair, drawn, parts, strict=False)
    ]
    draw_alignment(panels, key="alignment", state=state, sentence=pair[0].source.text, play=True, marks=True)
    return panels, tables
