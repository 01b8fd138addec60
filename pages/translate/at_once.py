"""Models that write all words at once, beside those that write word by word: their translations and their rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from nmtcore.config import DecodingConfig, MaskPredictDecoding, writes_word_by_word
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError
from pages.common import models
from pages.common.controls import linked_selectbox, show_notes
from pages.common.i18n import _
from pages.common.link_parameters import ROUNDS
from pages.common.rounds import draw_rounds, rounds_title
from pages.common.side_by_side import label

Result = Trace | MaskPredictRecord | CheckpointError | None  # None: not yet decoded, see `models.translate_all`


def translated(ids: Sequence[str], text: str, decoding: DecodingConfig) -> dict[str, Result]:
    """What each model makes of the sentence, however it writes, by its id. Raises TextError."""
    searching = [model for model in ids if writes_word_by_word(models.architecture(model))]
    searched = models.translate_all(searching, text, decoding) if searching else {}
    return {model: searched[model] if model in searched else _in_rounds(model, text) for model in ids}


def _in_rounds(model: str, text: str) -> Result:
    try:
        return models.mask_predict(model, text, MaskPredictDecoding(int(ROUNDS.read())))
    except CheckpointError as error:
        return error


def rounds(found: Mapping[str, Result]) -> None:
    """Below the columns: every round of each model that writes all words at once, and how many there may be."""
    records = {model: result for model, result in found.items() if isinstance(result, MaskPredictRecord)}
    if not records:
        return
    st.header(_("All words at once"), anchor=False)
    show_notes(*ROUNDS.note())
    linked_selectbox(ROUNDS, _("Rounds"), rounds_title, 130)
    for model, record in records.items():
        draw_rounds(record, title=label(model), key=f"rounds {model}")
