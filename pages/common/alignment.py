"""The alignment panels on a page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from nmtcore.views.alignment.data import Panel, data
from nmtcore.views.alignment.messages import MESSAGES
from pages.common.component import Slice, localized, mount
from pages.common.picks import PANELS
from pages.common.state import State


def draw_alignment(panels: Sequence[Panel], *, key: str, state: State | None = None, **settings: Any) -> None:
    """Draw the panels, linked; picking costs the server nothing. settings: as of `nmtcore.views.alignment.data`.

    state: of a page that has `Picks`, which the panels read and write; a picture beside others leaves them alone.
    """
    picks = Slice(state, PANELS) if state else None
    mount("alignment", partial(data, panels, messages=localized(MESSAGES), **settings), key=key, state=picks)
