"""Shared by the panes that the page draws itself: their tabs, and sentences about a link."""

from collections.abc import Iterable

import streamlit as st

from nmtcore.views.heads.messages import MESSAGES
from nmtcore.views.parameters import PANES
from pages.common.address import as_linked, control
from pages.common.component import localized
from pages.common.controls import show_notes
from pages.transformer.state import TransformerState

SAID = 3  # sentences about a link


def pane_tabs(state: TransformerState) -> None:
    """The tabs, as beside the picture of the heads."""
    messages = localized(MESSAGES)
    with st.container(horizontal=True, vertical_alignment="center", key="layer panes"):
        st.segmented_control(
            messages["panes"],
            PANES,
            required=True,
            format_func=lambda name: messages[f"pane_{name}"],
            label_visibility="collapsed",
            **control(state, "pane"),
        )


def show_lacking(lacking: Iterable[tuple[str, str]]) -> None:
    """Say what a link asks for that this translation lacks, not what was asked of another. lacking: fields of the
    state, each with a sentence."""
    said = [says for field, says in lacking if as_linked(TransformerState, field, "choice", "typed", "beam")]
    show_notes(*said[:SAID])
