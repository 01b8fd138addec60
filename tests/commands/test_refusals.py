"""python -m nmtcore: one line and exit code 2 for any fault in a model, a setting or a stream."""

import errno
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nmtcore.__main__ import is_closed_pipe, main
from nmtcore.models.checkpoint import VOCAB
from tests.helpers import PATIENCE, Run, refused
from tests.paths import ROOT

pytestmark = pytest.mark.usefixtures("short_translations")


@pytest.mark.parametrize("command", ["translate", "evaluate"])
def test_a_broken_model_folder(run: Run, model: Path, tmp_path: Path, pairs: Path, command: str) -> None:
    shutil.copytree(model, tmp_path / "broken")
    (tmp_path / "broken" / VOCAB).write_bytes(b"?")
    more = ["the cat"] if command == "translate" else ["--pairs", pairs]
    code, out, err = run(command, "--model", tmp_path / "broken", *more)
    assert (code, out) == (2, "") and "vocab.model: The vocabulary is damaged" in err.splitlines()[-1]
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--beam", "9" * 400], "The beam width must be between 1 and 20; it is far from it"),
        (["--beam", "two"], "invalid int value: 'two'"),
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
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    refused(run("translate", "--model", none, "--beam", 2, "--beta", 1, "the cat"), "beta, which rewards coverage")
    refused(run("translate", "--model", none, "--device", "cuda", "the cat"), "There is no CUDA device here")


def test_no_standard_input(run: Run, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("translate", "--model", model, "the cat")
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["translate", "--model", str(model)]) == 2


@pytest.mark.parametrize("content", [b"--attribution Tom's\n", b"\x7fELF\xff\xfe\n", b"@recipe\n"])
def test_recipes_that_cannot_be_read(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recipe").write_bytes(content)
    refused(run("train", "@recipe"), "a recipe must be a UTF-8 text")


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
    assert (process.wait(PATIENCE), errors) == (141, b"")


@pytest.mark.parametrize(
    ("error", "system", "closed"),
    [
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), "linux", True),
        (OSError(errno.EINVAL, "Invalid argument"), "win32", True),
        (OSError(errno.EINVAL, "Invalid argument", "a*b.txt"), "win32", False),
        (OSError(errno.EINVAL, "Invalid argument"), "linux", False),
    ],
)
def test_windows_says_otherwise_that_a_pipe_is_closed(
    error: OSError, system: str, closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert is_closed_pipe(error) == closed
