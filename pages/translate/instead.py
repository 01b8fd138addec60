"""Another word: what a model writes after a candidate that it did not take, or after a word that was expected
there; or the expected translation. And whether search or the model errs.

If the other translation scores higher by the model's own measure, search lost it (a search error); if it scores
lower, no search would have chosen it (a model error). Stahlberg and Byrne (2019) count both.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

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
from nmtcore.views.alignment.record import VerdictRecord
from pages.common import models
from pages.common.controls import show_notes
from pages.common.i18n import _
from pages.common.result import log_p, unfinished_note
from pages.translate.state import INSTEAD, TranslateState


def verdict(state: TranslateState, records: Mapping[str, Trace | MaskPredictRecord]) -> VerdictRecord | None:
    """The translation that continues from the state's replacement for a word, and what errs, for the alignment panels.

    None if nothing is asked for, or if it is not there, which the page then says.
    """
    if not state.instead:
        return None
    column, step, asked = INSTEAD.parts(state.instead)
    model, own = next(islice(records.items(), int(column or 0), None), ("", None))
    if not isinstance(own, Trace) or int(step or 0) >= len(own.ids):
        show_notes(INSTEAD.wrong(state.instead))
        return None
    record: VerdictRecord = {"asked": state.instead, "title": "", "parts": (), "notes": "", "says": ()}
    try:
        put = another(models.load(model), own, int(step or 0), asked or "")
        forced = Intervention(forced=tuple(enumerate(put.ids)))
        decoding = DecodingConfig(own.decoding.beam)
        (other,) = models.ask([models.request(model, state.question.source, decoding, forced)])
    except TraceError:
        show_notes(INSTEAD.wrong(state.instead))
        return None
    except NmtError as error:
        return {**record, "says": (str(error),)}
    if not put.whole:  # which would be there twice
        title = _("{model} then writes").format(model=models.heading(model))
        notes = " · ".join((log_p(other.log_probability), *unfinished_note(other)))
        record = {**record, "title": title, "parts": word_diff(own.text, other.text)[1], "notes": notes}
    return {**record, "says": (*beside(put, own, other), blame(own, other))}


@dataclass(frozen=True)
class Another:
    """What search must write: the ids of a prefix whose steps from `start` on are not the model's own.

    typed: the expected text, empty for a picked candidate; whole: whether that is a whole translation.
    """

    ids: tuple[int, ...]
    start: int
    typed: str = ""
    whole: bool = False


def another(checkpoint: Checkpoint, own: Trace, step: int, asked: str) -> Another:
    """asked: the id of a piece for this step, or after `=` a word to replace this step's, or several words: a whole
    translation. Raises TraceError for an id that the vocabulary lacks, TextError for a text that has no probability.
    """
    if not asked.startswith("="):
        if int(asked) >= len(checkpoint.vocab):
            raise TraceError(f"There is no piece {asked}.")
        return Another((*own.ids[:step], int(asked)), step)
    typed = asked[1:].strip()
    room = own.decoding.limit(len(own.source)) - 1
    expected = checkpoint.read_target(typed)
    if len(typed.split()) > 1:
        return Another((*target_pieces(checkpoint, expected, room).ids, EOS), 0, typed, True)
    start = _word(own, step)[0]
    return Another((*own.ids[:start], *target_pieces(checkpoint, expected, room - start).ids), start, typed)


def beside(put: Another, own: Trace, other: Trace) -> tuple[str, ...]:
    """The log-probabilities of the typed text and of the model's own in its place; empty for a candidate."""
    if not put.typed:
        return ()
    group = range(len(own.ids)) if put.whole else _word(own, put.start)
    values = {
        "own_p": signed(sum(own.steps[i].log_probability for i in group)),
        "typed_p": signed(sum(step.log_probability for step in other.steps[put.start : len(put.ids)])),
    }
    if put.whole:
        return (_("The model gives your translation log P {typed_p}, and its own {own_p}.").format(**values),)
    says = _("The model gives your “{typed}” log P {typed_p}, and its own “{own}” {own_p}.")
    return (says.format(typed=put.typed, own=word_label(own.target, group), **values),)


def _word(trace: Trace, step: int) -> list[int]:
    """The steps that wrote this step's word."""
    return next(group for group in group_pieces(trace.target) if step in group)


def blame(own: Trace, other: Trace) -> str:
    """Whether search or the model is to blame, if the other translation is the better one."""
    if other.ids == own.ids:
        return _("This is the translation that the model wrote itself.")
    scores = {"other": signed(score(other)), "own": signed(score(own))}
    if score(other) > score(own):
        says = _(
            "If this translation is better, the search is to blame: it scores {other} (log P divided by the length "
            "penalty), the model's own only {own}. The beam dropped it on the way; a wider one may find it."
        )
    else:
        says = _(
            "If this translation is better, the model is to blame: it scores only {other} (log P divided by the length "
            "penalty), the model's own {own}, so a full search would reject it."
        )
    return says.format(**scores)


def score(trace: Trace) -> float:
    """The score that ranks finished translations: log P divided by the length penalty."""
    return trace.log_probability / length_penalty(len(trace.ids), trace.decoding.alpha)
