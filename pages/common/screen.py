"""How the screen shows a page, as a part of its state: the guided tour's step, projection, and the pinned picture.

The browser writes the first two without a run of the page.
"""

from __future__ import annotations

from dataclasses import dataclass

from pages.common.link_parameters import PIN, PROJECTION, TOUR
from pages.common.state import State, stated


@dataclass(frozen=True)
class Screen(State):
    """tour: the step of the guided tour, from 1, 0 for none; projection: of the page's picture, alone or beside the
    pinned one; pin: that picture, as `page?its own parameters`."""

    tour: int = stated(TOUR)
    projection: str = stated(PROJECTION)
    pin: str = stated(PIN)
