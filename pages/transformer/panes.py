"""The panes that the page draws itself, in the place of the picture of the heads: their tabs, and the way to them."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from nmtcore.views.heads.head import Head
from nmtcore.views.heads.messages import MESSAGES
from pages.common.component import localized
from pages.common.link_parameters import (
    ATTENTION_RUN,
    HEAD,
    OFF,
    PANE,
)
from pages.transformer.heads_link import HeadsLink


def enter_pane(pane: str, now: HeadsLink, opening: Head) -> None:
    """Write into the address what the browser knew of the heads: the picture that kept it is not drawn now."""
    HEAD.write("" if now.head == opening else now.head.code)
    OFF.write(tuple(head.code for head in now.off))
    ATTENTION_RUN.write(now.run)
    PANE.write(pane)
    with suppress(KeyError):
        del st.session_state["heads"]  # what it asked for has been answered; from here on the address counts


def pane_tabs(pane: str) -> None:
    """The tabs, as they stand beside the picture of the heads."""
    messages = localized(MESSAGES)
    st.session_state["pane tabs"] = pane

    def changed() -> None:
        PANE.write(st.session_state["pane tabs"] or pane)

    with st.container(horizontal=True, vertical_alignment="center", key="layer panes"):
        st.segmented_control(
            messages["panes"],
            PANE.options,
            key="pane tabs",
            format_func=lambda name: messages[f"pane_{name}"],
            on_change=changed,
            label_visibility="collapsed",
        )
