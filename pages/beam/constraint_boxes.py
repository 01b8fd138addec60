"""Boxes for constraints on the search: the first words of the translation (prefix-constrained decoding), words that it
must contain and the first letters of its words (grid beam search)."""

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
from pages.beam.searches import Searches
from pages.beam.state import BeamState
from pages.common.address import change_state, entry
from pages.common.i18n import _


@dataclass(frozen=True)
class ConstraintBox:
    """A box: its key, the label before it, its name, and its width.

    held: its present text and the code of that constraint; others: the other constraints; read: parses typed text.
    """

    key: str
    before: str
    label: str
    width: int
    held: str
    others: tuple[Constraint, ...]
    read: Callable[[str], tuple[Constraint, ...]]
    code: str = ""


def constraint_boxes(state: BeamState, vocab: Vocab, searches: Searches, free: Trace) -> None:
    """The boxes, the translation under the constraint, and what this costs: its log P beside that of the free search.

    An empty box lifts its constraint.
    """
    with st.container(gap=None):
        # No header anchor: Streamlit would scroll to it again and again.
        st.html('<span id="what-if" tabindex="-1" style="scroll-margin-top: 4rem"></span>')
        st.header(_("What if search had to write something else?"), anchor=False)
    asked = state.constraints
    prefix = next((what for what in reversed(asked) if what.prefix), None)
    begin = ConstraintBox(
        "prefix", _("What if the translation began with"), _("First words of the translation"), 320,
        prefix.typed(vocab) if prefix else "", tuple(what for what in asked if not what.prefix),
        lambda typed: (constraints.prefix(typed, vocab),) if typed.strip() else (), prefix.code if prefix else "",
    )  # fmt: skip
    words = ConstraintBox(
        "contained words", _("… if it had to contain"),
        _("Words that the translation must contain, commas between phrases"), 220,
        ", ".join(what.typed(vocab) for what in asked if what.phrase), tuple(what for what in asked if not what.phrase),
        lambda typed: constraints.phrases(typed, vocab),
    )  # fmt: skip
    letters = ConstraintBox(
        "first letters", _("… if its words had to begin with the letters"),
        _("First letters of the translation's words"), 130,
        "".join(what.letters for what in asked).upper(), tuple(what for what in asked if not what.letters),
        lambda typed: (constraints.letters(typed),) if typed.strip() else (),
    )  # fmt: skip
    if _row(state, "begin", begin) and prefix:
        st.text(_("Until then this constraint holds: {what}.").format(what=prefix.sentence(vocab)))
    _row(state, "contain", words, letters)
    constrained = searches.trace
    if constrained.intervention.contains or constrained.intervention.initials:
        st.text(searches.best(vocab, state))
        now, before = (trace.ranked(state.alpha, state.beta)[0].total for trace in (constrained, free))
        st.caption(_cost(now, before))


def _row(state: BeamState, key: str, *boxes: ConstraintBox) -> list[str]:
    """Draw boxes side by side, and below them why their texts cannot be used; returns these reasons."""
    with st.container(key=key, horizontal=True, vertical_alignment="center", gap="small"):
        problems = list(filter(None, [_box(state, box) for box in boxes]))
    for problem in problems:
        st.text(problem)
    return problems


def _box(state: BeamState, box: ConstraintBox) -> str:
    """Draw the box; return why its text cannot be used, empty if it can or is already in force."""

    def ask(typed: str) -> None:
        with suppress(InterventionError):  # explained below: a refused text stays as typed
            change_state(BeamState, **state.constrained((*box.others, *box.read(typed))))

    st.caption(box.before, width="content")
    # No `max_chars`: a browser would silently cut a longer paste.
    keyed = entry(box.key, box.held, ask, of=box.code)
    typed = st.text_input(box.label, label_visibility="collapsed", width=box.width, **keyed) or ""
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
    """Two significant digits, as many as the difference of the logarithms warrants: 1.4, 25, 460."""
    if value >= 1e6:
        return _("more than a million")
    return f"{value:.1f}" if value < 10 else f"{float(f'{value:.2g}'):,.0f}"
