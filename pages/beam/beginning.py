"""A box for the first words of the translation: forced decoding of a typed prefix."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from nmtcore.errors import InterventionError
from nmtcore.text.vocabulary import Vocab
from pages.beam import constraints
from pages.beam.constraints import Constraint
from pages.beam.state import BeamState
from pages.common.address import change_state, entry
from pages.common.i18n import _


def beginning_box(state: BeamState, vocab: Vocab) -> None:
    """A box for the first words of the translation: search goes on from them. An empty one ends that what-if."""
    held = next((what for what in reversed(state.constraints) if what.beginning), None)
    shown = held.typed(vocab) if held else ""

    def begin(typed: str) -> None:
        with suppress(InterventionError):  # said below: what is refused stays as typed
            change_state(BeamState, **begun(state, typed, vocab))

    with st.container(key="begin", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_("What if the translation began with"), width="content")
        # Without `max_chars`: a browser would drop a longer paste without a word.
        typed = st.text_input(
            _("First words of the translation"),
            label_visibility="collapsed",
            width=320,
            **entry("beginning", shown, begin, of=held.code if held else ""),
        )
    try:
        if typed and typed != shown:
            constraints.beginning(typed, vocab)
    except InterventionError as error:
        st.text(str(error))
        if held:
            st.text(_("Until then the what-if stands: {what}.").format(what=held.sentence(vocab)))


def begun(state: BeamState, typed: str, vocab: Vocab) -> dict[str, tuple[str, ...]]:
    """What a typed beginning changes in the state. Raises InterventionError for one that cannot be forced."""
    asked: tuple[Constraint, ...] = (constraints.beginning(typed, vocab),) if typed.strip() else ()
    return state.constrained((*(what for what in state.constraints if not what.beginning), *asked))
