"""Another word: what a model writes after a candidate that it did not take, and whether search or the model errs.

Where the other translation scores higher by the model's own measure, search lost it (a search error); where it scores
lower, no search would have chosen it (a model error). Stahlberg and Byrne (2019) count both.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

import streamlit as st

from nmtcore.config import DecodingConfig
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace, length_penalty
from nmtcore.errors import NmtError
from nmtcore.figures.text import signed
from nmtcore.intervention import Intervention
from nmtcore.text.diff import word_diff
from pages.common import models
from pages.common.address import change_state
from pages.common.controls import show_notes
from pages.common.i18n import _
from pages.common.result import log_p, translation_line, unfinished_note
from pages.translate.state import INSTEAD, TranslateState


def draw_instead(state: TranslateState, text: str, records: Mapping[str, Trace | MaskPredictRecord]) -> None:
    """The translation that goes on from the candidate in the state; nothing where none is asked for."""
    if not state.instead:
        return
    column, step, token = map(int, state.instead.split("."))
    model, own = next(islice(records.items(), column, None), ("", None))
    if not isinstance(own, Trace) or step >= len(own.ids) or not 0 <= token < len(models.load(model).vocab):
        show_notes(INSTEAD.wrong(state.instead))
        return
    forced = (*enumerate(own.ids[:step]), (step, token))
    try:
        other = models.translate(model, text, DecodingConfig(own.decoding.beam), Intervention(forced=forced))
    except NmtError as error:
        show_notes(str(error))
        return
    with st.container(key="instead-translation", gap="xxsmall"):
        architecture = models.architecture(model)
        parts = word_diff(own.text, other.text)[1]
        title = _("{model}, if step {step} had been another").format(
            model=models.heading(model, architecture), step=step + 1
        )
        translation_line(
            title, architecture, other.text, log_p(other.log_probability), *unfinished_note(other), parts=parts
        )
        st.text(blame(own, other))
        st.button(
            _("Close"),
            key="close instead",
            type="tertiary",
            on_click=change_state,
            args=(TranslateState,),
            kwargs={"instead": ""},
        )


def blame(own: Trace, other: Trace) -> str:
    """Whether search or the model is to blame, if the other translation is the better one."""
    if other.ids == own.ids:
        return _("The model comes back to the same translation.")
    scores = {"other": signed(score(other)), "own": signed(score(own))}
    if score(other) > score(own):
        says = _(
            "If this translation is better, search is to blame: the model scores it {other}, above the {own} of the "
            "one that it wrote, but the beam dropped it on the way. A wider beam may find it. The score is log P over "
            "a power of the length."
        )
    else:
        says = _(
            "If this translation is better, the model is to blame: it scores it {other}, not above the {own} of the "
            "one that it wrote, so no wider beam would choose it. The score is log P over a power of the length."
        )
    return says.format(**scores)


def score(trace: Trace) -> float:
    """What ranks finished translations: log P by the length penalty."""
    return trace.log_probability / length_penalty(len(trace.ids), trace.decoding.alpha)
