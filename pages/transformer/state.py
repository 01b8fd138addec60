"""State of the Transformer page."""

from __future__ import annotations

from dataclasses import dataclass

from pages.common import models
from pages.common.question import Question
from pages.common.screen import Screen
from pages.common.state import part
from pages.common.vectors import VectorsState


@dataclass(frozen=True)
class TransformerQuestion(Question):
    """The question of a page that needs the model's files."""

    offers: str = "transformer"

    @property
    def choices(self) -> tuple[str, ...]:
        return models.choices_on_disk("transformer")


@dataclass(frozen=True)
class TransformerState(VectorsState):
    """What can be chosen on the page."""

    question: Question = part(TransformerQuestion)
    screen: Screen = part(Screen)
