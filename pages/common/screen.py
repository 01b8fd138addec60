"""How a page is presented, as a part of its state: the guided tour's step, projection, and the pinned picture.

The browser writes the first two without a run of the page.
"""

from dataclasses import dataclass

from nmtcore.views.kit.link_state import QUOTED, Choice, Text, Whole
from pages.common.i18n import _
from pages.common.state import State, stated

# The page decides how many steps its tour has; the tour itself says if it lacks a step.
TOUR = Whole("tour", 0, 1, 10)
PROJECTION = Choice(
    "projection", "", ("on", "beside"),
    wrong=lambda asked: _(
        "The link asks for the projection {name}, which is neither on nor beside: the page is shown."
    ).format(name=repr(asked[:QUOTED])),
)  # fmt: skip
PIN = Text("pin", "")


@dataclass(frozen=True)
class Screen(State):
    """tour: the step of the guided tour, from 1, 0 for none; projection: of a picture of the page, alone or beside the
    pinned one; picture: which, by its key, empty for the first; pin: the other, as `page?its own parameters`."""

    tour: int = stated(TOUR)
    projection: str = stated(PROJECTION)
    picture: str = stated(Text("picture", ""))
    pin: str = stated(PIN)
