"""The chosen precision is reported: in the first line of a training, in its card, and by `runs`."""

from pathlib import Path

import pytest

from nmtcore.commands.runs import describe
from nmtcore.models.checkpoint import CARD, read_config
from nmtcore.runs.card import card_text
from nmtcore.runs.worker import Worker
from nmtcore.training import precision
from tests.helpers import Run
from tests.runs.helpers import make

pytestmark = pytest.mark.usefixtures("short_translations")
SIZES = ["--embedding", 8, "--units", 8, "--vocab-size", 60, "--max-steps", 2, "--batch-tokens", 200]


@pytest.mark.parametrize("units", [False, True])
def test_train_says_what_it_chose(
    run: Run, tmp_path: Path, pairs: Path, units: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(precision, "SMALL", 1)
    monkeypatch.setattr(precision, "has_bfloat16_units", lambda device: units)
    command = ["train", "--pairs", pairs, "--architecture", "dot", "--out", "en-fr/dot", *SIZES]
    code, _, err = run(*command)
    assert code == 0, err
    (first,) = (line for line in err.splitlines() if "weights, cpu" in line)
    assert first.endswith("matrix products in bfloat16." if units else "float32.")
    assert "no units" not in err
    _, meta = read_config(tmp_path / "en-fr" / "dot")
    assert meta["training"]["precision"] == ("bf16" if units else "fp32")
    assert f"precision {meta['training']['precision']}," in (tmp_path / "en-fr" / "dot" / CARD).read_text("utf-8")


def test_bfloat16_without_units_is_a_warning_or_for_an_lstm_refused(
    run: Run, tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(precision, "has_bfloat16_units", lambda device: False)
    command = ["train", "--pairs", pairs, "--architecture", "dot", "--precision", "bf16", *SIZES, "--out"]
    code, _, err = run(*command, "en-fr/dot")
    assert code == 0, err
    assert "has no units for bfloat16: a product of matrices takes " in err and " times as long as in float32" in err
    code, _, err = run(*command, "en-fr/lstm", "--cell", "lstm")
    assert code == 2 and "an LSTM cannot be trained in it: give --precision auto." in err.splitlines()[-1]


def test_a_run_says_it_and_so_does_its_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = make(tmp_path, training={"max_steps": 2, "precision": "auto"})
    assert "float" not in describe(one)
    Worker(one).work()
    assert one.config().training.precision == "auto"
    assert one.status().precision == "fp32" and ", cpu, float32 ·" in describe(one)
    assert ", precision fp32, " in card_text(one)
