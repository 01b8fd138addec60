"""Whether the models side by side have learned from the same rows; where not, the page says so above the pictures."""

from __future__ import annotations

from collections.abc import Iterable

from nmtcore.models.checkpoint import numbers
from pages.common import models
from pages.common.i18n import _


def different_lessons(ids: Iterable[str]) -> str:
    """A sentence that names the models with more rows than the others; empty where all had the same."""
    rows = {model: int(numbers(models.settings(model)[1], "data", "added").get("rows", 0)) for model in ids}
    most = max(rows.values(), default=0)
    more = [models.heading(model, models.architecture(model)) for model, count in rows.items() if count == most]
    if len(more) == len(rows):
        return ""
    sentence = _(
        "{models} learned from {count} rows beside the common ones, more than the others: what differs between the "
        "columns is lessons as well as architecture."
    )
    return sentence.format(models=", ".join(more), count=f"{most:,}")
