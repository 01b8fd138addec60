"""State of the pages about additive and dot attention."""

from __future__ import annotations

from dataclasses import dataclass

from pages.common.question import Question
from pages.common.screen import Screen
from pages.common.state import part
from pages.common.vectors import VectorsState


@dataclass(frozen=True)
class AdditiveState(VectorsState):
    """What can be chosen on the page about additive attention."""

    question: Question = part(Question, offers="additive")
    screen: Screen = part(Screen)


@dataclass(frozen=True)
class DotState(VectorsState):
    """What can be chosen on the page about dot attention."""

    question: Question = part(Question, offers="dot")
    screen: Screen = part(Screen)
