"""State of the No attention page."""

from __future__ import annotations

from dataclasses import dataclass

from pages.common.question import Question
from pages.common.screen import Screen
from pages.common.state import part
from pages.common.vectors import VectorsState


@dataclass(frozen=True)
class NoAttentionState(VectorsState):
    """What can be chosen on the page."""

    question: Question = part(Question, offers="none")
    screen: Screen = part(Screen)
