"""A quiet row of chips that chooses the models of the Translate page."""

from __future__ import annotations

import streamlit as st

from pages.common.address import change_state, control
from pages.common.examples import unseen_name
from pages.common.i18n import _
from pages.common.side_by_side import code, label, offered
from pages.common.text import not_markdown
from pages.translate.state import MOST, TranslateState


def model_chips(state: TranslateState) -> None:
    """Draw the row, and an example for the model that copies where there is one."""
    found = offered(state.question.choice)
    if len(found) < 2:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="models row"):
        st.caption(_("Models"), width="content")
        st.pills(
            _("Models"),
            tuple(found),
            selection_mode="multi",
            format_func=lambda name: label(found[name]),
            label_visibility="collapsed",
            width="content",
            **control(state, "models", value=tuple(map(code, state.chosen))),
        )
        if "copying" in found and (example := unseen_name(state.question.pair)):
            st.button(
                example.name,
                key="new name",
                type="tertiary",
                help=not_markdown(example.text),
                on_click=change_state,
                args=(TranslateState,),
                kwargs={"typed": example.text, "models": with_copying(state)},
            )


def with_copying(state: TranslateState) -> tuple[str, ...]:
    """The codes of the models with the copying one beside the others; where four are shown, the first makes way."""
    others = [name for name in map(code, state.chosen) if name != "copying"]
    return (*others[-MOST + 1 :], "copying")
