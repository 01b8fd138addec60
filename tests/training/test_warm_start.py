"""train --warm-start: a second training begins with the weights of the first, and says so."""

from pathlib import Path

import pytest
import torch

from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import own_weights
from tests.helpers import Run, refused

SETTINGS = ["--architecture", "dot", "--embedding", "8", "--units", "8", "--batch-tokens", "200", "--precision", "fp32"]
BEGUN = "runs/models/en-fr/begun"


@pytest.fixture
def train(pairs: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command, in a folder where a first model has been trained."""
    monkeypatch.chdir(pairs.parent)
    command = ["train", "--pairs", pairs.name, *SETTINGS]
    assert run(*command, "--vocab-size", "60", "--epochs", "2", "--out", BEGUN)[0] == 0
    return command


def test_it_begins_where_the_first_one_ended(train: list[str], run: Run, tmp_path: Path) -> None:
    warm = ["--warm-start", BEGUN, "--out", "en-fr/dot"]
    plain = ["train", "--pairs", "pairs.tsv", "--batch-tokens", "200", "--precision", "fp32"]  # settings as it has them
    assert run(*plain, *warm, "--dropout", "0.5", "--learning-rate", "1e-12", "--epochs", "1")[0] == 0
    first, second = (checkpoint.load(tmp_path / folder) for folder in (BEGUN, "en-fr/dot"))
    for (name, before), after in zip(own_weights(first.model).items(), own_weights(second.model).values(), strict=True):
        torch.testing.assert_close(after, before, atol=1e-6, rtol=0, msg=name)
    before, after = first.meta["trained"], second.meta["trained"]
    assert after["begun"] == {"epochs": 2.0, "seconds": before["seconds"]} and after["epochs"] == 1.0
    card = (tmp_path / "en-fr" / "dot" / "card.md").read_text(encoding="utf-8")
    assert "epoch 1.0, after a warm start from 2.0 epochs" in card
    (command,) = [line for line in card.splitlines() if "Command" in line]
    assert f"--warm-start {BEGUN}" in command


def test_the_time_of_all_that_went_before_is_kept(train: list[str], run: Run, tmp_path: Path) -> None:
    vocab = ["--vocab", f"{BEGUN}/vocab.model", "--epochs", "1"]
    assert run(*train, *vocab, "--warm-start", BEGUN, "--out", "en-fr/second")[0] == 0
    assert run(*train, *vocab, "--warm-start", "en-fr/second", "--out", "en-fr/third")[0] == 0
    assert checkpoint.load(tmp_path / "en-fr" / "third").meta["trained"]["begun"]["epochs"] == 3.0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--warm-start", BEGUN, "--units", "12"), "has another shape"),
        (("--warm-start", BEGUN, "--architecture", "additive"), "has another shape"),
        (("--warm-start", BEGUN, "--vocab", "other.model"), "has another vocabulary: leave out --vocab"),
        (("--vocab", f"{BEGUN}/vocab.model", "--warm-start", BEGUN, "--out", f"./{BEGUN}/"), "to another folder"),
        (("--vocab-size", "60", "--warm-start", "nowhere"), "There is no model folder nowhere"),
    ],
)
def test_what_cannot_begin_is_said(train: list[str], run: Run, given: tuple[str, ...], message: str) -> None:
    vocab = Path(BEGUN, "vocab.model").read_bytes()
    changed = vocab.replace(b"\x0a\x01b\x15", b"\x0a\x01~\x15")  # the piece "b" becomes "~": of the same size
    assert changed != vocab
    Path("other.model").write_bytes(changed)
    refused(run(*train, "--out", "en-fr/dot", *given), message)
