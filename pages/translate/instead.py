"""Another word: what a model writes after a candidate that it did not take, or after a word that somebody expected
there; or the translation that somebody expected. And whether search or the model errs.

Where the other translation scores higher by the model's own measure, search lost it (a search error); where it scores
lower, no search would have chosen it (a model error). Stahlberg and Byrne (2019) count both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

import streamlit as st

from nmtcore.analysis.teacher_forcing import target_pieces
from nmtcore.config import DecodingConfig
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace, length_penalty
from nmtcore.errors import NmtError, TraceError
from nmtcore.figures.text import signed
from nmtcore.intervention import Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.diff import word_diff
from nmtcore.text.vocabulary import EOS
from nmtcore.text.words import group_pieces, word_label
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
    column, step, asked = INSTEAD.parts(state.instead)
    model, own = next(islice(records.items(), int(column or 0), None), ("", None))
    if not isinstance(own, Trace) or int(step or 0) >= len(own.ids):
        show_notes(INSTEAD.wrong(state.instead))
        return
    try:
        found = another(models.load(model), own, int(step or 0), asked or "")
        forced = Intervention(forced=tuple(enumerate(found.ids)))
        other = models.translate(model, text, DecodingConfig(own.decoding.beam), forced)
    except TraceError:
        show_notes(INSTEAD.wrong(state.instead))
        return
    except NmtError as error:
        show_notes(str(error))
        return
    with st.container(key="instead-translation", gap="xxsmall"):
        architecture = models.architecture(model)
        parts = word_diff(own.text, other.text)[1]
        title = (
            _("{model}, fed your translation") if found.whole else _("{model}, if step {step} had been another")
        ).format(model=models.heading(model, architecture), step=found.start + 1)
        translation_line(
            title, architecture, other.text, log_p(other.log_probability), *unfinished_note(other), parts=parts
        )
        if found.typed:
            says = _("To the model its own “{own}” has log P {own_p}; your “{typed}” has log P {typed_p}.")
            st.text(says.format(**beside(found, own, other)))
        st.text(blame(own, other))
        st.button(
            _("Close"),
            key="close instead",
            type="tertiary",
            on_click=change_state,
            args=(TranslateState,),
            kwargs={"instead": ""},
        )


@dataclass(frozen=True)
class Another:
    """What search must write: the ids of a beginning, in which the steps from `start` on are not the model's own.

    typed: what somebody expected, empty for a candidate that was picked; whole: whether that is all of a translation.
    """

    ids: tuple[int, ...]
    start: int
    typed: str = ""
    whole: bool = False


def another(checkpoint: Checkpoint, own: Trace, step: int, asked: str) -> Another:
    """asked: the id of a piece for this step, or after `=` a word for the place of this step's, or several: a whole
    translation. Raises TraceError for an id that the vocabulary lacks, TextError for a text that has no probability.
    """
    if not asked.startswith("="):
        if int(asked) >= len(checkpoint.vocab):
            raise TraceError(f"There is no piece {asked}.")
        return Another((*own.ids[:step], int(asked)), step)
    typed = asked[1:].strip()
    room = own.decoding.limit(len(own.source)) - 1
    if len(typed.split()) > 1:
        return Another((*target_pieces(checkpoint, typed, room).ids, EOS), 0, typed, True)
    start = _word(own, step)[0]
    return Another((*own.ids[:start], *target_pieces(checkpoint, typed, room - start).ids), start, typed)


def beside(found: Another, own: Trace, other: Trace) -> dict[str, str]:
    """The log-probabilities of what was typed and of what the model wrote in its place, with both texts."""
    group = range(len(own.ids)) if found.whole else _word(own, found.start)
    return {
        "own": own.text if found.whole else word_label(own.target, group),
        "own_p": signed(sum(own.steps[i].log_probability for i in group)),
        "typed": found.typed,
        "typed_p": signed(sum(step.log_probability for step in other.steps[found.start : len(found.ids)])),
    }


def _word(trace: Trace, step: int) -> list[int]:
    """The steps that wrote the word of this one."""
    return next(group for group in group_pieces(trace.target) if step in group)


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
