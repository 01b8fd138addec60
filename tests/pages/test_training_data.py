"""Translate says when its models have had different training data."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.pages.helpers import opened

CORPUS: dict[str, Any] = {"file": "pairs.tsv", "pairs": 9}


def captions(model_directory: Path, data: dict[str, dict[str, Any]]) -> str:
    """Translate's remarks if these models name this training data, and the others only the corpus."""
    for architecture in ("none", "additive", "dot", "transformer"):
        path = model_directory / "en-fr" / architecture / "config.json"
        settings = json.loads(path.read_text())
        settings["meta"]["data"] = data.get(architecture, CORPUS)
        path.write_text(json.dumps(settings))
    at = opened("translate", text="a red cat")
    assert not at.exception
    return "\n".join(f"{said.value}\n{said.help}" for said in at.markdown)


def beside(rows: int, **more: Any) -> dict[str, Any]:
    return {**CORPUS, "added": {"files": ["words.tsv"], "rows": rows}, **more}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (
            {"transformer": beside(37855), "dot": beside(12, distilled=5), "additive": beside(12, distilled=7)},
            "Training data: Transformer had the corpus and 37,855 more pairs; Additive, Dot had the corpus as "
            "translated by a teacher model and 12 more pairs; No attention had the corpus. Differences",
        ),
        (
            {"transformer": {**CORPUS, "synthetic": 1200}},
            "Transformer had the corpus and 1,200 more pairs; No attention, Additive, Dot had the corpus.",
        ),
        (
            {"dot": {**CORPUS, "file": "my_own.tsv"}, "none": {}},
            "No attention had pairs that were not recorded; Additive, Transformer had pairs\\.tsv; "
            "Dot had my\\_own\\.tsv.",
        ),
    ],
    ids=["three kinds", "one has more", "other corpora"],
)
def test_other_training_data_are_said(own_model_directory: Path, data: dict[str, dict[str, Any]], says: str) -> None:
    said = captions(own_model_directory, data)
    assert "These models were trained on different data." in said and says in said


@pytest.mark.parametrize("same", [beside(7), {}])
def test_the_same_training_data_need_no_word(own_model_directory: Path, same: dict[str, Any]) -> None:
    assert "different data" not in captions(
        own_model_directory, dict.fromkeys(("none", "additive", "dot", "transformer"), same)
    )
