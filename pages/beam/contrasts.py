"""Sentences of our own in which greedy and beam search differ, found for the shipped models by `analysis.contrast`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pages.common.i18n import _

FILE = Path(__file__).with_name("contrasts.json")


@dataclass(frozen=True)
class Contrast:
    """A sentence and, in a few words, what greedy does with it."""

    name: str
    text: str


def contrast_sentences(model: str) -> tuple[Contrast, ...]:
    """The contrasts of one model, by its id; none for a model that has not been searched."""
    found = _read().get(model, {"sentences": []})["sentences"]
    kinds = [one["kind"] for one in found]
    return tuple(Contrast(_name(kinds[i], kinds[i] in kinds[:i]), one["text"]) for i, one in enumerate(found))


def first_model(pair: str) -> str:
    """The architecture whose contrast opens a pair; empty where none was found."""
    offered = [model for model, found in _read().items() if model.startswith(f"{pair}/") and found["sentences"]]
    return max(offered, key=lambda model: _read()[model]["sentences"][0]["mean"]).rpartition("/")[2] if offered else ""


@cache
def _read() -> dict[str, dict]:
    return json.loads(FILE.read_text(encoding="utf-8"))["models"] if FILE.exists() else {}


def _name(kind: str, again: bool) -> str:
    if again:
        return _("another one")
    names = {
        "greedy_shorter": _("greedy is shorter"),
        "repetition": _("greedy repeats itself"),
        "garden_path": _("greedy misses a likelier one"),
        "beam_shorter": _("beam is shorter"),
        "search_error": _("beam loses the likelier one"),
        "length_penalty": _("α decides"),
    }
    return names[kind]
