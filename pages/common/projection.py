"""Projection: a page's picture fills the window in large type, without sidebar and controls; beside it a pinned one.

The link says it (`projection=on`, or `projection=beside` with a `pin`), and the browser alone writes it, without a run
of the page. The key P and a link in the page's quiet row begin it, Escape ends it.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from nmtcore.views import bundle
from pages.common import registry
from pages.common.component import page_component
from pages.common.controls import show_notes
from pages.common.i18n import _
from pages.common.link_parameters import PIN, PROJECTION
from pages.common.pinned import asked_pin, read_pin
from pages.common.tour import css_key

FOLDER = Path(__file__).parent
KEY = "projection"

# Not isolated: it hides the page around the picture.
_projection = page_component("projection", css=bundle.style(FOLDER / "projection.css"), isolate_styles=False)


def offer_projection(page: str, *pictures: str, sentence: str = "") -> None:
    """Let a person project the first of the `pictures` that is there, by their keys, and pin it. page: its name."""
    pinned, notes = asked_pin()
    show_notes(*notes)

    def pin() -> None:
        asked = st.session_state[KEY].get("pin")
        if not isinstance(asked, str):
            return
        picture = read_pin(f"{page}?{asked.removeprefix('?')}") if asked != "none" else None
        PIN.write(picture.code if picture else "")

    title = next(entry.title() for entry in registry.PAGES if entry.name == page)
    data = {
        "keys": [css_key(key) for key in pictures],
        "title": " · ".join(filter(None, (title, sentence))),
        "pin": {"address": pinned.address, "title": pinned.title} if pinned else None,
        "words": {"leave": _("Leave the projection (Esc)")},
        "link": {"mode": PROJECTION.to_json()},
    }
    _projection(key=KEY, data=data, height="content", on_pin_change=pin)
