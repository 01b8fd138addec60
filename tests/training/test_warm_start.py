"""train --warm-start: a second training begins with the weights of the first, and says so."""

from pathlib import Path

import pytest
import torch

from nmtcore.__main__ import main
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import own_weights

COLOURS = {"red": "rouge", "green": "vert", "black": "noir", "blue": "bleu", "pink": "rose", "brown": "brun"}
NOUNS = {"cat": "chat", "dog": "chien", "book": "livre", "pen": "stylo", "hat": "chapeau", "coat": "manteau"}
SETTINGS = ["--architecture", "dot", "--embedding", "8", "--units", "8", "--batch-tokens", "200", "--precision", "fp32"]
BEGUN = "runs/models/en-fr/begun"


@pytest.fixture
def train(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command, in a folder where a first model has been trained."""
    monkeypatch.chdir(tmp_path)
    rows = [f"the {c} {n}\tle {COLOURS[c]} {NOUNS[n]}" for c in COLOURS for n in NOUNS]
    (tmp_path / "pairs.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    command = ["train", "--pairs", "pairs.tsv", *SETTINGS]
    assert main([*command, "--vocab-size", "60", "--epochs", "2", "--out", BEGUN]) == 0
    return command


def test_it_begins_where_the_first_one_ended(train: list[str], tmp_path: Path) -> None:
    warm = ["--warm-start", BEGUN, "--out", "en-fr/dot"]
    plain = ["train", "--pairs", "pairs.tsv", "--batch-tokens", "200", "--precision", "fp32"]  # settings as it has them
    assert main([*plain, *warm, "--dropout", "0.5", "--learning-rate", "1e-12", "--epochs", "1"]) == 0
    first, second = (checkpoint.load(tmp_path / folder) for folder in (BEGUN, "en-fr/dot"))
    for (name, before), after in zip(own_weights(first.model).items(), own_weights(second.model).values(), strict=True):
        torch.testing.assert_close(after, before, atol=1e-6, rtol=0, msg=name)
    before, after = first.meta["trained"], second.meta["trained"]
    assert after["begun"] == {"epochs": 2.0, "seconds": before["seconds"]} and after["epochs"] == 1.0
    card = (tmp_path / "en-fr" / "dot" / "card.md").read_text(encoding="utf-8")
    assert "epoch 1.0, after a warm start from 2.0 epochs" in card
    (command,) = [line for line in card.splitlines() if "Command" in line]
    assert f"--warm-start {BEGUN}" in command


def test_the_time_of_all_that_went_before_is_kept(train: list[str], tmp_path: Path) -> None:
    vocab = ["--vocab", f"{BEGUN}/vocab.model", "--epochs", "1"]
    assert main([*train, *vocab, "--warm-start", BEGUN, "--out", "en-fr/second"]) == 0
    assert main([*train, *vocab, "--warm-start", "en-fr/second", "--out", "en-fr/third"]) == 0
    assert checkpoint.load(tmp_path / "en-fr" / "third").meta["trained"]["begun"]["epochs"] == 3.0


@pytest.mark.parametrize("other", [["--units", "12"], ["--architecture", "additive"]])
def test_another_shape_is_refused(train: list[str], capsys: pytest.CaptureFixture[str], other: list[str]) -> None:
    capsys.readouterr()
    assert main([*train, "--warm-start", BEGUN, "--out", "en-fr/dot", *other]) == 2
    assert "has another shape" in capsys.readouterr().err


def test_another_vocabulary_of_the_same_size_is_refused(
    train: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vocab = tmp_path / BEGUN / "vocab.model"
    other = tmp_path / "other.model"
    changed = vocab.read_bytes().replace(b"\x0a\x01b\x15", b"\x0a\x01~\x15")  # the piece "b" becomes "~"
    assert changed != vocab.read_bytes()
    other.write_bytes(changed)
    capsys.readouterr()
    assert main([*train, "--warm-start", BEGUN, "--vocab", str(other), "--out", "en-fr/dot"]) == 2
    assert "has another vocabulary: leave --vocab away" in capsys.readouterr().err


def test_the_model_it_begins_with_is_not_written_over(train: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main([*train, "--vocab", f"{BEGUN}/vocab.model", "--warm-start", BEGUN, "--out", f"./{BEGUN}/"]) == 2
    assert "write the new model to another folder" in capsys.readouterr().err


def test_no_model_is_a_sentence(train: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main([*train, "--vocab-size", "60", "--warm-start", "nowhere", "--out", "en-fr/dot"]) == 2
    assert "There is no model folder nowhere" in capsys.readouterr().err
