"""The table of all models: one row each, in the order of the pages, and blanks for numbers that were not measured."""

import json
from pathlib import Path

import pytest

from nmtcore.models import checkpoint
from tests.helpers import Run, refused


@pytest.fixture
def model_directory(model_folders: Path, tmp_path: Path) -> Path:
    measured = {
        "scores": {"bleu": 41.26, "chrf": 60.04},
        "alignments": {"best": {"aer": 0.23456}},
        "exact_alignments": {"best": {"aer": 0.34567}},
        "news_alignments": {"best": {"aer": 0.45678}},
        "robustness": {"right": 0.555},
        "copying": {"names": 0.875, "numbers": 0.9, "right": 0.89},
        "trained": {
            **{"epochs": 3.0, "seconds": 1800, "validation_loss": 1.23456},
            "begun": {"epochs": 5.0, "seconds": 3600},
        },
    }
    for architecture, meta in (("transformer", measured), ("none", {"alignments": None})):
        loaded = checkpoint.load(model_folders / "en-fr" / architecture)
        checkpoint.save(tmp_path / "en-fr" / architecture, loaded.model, loaded.vocab, {"source": "en", **meta})
    return tmp_path


def test_a_row_a_model(model_directory: Path, run: Run) -> None:
    rows = run("scores", "--models", model_directory)[1].splitlines()
    assert len(rows) == 4 and rows[0].startswith("| model | BLEU | chrF | AER | AER, exact | AER, news |")
    assert "(en-fr/none/card.md) |  |  |  |  |  |  |  |  |  |  |  | 0.0 |" in rows[2]
    cells = "41.3 | 60.0 | 0.235 | 0.346 | 0.457 | 56% | 88% | 90% | 8.0 | 1.5 | 1.235 | 0.0 |"
    assert f"(en-fr/transformer/card.md) | {cells}" in rows[3]


def test_into_a_file(model_directory: Path, tmp_path: Path, run: Run) -> None:
    table = run("scores", "--models", model_directory)[1]
    file = tmp_path / "README.md"
    file.write_text("Before\n<!-- scores -->\nold\n<!-- end of scores -->\nafter\n", encoding="utf-8")
    for _ in range(2):
        assert run("scores", "--models", model_directory, "--into", file)[0] == 0
    assert file.read_text(encoding="utf-8") == f"Before\n<!-- scores -->\n{table}<!-- end of scores -->\nafter\n"
    file.write_text("no marks\n", encoding="utf-8")
    refused(run("scores", "--models", model_directory, "--into", file), "once each")
    assert file.read_text(encoding="utf-8") == "no marks\n"
    refused(run("scores", "--models", tmp_path / "nowhere"), "nowhere")


@pytest.mark.parametrize("odd", [None, [], "x", 3, {"begun": [1], "epochs": "many", "bleu": None, "best": 4}])
def test_odd_values_are_as_if_not_measured(model_directory: Path, run: Run, odd: object) -> None:
    config = model_directory / "en-fr" / "none" / "config.json"
    content = json.loads(config.read_text(encoding="utf-8"))
    measured = ("trained", "scores", "alignments", "exact_alignments", "news_alignments", "robustness", "copying")
    content["meta"] |= dict.fromkeys(measured, odd)
    config.write_text(json.dumps(content), encoding="utf-8")
    assert (
        "(en-fr/none/card.md) |  |  |  |  |  |  |  |  |  |  |  | 0.0 |" in run("scores", "--models", model_directory)[1]
    )
