"""The alignment panels on a page."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from nmtcore.views.alignment.data import Panel, data
from nmtcore.views.alignment.messages import MESSAGES
from pages.common.component import Slice, localized, mount
from pages.common.picks import PANELS
from pages.common.state import State

NONE: Mapping[str, str] = {}


def draw_alignment(
    panels: Sequence[Panel], *, key: str, state: State | None = None, acts: Mapping[str, str] = NONE, **settings: Any
) -> None:
    """Draw the panels, linked; picking costs the server nothing. settings: as of `nmtcore.views.alignment.data`.

    state: of a page with `Picks`, which the panels read and write; without it they leave the address alone.
    acts: further fields, by the panels' names for them; when one changes, the page runs.
    """
    picks = Slice(state, {**PANELS, **acts}, tuple(acts)) if state else None
    mount("alignment", partial(data, panels, messages=localized(MESSAGES), **settings), key=key, state=picks)
