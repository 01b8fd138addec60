"""A button that copies the page's address: every control is in it, so the link reopens what is on the screen."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from nmtcore.views import bundle
from pages.common.i18n import _

FOLDER = Path(__file__).parent

_component = st.components.v2.component(
    "copy_link",
    html='<button type="button"></button>',
    js=bundle.script(FOLDER / "copy_link.js"),
    css=bundle.style(FOLDER / "quiet_button.css"),
)


def copy_link_button(key: str = "copy link") -> None:
    """Draw the button."""
    words = {
        "copy": _("copy link"),
        "copied": _("copied"),
        "here": _("copied; it opens on this computer only: make classroom opens the app to others"),
        "failed": _("copy it from the address bar"),
    }
    _component(key=key, data=words, width="content")
