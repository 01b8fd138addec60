"""Disclosure button: opens and closes a section of a page that is folded away until somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from pages.common.link_state import Parameter

T = TypeVar("T")


def disclosure_button(parameter: Parameter[T], opens: Callable[[], T], *, show: str, hide: str, key: str) -> bool:
    """Draw the button and tell whether the section is open, which is so where the address has the parameter.

    opens: makes the value that the button writes, when it is pressed and not before; show, hide: its labels.
    """
    shown = parameter.read() != parameter.default

    def toggle() -> None:
        parameter.write(parameter.default if shown else opens())

    st.button(hide if shown else show, key=key, type="tertiary", on_click=toggle)
    return shown
