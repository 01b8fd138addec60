"""The alignment panels on a page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from nmtcore.views.alignment.data import Panel, data
from nmtcore.views.alignment.messages import MESSAGES
from pages.common.component import Link, localized, mount
from pages.common.link_parameters import PICK, PICK_STEP, PICK_VIEW


def draw_alignment(panels: Sequence[Panel], *, key: str, **settings: Any) -> None:
    """Draw the panels, linked; picking costs the server nothing. settings: as of `nmtcore.views.alignment.data`.

    A compact picture, one beside others, leaves the address alone.
    """
    link: Link = {} if settings.get("compact") else {"pick": PICK, "view": PICK_VIEW, "step": PICK_STEP}
    mount("alignment", partial(data, panels, messages=localized(MESSAGES), **settings), key=key, link=link)
