"""The alignment panels on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nmtcore.views.alignment.data import Panel, data
from nmtcore.views.alignment.messages import MESSAGES
from pages.common.component import localized, mount


def draw_alignment(panels: Sequence[Panel], *, key: str, **settings: Any) -> None:
    """Draw the panels, linked; picking costs the server nothing. settings: as of `nmtcore.views.alignment.data`."""
    mount("alignment", data(panels, messages=localized(MESSAGES), **settings), key=key)
