"""What tests of the command line share: a small model, pairs, and a way to run a command."""

import io
import sys
from pathlib import Path

import pytest

from nmtcore.__main__ import main
from tests.commands.helpers import Run

NOUNS = {"cat": "chat", "dog": "chien", "house": "maison", "horse": "cheval", "garden": "jardin", "street": "rue"}
COLOURS = {"red": "rouge", "small": "petit", "big": "grand", "old": "vieux", "blue": "bleu", "good": "bon"}


@pytest.fixture
def model(model_folders: Path) -> Path:
    return model_folders / "en-fr" / "dot"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    rows = [f"the {c} {n}\tle {COLOURS[c]} {NOUNS[n]}" for c in COLOURS for n in NOUNS]
    path.write_text("\n".join([*rows, f"{rows[0]} !", "one column"]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process: exit code, standard output, standard error."""

    def call(*arguments: object, stdin: bytes | str = b"") -> tuple[int, str, str]:
        content = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
        try:
            code = main([str(a) for a in arguments])
        except SystemExit as error:  # argparse
            code = int(error.code or 0)
        return (code, *capsys.readouterr())

    return call
