"""The head that represents a model's alignment, by the model's id."""

from nmtcore.analysis import aligning_head as analysis
from pages.common import models


def aligning_head(model: str) -> tuple[int, int] | None:
    """Layer and head, counted from 0, that aligned best when the model was evaluated; None if it was not."""
    return analysis.aligning_head(*models.settings(model))
