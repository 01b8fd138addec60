"""The links that begin the guided tour, project the page's picture and pin it, in the page's quiet row."""

from pathlib import Path

import streamlit as st

from nmtcore.views import bundle
from pages.common.address import read_state
from pages.common.i18n import _
from pages.common.screen import Screen

_links = st.components.v2.component(
    "picture_links",
    html="<span></span>",
    js=bundle.script(Path(__file__).with_suffix(".js")),
    css=bundle.style(Path(__file__).with_suffix(".css")),
)


def picture_links() -> None:
    """Draw the links. Each is seen only where the page has a tour, or a picture to project."""
    links = [
        ("guided-tour", _("Guided tour"), ""),
        (
            "project-picture",
            _("Project"),
            _("Fill the screen with the picture (P). Page Down shows the next one, Escape leaves"),
        ),
        ("pin-picture", _("Pin"), _("Keep this picture, as it is now, to see another one beside it")),
    ]
    if read_state(Screen)[0].pin:
        beside = _("Fill the screen with the pinned picture and the present one, side by side; Escape leaves")
        links += [
            ("beside-picture", _("Side by side"), beside),
            ("unpin-picture", _("Unpin"), _("Forget the pinned picture")),
        ]
    data = {"links": [{"name": name, "says": says, "hint": hint} for name, says, hint in links]}
    _links(key="picture-links", data=data, width="content")
