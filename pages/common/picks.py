"""What is picked in the alignment panels, as a part of a page's state: the browser writes it without a run."""

from __future__ import annotations

from dataclasses import dataclass

from pages.common.link_parameters import PICK, PICK_STEP, PICK_VIEW
from pages.common.state import State, stated


@dataclass(frozen=True)
class Picks(State):
    """pick: a panel with a row, a column or a cell; pick_view: how the panels are drawn; pick_step: of the decoding."""

    pick: str = stated(PICK)
    pick_view: tuple[str, ...] = stated(PICK_VIEW)
    pick_step: int = stated(PICK_STEP)
