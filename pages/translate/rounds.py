"""The rounds of the models that write all words at once, below the columns of the Translate page."""

from collections.abc import Mapping

import streamlit as st

from nmtcore.decoding.mask_predict import MaskPredictRecord
from pages.common.i18n import _
from pages.common.rounds import draw_rounds, rounds_box
from pages.common.side_by_side import label
from pages.translate.state import TranslateState


def draw_all_rounds(state: TranslateState, results: Mapping[str, object]) -> None:
    """Every round of each model that writes all words at once, and how many there may be; nothing without one."""
    records = {model: result for model, result in results.items() if isinstance(result, MaskPredictRecord)}
    if not records:
        return
    st.header(_("All words at once"), anchor=False)
    rounds_box(state)
    for model, record in records.items():
        draw_rounds(record, title=label(model), key=f"rounds {model}")
