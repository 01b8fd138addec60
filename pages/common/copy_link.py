"""A button that copies the page's address: every control is in it, so the link reopens what is on the screen.

Then it shows the link's QR code for phones or, if no other device can open it, how to make that possible.
"""

from pathlib import Path

import streamlit as st

from nmtcore.views import bundle
from pages.common.i18n import _
from pages.server.classroom import page_address, poster, public_link

FOLDER = Path(__file__).parent

_component = st.components.v2.component(
    "copy_link",
    js=bundle.script(FOLDER / "copy_link.js"),
    css=bundle.style(FOLDER / "quiet_button.css"),
)


def copy_link_button() -> None:
    """Draw the button."""
    words = {"copy": _("Copy link"), "copied": _("Copied"), "failed": _("Copy it from the address bar")}
    data = {**words, "origin": public_link(page_address())}
    reported = _component(key="copy link", data=data, width="content", on_opened_change=_heard)
    if isinstance(reported.opened, str):
        st.dialog(_("Link to this view"))(show_link)(reported.opened)


def show_link(opened: str) -> None:
    """The contents of the dialog. opened: the page's address in the browser that asks."""
    if address := public_link(opened):
        poster(address, "0.9rem")
        return
    st.text(_("The link is copied, but it opens on this computer only: 127.0.0.1 is this computer's name for itself."))
    st.text(
        _(
            "To let others open it, end the app (Ctrl-C) and start it with make classroom: then this button copies the "
            "classroom's address and shows its QR code."
        )
    )


def _heard() -> None:
    """Nothing: a trigger only reaches the page if it has a callback."""
