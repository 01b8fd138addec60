"""State of the Fine-tune page."""

from __future__ import annotations

from dataclasses import dataclass

from pages.common.screen import Screen
from pages.common.state import State, part


@dataclass(frozen=True)
class FinetuneState(State):
    """What can be chosen on the page."""

    screen: Screen = part(Screen)
