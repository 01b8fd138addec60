"""A box for the first words of the translation: forced decoding of a typed prefix."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nmtcore.errors import InterventionError
from nmtcore.text.vocabulary import Vocab
from pages.beam import constraints
from pages.beam.constraints import Constraint
from pages.beam.search_link import acted, asked_constraints
from pages.common.i18n import _
from pages.common.link_parameters import CONSTRAINTS


def beginning_box(vocab: Vocab) -> None:
    """A box for the first words of the translation: search goes on from them. An empty one ends that what-if."""
    held = _held(asked_constraints()[0])
    _show_held(held, vocab)
    with st.container(key="begin", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_("What if the translation began with"), width="content")
        # Without `max_chars`: a browser would drop a longer paste without a word.
        typed = st.text_input(
            _("First words of the translation"),
            key="beginning",
            on_change=_begin,
            args=(vocab,),
            label_visibility="collapsed",
            width=320,
        )
    try:
        if typed and typed != st.session_state["beginning held"][1]:
            constraints.beginning(typed, vocab)
    except InterventionError as error:
        st.text(str(error))
        if held:
            st.text(_("Until then the what-if stands: {what}.").format(what=held.sentence(vocab)))


def _held(asked: Sequence[Constraint]) -> Constraint | None:
    """The beginning that search goes on from: the last one that was asked for."""
    return next((what for what in reversed(asked) if what.beginning), None)


def _show_held(held: Constraint | None, vocab: Vocab) -> None:
    """The box holds that beginning, whoever asked for it: link, box or tree. What is refused stays as typed."""
    code, text = (held.code, held.typed(vocab)) if held else ("", "")
    if "beginning" not in st.session_state or st.session_state.get("beginning held") != (code, text):
        st.session_state["beginning held"] = (code, text)
        st.session_state["beginning"] = text


def _begin(vocab: Vocab) -> None:
    typed = (st.session_state["beginning"] or "").strip()
    try:
        asked = (constraints.beginning(typed, vocab),) if typed else ()
    except InterventionError:
        return
    before = asked_constraints()[0]
    after = (*(what for what in before if not what.beginning), *asked)
    if after != before:
        acted({CONSTRAINTS.name: constraints.write(after)})
