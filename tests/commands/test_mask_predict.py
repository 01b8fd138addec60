"""The commands with a model that writes all words at once: its rounds, its record, its scores, its training."""

import json
from pathlib import Path

import pytest

from nmtcore.config import MaskPredictDecoding
from nmtcore.decoding import mask_predict
from nmtcore.evaluation import cards
from nmtcore.models import checkpoint
from nmtcore.text.vocabulary import Vocab
from tests.helpers import Run, refused, small

TEXTS = ["the small cat", "", "a big dog sees a red house ."]


@pytest.fixture
def model(tmp_path: Path, vocab: Vocab) -> Path:
    made = small("mask-predict", vocab)
    checkpoint.save(tmp_path / "en-fr" / "mask-predict", made.model, vocab, made.meta)
    return tmp_path / "en-fr" / "mask-predict"


def test_lines_are_translated_in_as_many_rounds_as_asked_for(run: Run, model: Path) -> None:
    loaded = checkpoint.load(model)
    for rounds in (1, 4):
        decoding = MaskPredictDecoding(rounds)
        code, out, err = run("translate", "--model", model, "--rounds", rounds, stdin="\n".join(TEXTS))
        assert (code, err) == (0, "")
        expected = [mask_predict.translate(loaded, loaded.read(text), decoding).text if text else "" for text in TEXTS]
        assert out == "".join(f"{text}\n" for text in expected)
    code, out, _ = run("translate", "--model", model, "--rounds", 3, "--json", "the cat")
    record = json.loads(out)
    assert code == 0 and record["decoding"] == {"rounds": 3, "lengths": 5} and 1 <= len(record["rounds"]) <= 3
    assert [place[0] for place in record["rounds"][-1]] == record["attention"]["queries"]


def test_what_does_not_go_together_is_refused(run: Run, model: Path, model_folders: Path) -> None:
    refused(run("translate", "--model", model, "--beam", 3, "the cat"), "writes all words at once")
    refused(run("translate", "--model", model, "--rounds", 0, "the cat"), "rounds must be between 1 and 200")
    dot = model_folders / "en-fr" / "dot"
    refused(run("translate", "--model", dot, "--rounds", 3, "the cat"), "--rounds is for models that write all words")


def test_it_is_evaluated_with_its_rounds(run: Run, model: Path, pairs: Path) -> None:
    arguments = ("evaluate", "--model", model, "--pairs", pairs, "--rounds", 2)
    code, out, err = run(*arguments, "--json")
    found = json.loads(out)
    assert code == 0 and (found["items"], found["rounds"], found["lengths"]) == (36, 2, 5)
    assert "beam" not in found and "reference_log_probability" not in found
    _, out, _ = run(*arguments, "--write")
    assert "37 references, 2 rounds of mask-predict, 5 lengths" in out
    assert "2 rounds of mask-predict, 5 lengths" in (model / checkpoint.CARD).read_text(encoding="utf-8")
    assert cards.SCORES in (model / checkpoint.CARD).read_text(encoding="utf-8")


def test_its_quality_is_measured_for_one_round_to_ten(run: Run, model: Path, pairs: Path, model_folders: Path) -> None:
    dot = model_folders / "en-fr" / "dot"
    code, out, _ = run("evaluate", "--model", model, dot, "--pairs", pairs, "--by-rounds", "--write")
    assert code == 0 and out.count("| rounds | BLEU |") == 1  # for the one model that has rounds
    meta = checkpoint.load(model).meta["by_rounds"]
    assert [row["rounds"] for row in meta] == [1, 2, 4, 10] and all(row["items"] == 36 for row in meta)
    assert "| rounds | BLEU | chrF |" in (model / checkpoint.CARD).read_text(encoding="utf-8")
    refused(run("evaluate", "--model", model, "--by-rounds"), "nothing to evaluate")


def test_it_is_trained_and_resumed(run: Run, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "en-fr" / "mask-predict"
    sizes = ("--width", 16, "--feedforward", 24, "--heads", 2, "--encoder-layers", 1, "--decoder-layers", 1)
    split = ("--vocab-size", 80, "--split-validation", 4, "--split-test", 4, "--runs", tmp_path / "state")
    begin = ("train", "--pairs", pairs, "--architecture", "mask-predict", "--out", out, *sizes, *split)
    assert run(*begin, "--max-steps", 2)[0] == 0
    assert run(*begin, "--max-steps", 4, "--resume")[0] == 0
    loaded = checkpoint.load(out)
    assert loaded.config.architecture == "mask-predict" and loaded.meta["trained"]["step"] > 2  # the best later one
    code, _, err = run(*begin, "--runs", tmp_path / "other", "--scheduled-sampling", 0.5)
    assert code == 2 and "reads none of its own words in training: leave out scheduled_sampling" in err
