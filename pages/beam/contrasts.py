"""Sentences of our own in which greedy and beam search differ, found for the shipped models by `make contrasts`."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from nmtcore.config import ARCHITECTURES, Architecture, DecodingConfig
from pages.common.examples import Example
from pages.common.i18n import _

FILE = Path(__file__).with_name("contrasts.json")


def contrast_sentences(model: str) -> tuple[Example, ...]:
    """The sentences of one model, by its id, each with a few words about what greedy does with it; often none."""
    sentences = _sentences(model)
    kinds = [one["kind"] for one in sentences]
    return tuple(Example(_name(kinds[i], kinds[:i].count(kinds[i])), one["text"]) for i, one in enumerate(sentences))


def alpha_of(model: str, text: str) -> float:
    """The length penalty at which a model's sentence makes its point; the usual one for other sentences."""
    point = next((one for one in _sentences(model) if one["text"] == text), {})
    return float(point.get("alpha", DecodingConfig.alpha))


def first_model(pair: str) -> Architecture | None:
    """The architecture whose contrast opens a pair: the surest among the core ones with attention, then others.

    None if a pair has none.
    """
    sentences = {name: _sentences(f"{pair}/{name}") for name in ARCHITECTURES}

    def worth(name: Architecture) -> tuple[bool, bool, float]:
        return ARCHITECTURES[name].attention, ARCHITECTURES[name].core, sentences[name][0]["mean"]

    return max((name for name in ARCHITECTURES if sentences[name]), key=worth, default=None)


def _sentences(model: str) -> list[dict[str, Any]]:
    sentences: list[dict[str, Any]] = _read().get(model, {"sentences": []})["sentences"]
    return sentences


@cache
def _read() -> dict[str, dict[str, Any]]:
    if not FILE.exists():
        return {}
    models: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["models"]
    return models


def _name(kind: str, before: int) -> str:
    """before: how many of the same kind precede it."""
    names = {
        "greedy_shorter": _("greedy is shorter"),
        "repetition": _("greedy repeats"),
        "garden_path": _("greedy is misled"),
        "beam_shorter": _("beam search is shorter"),
        "search_error": _("a search error"),
        "length_penalty": _("the length penalty decides"),
    }
    return f"{names[kind]} ({before + 1})" if before else names[kind]
