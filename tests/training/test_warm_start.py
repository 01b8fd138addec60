"""train --warm-start: a second training begins with the weights of the first, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from nmtcore.__main__ import main
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import CARD, WEIGHTS, own_weights

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
    warm = ["--warm-start", BEGUN, "--vocab", f"{BEGUN}/vocab.model", "--out", "en-fr/dot"]
    assert main([*train, *warm, "--dropout", "0.5", "--learning-rate", "1e-12", "--epochs", "1"]) == 0
    first, second = (checkpoint.load(tmp_path / folder) for folder in (BEGUN, "en-fr/dot"))
    for (name, before), after in zip(own_weights(first.model).items(), own_weights(second.model).values(), strict=True):
        torch.testing.assert_close(after, before, atol=1e-6, rtol=0, msg=name)
    before, after = first.meta["trained"], second.meta["trained"]
    assert after["begun"] == {"epochs": 2.0, "seconds": before["seconds"]} and after["epochs"] == 1.0
    card = (tmp_path / "en-fr" / "dot" / "card.md").read_text(encoding="utf-8")
    assert "epoch 1.0, after a warm start from 2.0 epochs" in card
    (command,) = [line for line in card.splitlines() if "Command" in line]
    assert f"--warm-start {BEGUN}" in command


def test_interpolated_weights_lie_between_the_first_and_the_trained_ones(train: list[str], tmp_path: Path) -> None:
    warm = ["--warm-start", BEGUN, "--vocab", f"{BEGUN}/vocab.model", "--epochs", "2", "--learning-rate", "0.01"]
    assert main([*train, *warm, "--out", "en-fr/trained"]) == 0
    assert main([*train, *warm, "--out", "en-fr/between", "--interpolate", "0.25"]) == 0
    first, trained, between = (checkpoint.load(tmp_path / f) for f in (BEGUN, "en-fr/trained", "en-fr/between"))
    after, mixed = own_weights(trained.model), own_weights(between.model)
    assert any(not torch.allclose(before, after[name]) for name, before in own_weights(first.model).items())
    for name, before in own_weights(first.model).items():
        torch.testing.assert_close(mixed[name], 0.75 * before + 0.25 * after[name], atol=2e-3, rtol=0, msg=name)
    assert between.meta["trained"]["begun"]["interpolate"] == 0.25
    card = (tmp_path / "en-fr" / "between" / "card.md").read_text(encoding="utf-8")
    assert "lie 25% of the way from those of the warm start" in card


@pytest.mark.parametrize("storage", ["float16", "int8"])
def test_frozen_weights_are_stored_as_they_were(train: list[str], tmp_path: Path, storage: str) -> None:
    begun = ["--warm-start", BEGUN, "--vocab", f"{BEGUN}/vocab.model", "--storage", storage, "--epochs", "2"]
    assert main([*train, *begun, "--out", "runs/models/en-fr/stored", "--learning-rate", "0.01"]) == 0
    begun[1] = "runs/models/en-fr/stored"
    only = ["--train-only", "^combine|bias", "--average", "3", "--validate-every", "2", "--learning-rate", "0.05"]
    assert main([*train, *begun, *only, "--out", "en-fr/dot"]) == 0
    before, after = (load_file(tmp_path / folder / WEIGHTS) for folder in ("runs/models/en-fr/stored", "en-fr/dot"))
    changed = {name for name, tensor in before.items() if not torch.equal(tensor, after[name])}
    trained = {name for name in before if "bias" in name or name.startswith("combine")}
    assert changed <= trained and {name for name in trained if not name.endswith(".scale")} <= changed
    cards = [(tmp_path / folder / CARD).read_text("utf-8") for folder in ("runs/models/en-fr/stored", "en-fr/dot")]
    assert "train_only ^combine|bias, " in cards[1] and "train_only" not in cards[0]


@pytest.mark.parametrize(("pattern", "message"), [("scores", "fits no weight"), ("score(", "no regular expression")])
def test_a_pattern_that_fits_no_weight_is_refused(
    train: list[str], capsys: pytest.CaptureFixture[str], pattern: str, message: str
) -> None:
    warm = ["--warm-start", BEGUN, "--vocab", f"{BEGUN}/vocab.model", "--out", "en-fr/x"]
    assert main([*train, *warm, "--train-only", pattern]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("start", "share"), [(["--warm-start", BEGUN], "0"), (["--warm-start", BEGUN], "1.5"), ([], "0.5")]
)
def test_a_share_that_cannot_be_is_refused(
    train: list[str], capsys: pytest.CaptureFixture[str], start: list[str], share: str
) -> None:
    assert main([*train, *start, "--vocab", f"{BEGUN}/vocab.model", "--out", "en-fr/x", "--interpolate", share]) == 2
    assert "--interpolate is a share above 0, at most 1" in capsys.readouterr().err


def test_the_time_of_all_that_went_before_is_kept(train: list[str], tmp_path: Path) -> None:
    vocab = ["--vocab", f"{BEGUN}/vocab.model", "--epochs", "1"]
    assert main([*train, *vocab, "--warm-start", BEGUN, "--out", "en-fr/second"]) == 0
    assert main([*train, *vocab, "--warm-start", "en-fr/second", "--out", "en-fr/third"]) == 0
    assert checkpoint.load(tmp_path / "en-fr" / "third").meta["trained"]["begun"]["epochs"] == 3.0


@pytest.mark.parametrize("other", [["--vocab", f"{BEGUN}/vocab.model", "--units", "12"], ["--vocab-size", "30"]])
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
    assert f"add --vocab {BEGUN}/vocab.model" in capsys.readouterr().err


def test_the_model_it_begins_with_is_not_written_over(train: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main([*train, "--vocab", f"{BEGUN}/vocab.model", "--warm-start", BEGUN, "--out", f"./{BEGUN}/"]) == 2
    assert "write the new model to another folder" in capsys.readouterr().err


def test_no_model_is_a_sentence(train: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main([*train, "--vocab-size", "60", "--warm-start", "nowhere", "--out", "en-fr/dot"]) == 2
    assert "There is no model folder nowhere" in capsys.readouterr().err
