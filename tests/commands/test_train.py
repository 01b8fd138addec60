"""python -m nmtcore train, and what it leaves for the other commands."""

import json
from pathlib import Path

import pytest
import torch

from nmtcore.commands.shared import load_model
from nmtcore.config import ARCHITECTURES
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import CARD, VOCAB, WEIGHTS
from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.padded import pad
from nmtcore.text.vocabulary import EOS, Vocab
from nmtcore.training import precision
from nmtcore.training.corpus import read_pairs, split_pairs
from tests.helpers import Run, refused

pytestmark = pytest.mark.usefixtures("short_translations")


@pytest.fixture
def trained(run: Run, tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "en-fr" / "dot"
    sizes = ["--embedding", 8, "--units", 8, "--vocab-size", 60]
    settings = ["--epochs", 2, "--precision", "fp32", "--batch-tokens", 200, "--concatenation", 0.1]
    code, _, err = run("train", "--pairs", pairs, "--architecture", "dot", "--out", out, *sizes, *settings)
    assert code == 0, err
    assert "Dropped 1 row without a tab" in err and "BLEU" in err and " -> " in err and "weights, cpu, float32." in err
    return out


def test_a_trained_model_finds_its_test_split_again(run: Run, trained: Path, pairs: Path, tmp_path: Path) -> None:
    meta = checkpoint.load(trained).meta
    assert (meta["source"], meta["target"], meta["data"]) == ("en", "fr", {"file": "pairs.tsv", "pairs": 37})
    rows, _ = read_pairs(pairs)
    split = split_pairs(rows)
    for part, expected in (("test", split.test), ("validation", split.validation), ("all", rows)):
        code, out, _ = run("evaluate", "--model", trained, "--pairs", pairs, "--split", part, "--json")
        assert code == 0 and json.loads(out)["references"] == len(expected) > 0
    test = ["evaluate", "--model", trained, "--split", "test", "--pairs"]
    assert "was trained without --swap" in run(*test, pairs, "--swap")[2]
    (tmp_path / "other.tsv").write_text("a\tb\nc\td\n", encoding="utf-8")
    refused(run(*test, tmp_path / "other.tsv"), "was trained on 37 pairs;")


def test_written_scores(run: Run, trained: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmtcore.evaluation.bleu_chrf.BUCKET_ITEMS", 3)
    monkeypatch.setattr("nmtcore.evaluation.bleu_chrf.RESAMPLES", 10)
    before = checkpoint.load(trained).meta
    weights = (trained / WEIGHTS).read_bytes()
    test = ["--model", trained, "--pairs", pairs, "--split", "test"]
    code, out, _ = run("evaluate", *test, "--by-length", "--write", "--json")
    assert code == 0
    found = json.loads(out)
    meta = checkpoint.load(trained).meta
    assert meta["scores"]["bleu"] == found["bleu"] and meta["scores"]["split"] == "test"
    assert meta["by_length"] == found["by_length"] and len(meta["by_length"]) == 6
    assert {k: v for k, v in meta.items() if k not in ("scores", "by_length")} == before
    card = (trained / CARD).read_text(encoding="utf-8")
    assert (
        f"BLEU {found['bleu']:.1f}" in card
        and "| 31-50 | 3 |" in card
        and "perplexity" in card
        and "precision fp32," in card
    )
    assert (trained / WEIGHTS).read_bytes() == weights


def test_bfloat16_without_units_is_a_warning(
    run: Run, tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(precision, "has_bfloat16_units", lambda device: False)
    few = ["--embedding", 8, "--units", 8, "--vocab-size", 60, "--max-steps", 1, "--precision", "bf16"]
    code, _, err = run("train", "--pairs", pairs, "--architecture", "dot", *few, "--out", "en-fr/dot")
    assert code == 0 and "cpu, matrix products in bfloat16." in err
    assert "has no units for bfloat16: a product of matrices takes " in err and " times as long as in float32" in err


def test_the_commands_decode_with_packed_weights_as_the_pages_do(trained: Path) -> None:
    model = load_model(str(trained), torch.device("cpu")).model
    model.encode(pad([[5, EOS]]))  # they are packed for the first sentence
    assert isinstance(model, Accelerated) and model.product is not None


def test_training_refuses_what_it_would_overwrite(run: Run, trained: Path, pairs: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    command = ["train", "--pairs", pairs, "--architecture", "dot", "--out"]
    refused(run(*command, tmp_path / "full"), "is not a model folder: choose an empty or a new one")
    (tmp_path / "runs" / "en-fr-dot" / "done").unlink()
    refused(run(*command, trained), "holds an unfinished run: give --resume")
    other = Vocab.train([side for pair in read_pairs(pairs)[0] for side in pair], 50)
    other.save(tmp_path / "other.model")
    code, _, err = run(*command, trained, "--resume", "--vocab", tmp_path / "other.model")
    assert code == 2 and "other.model has changed since this run began: resume with --vocab" in err
    assert Vocab.load(tmp_path / "runs" / "en-fr-dot" / VOCAB) == checkpoint.load(trained).vocab
    refused(run(*command, tmp_path / "en-fr" / "x", "--width", 64), "has no setting width")
    small = tmp_path / "small.tsv"
    small.write_text("a\tb\nc\td\n", encoding="utf-8")
    refused(run("train", "--pairs", small, "--architecture", "dot", "--out", tmp_path / "y"), "too few pairs")


def test_an_exercise_is_a_training_like_others(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["train", "--exercise", "copy", "--max-steps", 3, "--validate-every", 3]
    code, _, err = run(*command, "--units", 8, "--optimiser", "rmsprop", "--out", "made/copy")
    assert code == 0 and "validation loss" in err and ", right " in err and "BLEU" not in err
    made = checkpoint.load(tmp_path / "made" / "copy")
    small = ARCHITECTURES["additive"].small
    assert made.config.architecture == "additive" and made.config.units == 8 != small["units"]
    assert made.config.embedding == small["embedding"] and made.meta["training"]["batch_tokens"] == 1000
    assert made.meta["training"]["optimiser"] == "rmsprop" and made.meta["training"]["max_steps"] == 3
    assert made.meta["data"] == {"file": "exercise copy", "pairs": 8000} and made.meta["source"] == "source"
    refused(run("evaluate", "--model", "made/copy", "--pairs", "nowhere"), "cannot be read")
    # It continues with the model's settings and vocabulary, on another exercise.
    again = ["train", "--exercise", "reverse", "--max-steps", 2]
    code, _, err = run(*again, "--warm-start", "made/copy", "--out", "made/reverse")
    assert code == 0, err
    other = checkpoint.load(tmp_path / "made" / "reverse")
    assert other.config == made.config and other.vocab == made.vocab and other.meta["trained"]["begun"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--exercise", "teach"], "needs a model that translates English to French: give --warm-start"),
        (["--exercise", "copy", "--learning-rate", "-1"], "learning_rate"),
        (["--exercise", "copy", "--heads", "2"], "no setting heads"),
        (["--exercise", "copy", "--warm-start", "nowhere"], "no model folder"),
        (["--pairs", "nowhere"], "Give --architecture"),
    ],
)
def test_what_cannot_be_trained_is_said(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(run("train", *arguments, "--out", "x"), message)


def test_a_word_is_not_taught_to_a_model_of_other_languages(run: Run, tmp_path: Path, model_folders: Path) -> None:
    start = model_folders / "zh-en" / "dot"
    refused(run("train", "--exercise", "teach", "--warm-start", start, "--out", tmp_path / "x"), "zh-en/dot does not")


def test_a_word_is_taught(run: Run, tmp_path: Path, model_folders: Path) -> None:
    taught = ["train", "--exercise", "teach", "--warm-start", model_folders / "en-fr" / "dot"]
    code, _, err = run(*taught, "--max-steps", 1, "--out", tmp_path / "taught", "--runs", tmp_path / "run")
    assert code == 0 and "blicket" in err, err
    assert checkpoint.load(tmp_path / "taught").meta["target"] == "fr"
