"""Projection: a page's picture fills the window in large type, without sidebar and controls; beside it a pinned one.

The link says so (`projection=on`, or `projection=beside` with a `pin`; `picture` if it is not the first), and only the
browser writes it, without a run of the page. The key P and a link in the page's quiet row start it with the picture in
view, Page Down goes on to the next one, Escape ends it.
"""

from collections.abc import Collection

from pages.common import registry
from pages.common.address import change_state, read_state
from pages.common.component import fetched_component, reported
from pages.common.i18n import _
from pages.common.screen import PROJECTION, Screen, read_pin
from pages.common.tour import css_key

KEY = "projection"

# Not isolated: it hides the page around the picture.
_projection = fetched_component("projection", isolate_styles=False)


def offer_projection(page: str, *pictures: str, sentence: str = "", scrolled: Collection[str] = ()) -> None:
    """Let a person project, and pin, one of the `pictures` with these keys, or a figure.

    page: its name; scrolled: those that never shrink to be whole. A link that names no picture projects the first.
    """
    pinned = read_state(Screen)[0].pin

    def pin() -> None:
        asked = reported(KEY, "pin")
        if not isinstance(asked, str):
            return
        change_state(Screen, pin=read_pin(f"{page}?{asked.removeprefix('?')}") if asked != "none" else None)

    data = {
        "keys": [css_key(key) for key in pictures],
        "scrolled": [css_key(key) for key in scrolled],
        "title": " · ".join(filter(None, (registry.entry(page).title(), sentence))),
        "pin": {"address": pinned.address, "title": pinned.title} if pinned else None,
        "words": {
            "leave": _("Leave the projection (Esc)"),
            "which": _("picture {place} of {count}"),
            "steps": _("← → step"),
            "next": _("Page Down: next picture"),
            "leave_key": _("Esc: leave"),
        },
        "link": {"mode": PROJECTION.to_json(), "picture": Screen.parameters()["picture"].to_json()},
    }
    _projection(key=KEY, data=data, height="content", on_pin_change=pin)
