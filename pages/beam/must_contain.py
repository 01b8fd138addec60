"""Boxes for words that the translation must contain and for the first letters of its words: grid beam search."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import streamlit as st

from nmtcore.decoding.trace import Trace
from nmtcore.errors import InterventionError
from nmtcore.figures.text import signed
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.beam_tree.data import View
from pages.beam import constraints
from pages.beam.constraints import Constraint
from pages.beam.search_link import acted, asked_constraints
from pages.common.i18n import _
from pages.common.link_parameters import CONSTRAINTS

WORDS, LETTERS = "contained words", "first letters"


def requirement_boxes(vocab: Vocab, found: Trace, plain: Trace, view: View) -> None:
    """The two boxes, and what their wish costs: log P of the result `found` beside that of the free search, `plain`.

    view: has the penalties by which both results are chosen.
    """
    asked = asked_constraints()[0]
    _hold(WORDS, ", ".join(what.typed(vocab) for what in asked if what.phrase))
    _hold(LETTERS, "".join(what.letters for what in asked if what.letters).upper())
    with st.container(key="contain", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_("… if it had to contain"), width="content")
        _box(WORDS, _("Words that the translation must contain, commas between phrases"), _read_words(vocab), 220)
        st.caption(_("… if its words had to begin with the letters"), width="content")
        _box(LETTERS, _("First letters of the translation's words"), _read_letters, 130)
    for key, read in ((WORDS, _read_words(vocab)), (LETTERS, _read_letters)):
        if problem := _problem(key, read):
            st.text(problem)
    if found.intervention.contains or found.intervention.initials:
        now, before = (trace.ranked(view.alpha, view.beta)[0].total for trace in (found, plain))
        st.caption(_cost(now, before))


def _hold(key: str, text: str) -> None:
    """A box holds what the address asks for, whoever asked. What is refused stays as typed."""
    if key not in st.session_state or st.session_state.get(f"{key} held") != text:
        st.session_state[f"{key} held"] = text
        st.session_state[key] = text


Read = Callable[[str], tuple[Constraint, ...]]


def _read_words(vocab: Vocab) -> Read:
    return lambda typed: constraints.phrases(typed, vocab)


def _read_letters(typed: str) -> tuple[Constraint, ...]:
    return (constraints.letters(typed),) if typed.strip() else ()


def _box(key: str, label: str, read: Read, width: int) -> None:
    # Without `max_chars`: a browser would drop a longer paste without a word.
    st.text_input(label, key=key, on_change=_ask, args=(key, read), label_visibility="collapsed", width=width)


def _problem(key: str, read: Read) -> str:
    """Why what stands in a box cannot be asked for; empty where it can, and for what the address asks for already."""
    typed = st.session_state[key] or ""
    try:
        if typed != st.session_state[f"{key} held"]:
            read(typed)
    except InterventionError as error:
        return str(error)
    return ""


def _ask(key: str, read: Read) -> None:
    try:
        asked = read(st.session_state[key] or "")
    except InterventionError:
        return
    before = asked_constraints()[0]
    after = (*_others(before, key), *asked)
    if after != before:
        acted({CONSTRAINTS.name: constraints.write(after)})


def _others(before: Sequence[Constraint], key: str) -> list[Constraint]:
    return [what for what in before if not (what.phrase if key == WORDS else what.letters)]


def _cost(now: float, before: float) -> str:
    """What the wish costs in log P, in words."""
    lost = before - now
    if abs(lost) < 5e-3:
        return _("That costs nothing: the free search finds the same log P, {log_p}.").format(log_p=signed(now, 3))
    if lost < 0:
        return _(
            "The search that had to obey found a likelier translation than the free one: log P {now} instead of "
            "{before}. The free search had dropped its beginning, or ranked it lower."
        ).format(now=signed(now, 3), before=signed(before, 3))
    times = math.exp(min(lost, 700))
    return _(
        "The wish costs {lost} in log P: {now} instead of {before}. To this model the free translation is {times} "
        "times as likely. Search kept the best beginnings of every number of wished-for parts (grid beam search)."
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
