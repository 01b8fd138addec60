"""The training data of the models side by side; if it differs, the page says so above the pictures."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from nmtcore.models.checkpoint import meta_numbers
from pages.common import models
from pages.common.i18n import _
from pages.common.text import not_markdown


class ModelData(NamedTuple):
    """The training data named in a model's config.json: its corpus, and additional rows."""

    corpus: str  # name of its file; empty if config.json has none, as for a model trained in the app
    distilled: bool  # its targets are a teacher's translations (Kim and Rush 2016)
    more: int  # rows of other files and of models' translations beside it


def training_data_note(ids: Iterable[str]) -> str:
    """A sentence about the training data of each model; empty if all had the same."""
    groups: dict[ModelData, list[str]] = {}
    for model in ids:
        headings = groups.setdefault(_model_data(models.settings(model)[1]), [])
        headings.append(models.heading(model))
    if len(groups) < 2:
        return ""
    several = len({data.corpus for data in groups if data.corpus}) > 1
    parts = [
        _("{models} had {pairs}").format(models=", ".join(headings), pairs=_in_words(data, several))
        for data, headings in sorted(groups.items(), key=lambda group: -group[0].more)
    ]
    sentence = _(
        "Training data: {parts}. Differences between these models can come from the data as well as "
        "from the architecture."
    )
    return sentence.format(parts="; ".join(parts))


def _model_data(meta: dict[str, Any]) -> ModelData:
    data = meta.get("data")
    if not isinstance(data, dict) or not data.get("file"):
        return ModelData("", False, 0)
    counts = meta_numbers(meta, "data")
    more = counts.get("synthetic", 0) + meta_numbers(meta, "data", "added").get("rows", 0)
    return ModelData(str(data["file"]), bool(counts.get("distilled")), int(more))


def _in_words(data: ModelData, several: bool) -> str:
    """A model's training pairs in words. several: whether the models have more than one corpus, so that it is named."""
    if not data.corpus:
        return _("pairs that were not recorded")
    pairs = not_markdown(data.corpus) if several else _("the corpus")
    if data.distilled:
        pairs = _("{corpus} as translated by a teacher model").format(corpus=pairs)
    return _("{pairs} and {count} more pairs").format(pairs=pairs, count=f"{data.more:,}") if data.more else pairs
