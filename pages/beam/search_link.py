"""Link parameters of the Beam search page beside its question row: how the tree opens, constraints on the search."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from nmtcore.errors import InterventionError
from nmtcore.views.beam_tree.data import View
from pages.beam import constraints
from pages.beam.constraints import Constraint
from pages.common.link_parameters import (
    ALPHA,
    BETA,
    CANDIDATE,
    CONSTRAINTS,
    DROPPED,
    LATER,
    SEARCH_STEP,
    TRUTH,
    WIDTHS,
)
from pages.common.link_state import forget, write_text


def asked_view() -> tuple[View, tuple[str, ...]]:
    """How the tree opens, as the address says, and a sentence about each part of it that cannot be."""
    view = View(ALPHA.read(), BETA.read(), SEARCH_STEP.read(), LATER.read() == "shown", DROPPED.read())
    return view, tuple(note for parameter in (ALPHA, BETA, SEARCH_STEP, DROPPED) for note in parameter.note())


def asked_constraints() -> tuple[tuple[Constraint, ...], tuple[str, ...]]:
    """The constraints in the address, and a sentence about each that cannot be read."""
    found: list[Constraint] = []
    notes: list[str] = []
    for code in CONSTRAINTS.items():
        try:
            found.extend(constraints.read(code))
        except InterventionError as error:
            notes.append(str(error))
    return tuple(found), tuple(notes)


def asked_candidate() -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The beginning that is compared with the winner, as token ids, and a sentence where it cannot be read."""
    return tuple(map(int, CANDIDATE.read())), CANDIDATE.note()


def shows_scores() -> bool:
    """Whether a section below the tree is open whose scores have the tree's penalties: teacher forcing, widths."""
    return bool(TRUTH.asked() or st.session_state.get(TRUTH.name) or WIDTHS.read())


def acted(changes: Mapping[str, str]) -> None:
    """What a click in the tree changes: constraints, candidate; alpha and beta are those that it was made with."""
    if CONSTRAINTS.name in changes:
        forget(SEARCH_STEP, LATER, CANDIDATE)
    for parameter in (CONSTRAINTS, CANDIDATE, ALPHA, BETA):
        text = changes.get(parameter.name)
        if text == "":
            forget(parameter)
        elif text is not None and parameter.parse(text) is not None:  # the browser may send any text
            write_text(parameter.name, text)


def forget_search() -> None:
    """Constraints and steps are of one search: they go when another is asked for."""
    forget(CONSTRAINTS, CANDIDATE, SEARCH_STEP, LATER)
    st.session_state["beginning"] = ""


def forget_truth() -> None:
    """The right translation is of one sentence: it goes when an example or another language takes its place."""
    st.session_state[TRUTH.name] = ""
