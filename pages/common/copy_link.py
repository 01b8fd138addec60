"""A button that copies the page's address: every control is in it, so the link reopens what is on the screen."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from nmtcore.views import bundle
from pages.common.i18n import _

SCRIPT = Path(__file__).with_suffix(".js")

CSS = """
button {
  font: inherit; font-size: 0.875rem; color: var(--st-text-color); background: none; border: 0; padding: 0;
  display: block; line-height: 1.4; cursor: pointer;
  text-decoration: underline dotted; text-underline-offset: 0.2em; white-space: nowrap;
}
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 3px; border-radius: 2px; }
"""

_component = st.components.v2.component(
    "copy_link", html='<button type="button"></button>', js=bundle.script(SCRIPT), css=CSS
)


def copy_link(key: str = "copy link") -> None:
    """Draw the button."""
    words = {"copy": _("copy link"), "copied": _("copied"), "failed": _("copy it from the address bar")}
    _component(key=key, data=words, width="content")
