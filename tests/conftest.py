"""Small models with a real vocabulary, untrained, shared by the tests."""

import gc
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from nmtcore.__main__ import main
from nmtcore.config import DecodingConfig
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import Vocab
from tests.accelerator import Accelerator, accelerator
from tests.helpers import COLOURS, NOUNS, SENTENCES, WORD_BY_WORD, Run, save_small, small

torch.set_num_threads(1)
os.environ.setdefault("ALIGNMENT_LAB_NICENESS", "0")  # trainings that tests wait for must not lag behind other tests
SHORT = 14  # the most pieces of an untrained model's translation, which seldom ends by itself, so that tests are fast


def pytest_collection_finish() -> None:
    """Collect garbage as rarely as the server does: scanning all modules took a twelfth of the tests' time."""
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)


@pytest.fixture(scope="session")
def vocab() -> Vocab:
    return Vocab.train(SENTENCES * 3, 90)


@pytest.fixture(scope="session", params=WORD_BY_WORD)
def small_checkpoint(request: pytest.FixtureRequest, vocab: Vocab) -> Checkpoint:
    return small(request.param, vocab)


@pytest.fixture(scope="session")
def model_folders(tmp_path_factory: pytest.TempPathFactory, vocab: Vocab) -> Path:
    """A folder laid out as `pretrained/`: two pairs, with an untrained model of each autoregressive architecture."""
    root = tmp_path_factory.mktemp("pretrained")
    for source, target in (("en", "fr"), ("zh", "en")):
        for architecture in WORD_BY_WORD:
            save_small(root / f"{source}-{target}" / architecture, architecture, vocab, source=source, target=target)
    return root


@pytest.fixture
def device() -> Iterator[Accelerator]:
    """The stand-in for a GPU."""
    with accelerator() as found:
        yield found


@pytest.fixture
def short_translations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a limit, translations are at most SHORT pieces long."""
    limit = DecodingConfig.limit

    def short(self: DecodingConfig, source_length: int) -> int:
        return self.max_length or min(limit(self, source_length), SHORT)

    monkeypatch.setattr(DecodingConfig, "limit", short)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    rows = [f"the {c} {n}\tle {COLOURS[c]} {NOUNS[n]}" for c in COLOURS for n in NOUNS]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
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
