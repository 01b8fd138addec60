"""A box for the first words of the translation: prefix-constrained decoding."""

from contextlib import suppress

import streamlit as st

from nmtcore.errors import InterventionError
from nmtcore.text.vocabulary import Vocab
from pages.beam import constraints
from pages.beam.constraints import Constraint
from pages.beam.state import BeamState
from pages.common.address import change_state, entry
from pages.common.i18n import _


def prefix_box(state: BeamState, vocab: Vocab) -> None:
    """A box for the first words of the translation: search decodes on from them. An empty one lifts the constraint."""
    held = next((what for what in reversed(state.constraints) if what.prefix), None)
    shown = held.typed(vocab) if held else ""

    def force(typed: str) -> None:
        with suppress(InterventionError):  # said below: what is refused stays as typed
            change_state(BeamState, **with_prefix(state, typed, vocab))

    with st.container(key="begin", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_("What if the translation began with"), width="content")
        # Without `max_chars`: a browser would drop a longer paste without a word.
        typed = st.text_input(
            _("First words of the translation"),
            label_visibility="collapsed",
            width=320,
            **entry("prefix", shown, force, of=held.code if held else ""),
        )
    try:
        if typed and typed != shown:
            constraints.prefix(typed, vocab)
    except InterventionError as error:
        st.text(str(error))
        if held:
            st.text(_("Until then this constraint holds: {what}.").format(what=held.sentence(vocab)))


def with_prefix(state: BeamState, typed: str, vocab: Vocab) -> dict[str, tuple[str, ...]]:
    """What a typed prefix changes in the state. Raises InterventionError for one that cannot be forced."""
    asked: tuple[Constraint, ...] = (constraints.prefix(typed, vocab),) if typed.strip() else ()
    return state.constrained((*(what for what in state.constraints if not what.prefix), *asked))
