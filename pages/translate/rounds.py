"""The rounds of the models that write all words at once, below the columns of the Translate page."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from nmtcore.config import MaskPredictDecoding
from nmtcore.decoding.mask_predict import MaskPredictRecord
from pages.common.controls import linked_selectbox, show_notes
from pages.common.i18n import _
from pages.common.link_parameters import ROUNDS
from pages.common.models import Result
from pages.common.rounds import draw_rounds, rounds_title
from pages.common.side_by_side import label


def asked_rounds() -> MaskPredictDecoding:
    """How many rounds the address asks for."""
    return MaskPredictDecoding(int(ROUNDS.read()))


def draw_all_rounds(found: Mapping[str, Result]) -> None:
    """Every round of each model that writes all words at once, and how many there may be; nothing without one."""
    records = {model: result for model, result in found.items() if isinstance(result, MaskPredictRecord)}
    if not records:
        return
    st.header(_("All words at once"), anchor=False)
    show_notes(*ROUNDS.note())
    linked_selectbox(ROUNDS, _("Rounds"), rounds_title, 130)
    for model, record in records.items():
        draw_rounds(record, title=label(model), key=f"rounds {model}")
