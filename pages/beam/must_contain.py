"""Boxes for words that the translation must contain and for the first letters of its words: grid beam search."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import streamlit as st

from nmtcore.decoding.trace import Trace
from nmtcore.errors import InterventionError
from nmtcore.figures.text import signed
from nmtcore.text.vocabulary import Vocab
from pages.beam import constraints
from pages.beam.constraints import Constraint
from pages.beam.state import BeamState
from pages.common.address import change_state, entry
from pages.common.i18n import _

WORDS, LETTERS = "contained words", "first letters"


def requirement_boxes(state: BeamState, vocab: Vocab, constrained: Trace, free: Trace) -> None:
    """The two boxes, and what the constraint costs: log P of the constrained search beside that of the free one."""
    words, letters = _words(state, vocab), _letters(state)
    with st.container(key="contain", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_("… if it had to contain"), width="content")
        about = _("Words that the translation must contain, commas between phrases")
        problems = [_box(state, words, about, 220)]
        st.caption(_("… if its words had to begin with the letters"), width="content")
        problems.append(_box(state, letters, _("First letters of the translation's words"), 130))
    for problem in filter(None, problems):
        st.text(problem)
    if constrained.intervention.contains or constrained.intervention.initials:
        now, before = (trace.ranked(state.alpha, state.beta)[0].total for trace in (constrained, free))
        st.caption(_cost(now, before))


@dataclass(frozen=True)
class ConstraintBox:
    """A box: its key, what it holds already, the other constraints, and how what is typed is read."""

    key: str
    held: str
    others: tuple[Constraint, ...]
    read: Callable[[str], tuple[Constraint, ...]]


def _words(state: BeamState, vocab: Vocab) -> ConstraintBox:
    held = ", ".join(what.typed(vocab) for what in state.constraints if what.phrase)
    others = tuple(what for what in state.constraints if not what.phrase)
    return ConstraintBox(WORDS, held, others, lambda typed: constraints.phrases(typed, vocab))


def _letters(state: BeamState) -> ConstraintBox:
    held = "".join(what.letters for what in state.constraints).upper()
    others = tuple(what for what in state.constraints if not what.letters)
    return ConstraintBox(LETTERS, held, others, lambda typed: (constraints.letters(typed),) if typed.strip() else ())


def _box(state: BeamState, box: ConstraintBox, label: str, width: int) -> str:
    """Draw the box; why what stands in it cannot be asked for, empty where it can, and for what it holds already."""

    def ask(typed: str) -> None:
        with suppress(InterventionError):  # said below: what is refused stays as typed
            change_state(BeamState, **state.constrained((*box.others, *box.read(typed))))

    # Without `max_chars`: a browser would drop a longer paste without a word.
    keyed = entry(box.key, box.held, ask)
    typed = st.text_input(label, label_visibility="collapsed", width=width, **keyed) or ""
    try:
        if typed != box.held:
            box.read(typed)
    except InterventionError as error:
        return str(error)
    return ""


def _cost(now: float, before: float) -> str:
    """What the constraint costs in log P, in words."""
    lost = before - now
    if abs(lost) < 5e-3:
        return _("This constraint costs nothing: log P stays at {log_p}.").format(log_p=signed(now, 3))
    if lost < 0:
        return _(
            "With this constraint search found a likelier translation than without it: log P {now} instead of "
            "{before}. The free search had dropped a prefix of it, or ranked it lower."
        ).format(now=signed(now, 3), before=signed(before, 3))
    times = math.exp(min(lost, 700))
    return _(
        "This constraint costs {lost} in log P: {now} instead of {before}. To this model the free translation is "
        "{times} times as likely. Search kept the best prefixes for each number of constraint tokens met (grid beam "
        "search)."
    ).format(
        lost=f"{lost:.2f}",
        now=signed(now, 3),
        before=signed(before, 3),
        times=_times(times),
    )


def _times(value: float) -> str:
    """Two digits, as many as the difference of the logarithms gives: 1.4, 25, 460."""
    if value >= 1e6:
        return _("more than a million")
    return f"{value:.1f}" if value < 10 else f"{float(f'{value:.2g}'):,.0f}"
