"""State of the Architectures page."""

from __future__ import annotations

from dataclasses import dataclass

from pages.common.question import Question
from pages.common.registry import ANY
from pages.common.screen import Screen
from pages.common.state import State, part


@dataclass(frozen=True)
class ArchitecturesState(State):
    """What can be chosen on the page."""

    question: Question = part(Question, offers=ANY)
    screen: Screen = part(Screen)
