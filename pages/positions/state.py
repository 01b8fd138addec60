"""State of the Positions page."""

from __future__ import annotations

from dataclasses import dataclass

from pages.common.examples import ORDER
from pages.common.question import Question
from pages.common.screen import Screen
from pages.common.state import State, part


@dataclass(frozen=True)
class PositionsState(State):
    """What can be chosen on the page."""

    question: Question = part(Question, offers="transformer", first=ORDER)
    screen: Screen = part(Screen)
