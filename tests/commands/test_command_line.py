"""python -m nmtcore: what goes in and out, and one line and exit code 2 for whatever is wrong."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from nmtcore.__main__ import main
from nmtcore.commands import translate as translate_command
from nmtcore.commands.shared import load_model
from nmtcore.config import ARCHITECTURES, DecodingConfig
from nmtcore.decoding.decode import translate
from nmtcore.decoding.trace import Trace
from nmtcore.evaluation import alignment_error
from nmtcore.intervention import Intervention
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import CARD, CONFIG, VOCAB, WEIGHTS
from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.corpus import read_pairs, split_pairs
from tests.paths import EVALUATION, ROOT

SHORT = 14  # the most pieces of an untrained model's translation, so that tests are fast
NOUNS = {"cat": "chat", "dog": "chien", "house": "maison", "horse": "cheval", "garden": "jardin", "street": "rue"}
COLOURS = {"red": "rouge", "small": "petit", "big": "grand", "old": "vieux", "blue": "bleu", "good": "bon"}


@pytest.fixture(autouse=True)
def short_translations(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = DecodingConfig.limit
    monkeypatch.setattr(DecodingConfig, "limit", lambda self, length: min(limit(self, length), SHORT))


@pytest.fixture
def model(model_folders: Path) -> Path:
    return model_folders / "en-fr" / "dot"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    rows = [f"the {c} {n}\tle {COLOURS[c]} {NOUNS[n]}" for c in COLOURS for n in NOUNS]
    path.write_text("\n".join([*rows, f"{rows[0]} !", "one column"]) + "\n", encoding="utf-8")
    return path


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process: exit code, standard output, standard error."""

    def call(*arguments: object, stdin: bytes | str = b"") -> tuple[int, str, str]:
        content = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        try:
            code = main([str(a) for a in arguments])
        except SystemExit as error:  # argparse
            code = int(error.code or 0)
        return (code, *capsys.readouterr())

    return call


def refused(result: tuple[int, str, str], message: str) -> None:
    code, out, err = result
    assert (code, out) == (2, "")
    assert message in err and err.count("\n") == 1 and err.startswith("python -m nmtcore"), err


# translate


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("beam", [1, 3])
def test_one_line_out_for_each_line_in(run: Run, model_folders: Path, architecture: str, beam: int) -> None:
    folder = model_folders / "en-fr" / architecture
    lines = ["the small cat", "", "a big dog sees a red house .", " \t ", "\u200b", "<s> ▁ </s>", "la fin"]
    code, out, err = run("translate", "--model", folder, "--beam", beam, stdin="\n".join(lines))
    assert (code, err) == (0, "")
    loaded = checkpoint.load(folder)
    expected = [translate(loaded, t, DecodingConfig(beam=beam)).text if t.strip(" \t\u200b") else "" for t in lines]
    assert out == "".join(f"{text}\n" for text in expected)


def test_texts_and_penalties(run: Run, model: Path) -> None:
    code, out, _ = run("translate", "the cat", "a dog", "--model", model, "--beam", 4, "--alpha", 2, "--beta", 0.5)
    loaded, decoding = checkpoint.load(model), DecodingConfig(4, 2.0, 0.5)
    assert code == 0 and out.split("\n")[:-1] == [translate(loaded, t, decoding).text for t in ("the cat", "a dog")]


@pytest.mark.parametrize("stdin", [b"\xef\xbb\xbfthe cat\r\na dog\r\n", b"the cat\na dog", b"the cat\na dog\n"])
def test_line_ends_and_byte_order_marks(run: Run, model: Path, stdin: bytes) -> None:
    assert run("translate", "--model", model, stdin=stdin) == run("translate", "--model", model, "the cat", "a dog")


def test_no_line_in_is_no_line_out(run: Run, model: Path) -> None:
    assert run("translate", "--model", model) == (0, "", "")
    assert run("translate", "--model", model, stdin="\n\n") == (0, "\n\n", "")


def test_more_lines_than_a_batch(run: Run, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"{'the cat ' * (i % 3)}{'dog ' * (i % 5)}" for i in range(20)]
    whole = run("translate", "--model", model, stdin="\n".join(lines))
    monkeypatch.setattr(translate_command, "TOGETHER", 3)
    assert run("translate", "--model", model, stdin="\n".join(lines)) == whole
    assert whole[1].count("\n") == 20


def test_traditional_characters_are_read_as_simplified_ones_where_the_source_is_mandarin(
    run: Run, model_folders: Path
) -> None:
    for folder, read in (("zh-en", "学生 the cat"), ("en-fr", "學生 the cat")):
        for arguments, stdin in ((["學生 the cat"], ""), ([], "學生 the cat\n")):
            _, out, _ = run("translate", "--json", "--model", model_folders / folder / "dot", *arguments, stdin=stdin)
            assert Trace.from_json(json.loads(out)).source_text == read


def test_parts_of_layers_are_switched_off(run: Run, model_folders: Path) -> None:
    folder = model_folders / "en-fr" / "transformer"
    off = ("--off", "encoder.2.feedforward", "--off", "decoder.1.cross")
    code, out, err = run("translate", "--model", folder, "--json", *off, "the cat")
    assert (code, err) == (0, "")
    trace = Trace.from_json(json.loads(out))
    change = Intervention(parts_off=(("encoder", 1, "feedforward"), ("decoder", 0, "cross")))
    assert trace.intervention == change
    expected = translate(load_model(str(folder), torch.device("cpu"), DecodingConfig()), "the cat", None, change)
    assert trace.text == expected.text
    assert run("translate", "--model", folder, *off, stdin="the cat\n\n")[1] == f"{expected.text}\n\n"
    for wrong, message in (
        ("encoder.3.norm", "layers 1 to 2; there is no layer 3"),
        ("encoder.1.cross", "cross is in the decoder alone"),
        ("decoder.0.norm", "names no part of a layer"),
        ("everything", "names no part of a layer"),
    ):
        refused(run("translate", "--model", folder, "--off", wrong, "the cat"), message)


@pytest.mark.parametrize("arguments", [["--json", "the cat", "a dog"], ["the cat", "--json", "a dog"]])
def test_json_is_a_trace_a_line(run: Run, model: Path, arguments: list[str]) -> None:
    code, out, err = run("translate", "--model", model, "--beam", 2, *arguments)
    assert (code, err) == (0, "")
    traces = [Trace.from_json(json.loads(line)) for line in out.splitlines()]
    assert [trace.source_text for trace in traces] == ["the cat", "a dog"]
    assert all(trace.beam and trace.attention and not trace.inner for trace in traces)


def test_full_json_has_the_states_and_empty_lines_stay(run: Run, model: Path) -> None:
    code, out, _ = run("translate", "--model", model, "--json", "full", stdin="the cat\n\n")
    first, second, end = out.split("\n")
    assert code == 0 and (second, end) == ("", "")
    assert "states" in Trace.from_json(json.loads(first)).inner


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x" * 2001, "The text has 2,001 characters; the limit is 2,000"),
        ("cat, " * 299, "pieces; the limit is 300"),
        ("", "There is nothing to translate"),
        ("\u200b \x07", "There is nothing to translate"),
        (os.fsdecode(b"caf\xe9"), "what was typed is not in UTF-8"),
    ],
)
def test_texts_that_cannot_be_translated(run: Run, model: Path, text: str, message: str) -> None:
    refused(run("translate", "--model", model, text), message)


def test_a_wrong_line_is_named_after_those_before_it(run: Run, model: Path) -> None:
    good = run("translate", "--model", model, stdin="the cat\na dog\n")[1]
    for line, message in (("word " * 3000, "14,999 characters"), (b"caf\xe9", "not in UTF-8")):
        wrong = line if isinstance(line, bytes) else line.encode()
        code, out, err = run("translate", "--model", model, stdin=b"the cat\na dog\n" + wrong + b"\nthe cat\n")
        assert (code, out) == (2, good) and "Line 3" in err and message in err and err.count("\n") == 1


@pytest.mark.parametrize("text", ["红色的房子", "🙂👩‍👧", "<script>alert(1)</script>", "a\x00b\x1b[31m", "‮live"])
def test_strange_texts_are_translated(run: Run, model: Path, text: str) -> None:
    code, out, err = run("translate", "--model", model, "--", text)
    assert (code, err, out.count("\n")) == (0, "", 1)


def nan_weights(folder: Path) -> None:
    weights = load_file(folder / WEIGHTS)
    weights["combine.weight"][0, 0] = float("nan")
    save_file(weights, folder / WEIGHTS)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (shutil.rmtree, "There is no model folder"),
        (lambda folder: (folder / CONFIG).unlink(), "it has no config.json"),
        (lambda folder: (folder / CONFIG).write_text('{"model_type": "bert"}'), "not written by this program"),
        (lambda folder: (folder / CONFIG).write_text('{"format": 9, "class": ""}'), "Use a newer version"),
        (lambda folder: (folder / VOCAB).write_bytes(b"?"), "vocab.model: The vocabulary is damaged"),
        (lambda folder: (folder / WEIGHTS).write_bytes(b"?"), "model.safetensors is damaged"),
        (nan_weights, "combine.weight holds values that are not finite"),
    ],
)
@pytest.mark.parametrize("command", ["translate", "evaluate"])
def test_broken_model_folders(
    run: Run, model: Path, tmp_path: Path, pairs: Path, damage: Callable[[Path], object], message: str, command: str
) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(model, folder)
    damage(folder)
    more = ["the cat"] if command == "translate" else ["--pairs", pairs]
    code, out, err = run(command, "--model", folder, *more)
    assert (code, out) == (2, "") and message in err.splitlines()[-1] and "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--beam", "0"], "The beam width must be between 1 and 20"),
        (["--beam", "9" * 400], "The beam width must be between 1 and 20; it is far from it"),
        (["--threads", "9" * 400], "threads must be between"),
        (["--beam", "two"], "invalid int value: 'two'"),
        (["--alpha", "nan"], "alpha must be between"),
        (["--beta", "-1"], "beta must be between"),
        (["--device", "tpu"], "invalid choice: 'tpu'"),
        (["--threads", "0"], "threads must be between 1 and 1024"),
        (["--bea", "2"], "unrecognized arguments: --bea"),
    ],
)
def test_wrong_settings(run: Run, model: Path, arguments: list[str], message: str) -> None:
    refused(run("translate", "--model", model, "the cat", *arguments), message)


def test_what_is_not_there(run: Run, model_folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused(run("translate", "the cat"), "the following arguments are required: --model")
    refused(run("transcribe"), "invalid choice: 'transcribe'")
    refused(run(), "required: COMMAND")
    none = model_folders / "en-fr" / "none"
    refused(run("translate", "--model", none, "--beam", 2, "--beta", 1, "the cat"), "beta, which rewards coverage")
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    refused(run("translate", "--model", none, "--device", "cuda", "the cat"), "There is no CUDA device here")


def test_no_standard_input(run: Run, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("translate", "--model", model, "the cat")
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["translate", "--model", str(model)]) == 2


@pytest.mark.parametrize("content", [b"--attribution Tom's\n", b"\x7fELF\xff\xfe\n", b"@recipe\n"])
def test_recipes_that_cannot_be_read(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recipe").write_bytes(content)
    refused(run("train", "@recipe"), "a recipe must be a text in UTF-8")


def test_a_closed_pipe_is_no_traceback(model: Path) -> None:
    """`yes | ... | head -n 1`: output is flushed while we read on, so the pipe breaks in the middle."""
    process = subprocess.Popen(
        [sys.executable, "-m", "nmtcore", "translate", "--model", str(model), "--threads", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(b"the cat\n")
    process.stdin.flush()
    assert process.stdout.readline().endswith(b"\n")  # answered at once, though the input goes on
    process.stdout.close()
    process.stdin.write(b"a dog\n")
    process.stdin.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(60), errors) == (141, b"")


# evaluate


def test_scores_of_pairs(run: Run, model: Path, pairs: Path) -> None:
    code, out, err = run("evaluate", "--model", model, "--pairs", pairs, "--beam", 2, "--json")
    assert code == 0 and err == "Dropped 1 row without a tab between two sentences (line 38).\n"
    (line,) = out.splitlines()
    found = json.loads(line)
    assert (found["model"], found["items"], found["references"], found["beam"]) == ("en-fr/dot", 36, 37, 2)
    assert 0 <= found["bleu"] <= 100 and 0 <= found["chrf"] <= 100 and "nrefs:var" in found["bleu_signature"]
    assert found["reference_log_probability"] < found["reference_log_probability_per_piece"] < 0
    assert found["sentences_per_second"] > 0 and found["tokens_per_second"] > 0

    code, out, _ = run("evaluate", "--model", model, "--pairs", pairs, "--beam", 2)
    assert f"BLEU {found['bleu']:.2f}" in out and "36 sentences, 37 references" in out


def test_limit_and_swap(run: Run, model: Path, pairs: Path) -> None:
    first = json.loads(run("evaluate", "--model", model, "--pairs", pairs, "--limit", 2, "--json")[1])
    assert (first["items"], first["references"]) == (2, 3)
    swapped = json.loads(run("evaluate", "--model", model, "--pairs", pairs, "--swap", "--json")[1])
    assert (swapped["items"], swapped["references"]) == (37, 37)


def test_several_models_are_a_line_each(run: Run, model_folders: Path, pairs: Path) -> None:
    folders = [model_folders / "en-fr" / name for name in ARCHITECTURES]
    code, out, _ = run("evaluate", "--model", *folders, "--pairs", pairs, "--limit", 2, "--json")
    assert code == 0
    assert [json.loads(line)["architecture"] for line in out.splitlines()] == list(ARCHITECTURES)


def test_alignments_and_robustness(
    run: Run, model_folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.tsv").write_text("# languages: en-fr\nthe cat .\tle chat .\t0-0 1-1 2-2\t\n", encoding="utf-8")
    (tmp_path / "r.tsv").write_text("# languages: en-fr\nname\tthe cat\t*\n", encoding="utf-8")
    monkeypatch.setattr("nmtcore.commands.evaluate.SHIPPED", model_folders)
    arguments = ["evaluate", "--alignments", tmp_path / "a.tsv", "--robustness", tmp_path / "r.tsv"]
    code, out, err = run(*arguments, "--json")
    assert (code, err) == (0, "")
    found = {data["architecture"]: data for data in map(json.loads, out.splitlines())}
    assert set(found) == set(ARCHITECTURES)
    assert found["none"]["alignments"] is None and found["dot"]["alignments"]["pairs"] == 1
    assert len(found["transformer"]["alignments"]["readings"]) == 20
    assert all(data["robustness"]["right"] == 1 for data in found.values())
    code, out, _ = run(*arguments)
    assert "No attention, so no alignments" in out and "layer 1, head 2, at the input" in out
    made = {"en-fr": alignment_error.read_alignments(tmp_path / "a.tsv")[1]}  # the grammar's are longer than SHORT
    monkeypatch.setattr(alignment_error, "from_grammar", lambda languages, count: made[languages] * count)
    code, out, err = run(*arguments, "--grammar", 3)
    assert (code, err) == (0, "")
    assert "on 1 pairs with links by hand" in out and out.count("on 3 pairs of the grammar") == 3
    refused(run(*arguments, "--model", model_folders / "zh-en" / "dot"), "translates zh-en; the file is for en-fr")
    refused(run("evaluate", "--alignments", EVALUATION / "alignments.zh-en.tsv", "--robustness", tmp_path / "r.tsv"),
            "different languages: en-fr and zh-en")  # fmt: skip


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"one column\n", "has no usable row"),
        (b"", "has no usable row"),
        ("été\tsummer\n".encode("latin-1"), "is not in UTF-8"),
        (b"\x1f\x8bbroken", "is a damaged gzip file"),
    ],
)
def test_files_that_cannot_be_used(run: Run, model: Path, tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "bad.tsv").write_bytes(content)
    refused(run("evaluate", "--model", model, "--pairs", tmp_path / "bad.tsv"), message)
    for option in ("--alignments", "--robustness"):
        refused(run("evaluate", "--model", model, option, tmp_path / "bad.tsv"), "bad.tsv")


def test_too_long_pairs_are_left_out_and_counted(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "p.tsv").write_text(f"the cat\tle chat\na dog\t{'le ' * 310}\n", encoding="utf-8")
    code, out, err = run("evaluate", "--model", model, "--pairs", tmp_path / "p.tsv", "--json")
    assert code == 0 and json.loads(out)["items"] == 1
    assert err == "Left out 1 of 2 sentences: too long for the model.\n"


def test_wrong_demands(run: Run, model: Path, pairs: Path) -> None:
    refused(run("evaluate", "--grammar", 5), "name its folder with --model")
    refused(run("evaluate", "--model", model, "--grammar", 0), "grammar must be between 1 and")
    refused(run("evaluate", "--model", model), "There is nothing to evaluate on")
    refused(run("evaluate", "--model", model, "--alignments", pairs, "--limit", 3), "need --pairs")
    refused(run("evaluate", "--model", model, "--pairs", pairs.parent / "nowhere"), "cannot be read")
    refused(run("evaluate", "--pairs", pairs.parent / "nowhere"), "cannot be read")
    assert "name its folder with --model" in run("evaluate", "--pairs", pairs)[2]
    assert "limit must be between" in run("evaluate", "--model", model, "--pairs", pairs, "--limit", 0)[2]
    assert (
        "does not say how its data were split"
        in (run("evaluate", "--model", model, "--pairs", pairs, "--split", "test")[2])
    )


# train, and what it leaves for the others


@pytest.fixture
def trained(run: Run, tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "en-fr" / "dot"
    sizes = ["--embedding", 8, "--units", 8, "--vocab-size", 60]
    settings = ["--epochs", 2, "--precision", "fp32", "--batch-tokens", 200, "--joined", 0.1]
    code, _, err = run("train", "--pairs", pairs, "--architecture", "dot", "--out", out, *sizes, *settings)
    assert code == 0, err
    assert "Dropped 1 row without a tab" in err and "BLEU" in err and " -> " in err
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
    monkeypatch.setattr("nmtcore.evaluation.bleu.BUCKET_ITEMS", 3)
    monkeypatch.setattr("nmtcore.evaluation.bleu.RESAMPLES", 10)
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
    assert f"BLEU {found['bleu']:.1f}" in card and "| 31-50 | 3 |" in card and "perplexity" in card
    assert (trained / WEIGHTS).read_bytes() == weights


def test_the_commands_decode_with_packed_weights_as_the_pages_do(trained: Path) -> None:
    model = load_model(str(trained), torch.device("cpu"), DecodingConfig()).model
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
