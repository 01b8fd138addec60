"""The head of a model that stands for its alignment, by the model's id."""

from nmtcore.analysis import aligning_head as analysis
from pages.common import models


def aligning_head(model: str) -> tuple[int, int] | None:
    """Layer and head, counted from 0, that align best in the test of this model's card; None without one."""
    return analysis.aligning_head(*models.settings(model))
