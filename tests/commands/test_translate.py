"""python -m nmtcore translate: input and output, line by line."""

import json
import os
from pathlib import Path

import pytest

from nmtcore.commands import translate as translate_command
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.models import checkpoint
from tests.helpers import WORD_BY_WORD, Run, refused, translate

pytestmark = pytest.mark.usefixtures("short_translations")


@pytest.mark.parametrize("architecture", WORD_BY_WORD)
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


def test_emoji_are_kept_from_the_model_and_put_back(run: Run, model: Path) -> None:
    code, out, _ = run("translate", "the cat 🐕 sees", "--model", model)
    assert code == 0 and out == run("translate", "the cat sees", "--model", model)[1].strip() + " 🐕\n"


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
        ("x" * 2001, "This text has 2,001 characters; the limit is 2,000"),
        ("cat, " * 299, "pieces; the limit is 300"),
        ("", "There is nothing to translate"),
        ("\u200b \x07", "There is nothing to translate"),
        (os.fsdecode(b"caf\xe9"), "the arguments are not in UTF-8"),
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
