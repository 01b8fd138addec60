"""Small models with a real vocabulary, untrained, shared by the tests."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from nmtcore.config import DecodingConfig
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import Vocab
from tests.accelerator import Accelerator, accelerator
from tests.helpers import SENTENCES, WORD_BY_WORD, small

torch.set_num_threads(1)
os.environ.setdefault("ALIGNMENT_LAB_NICENESS", "0")  # trainings that tests wait for do not stand behind other tests
SHORT = 14  # the most pieces of an untrained model's translation, which seldom ends by itself, so that tests are fast


def pytest_collection_finish() -> None:
    """Collect garbage as rarely as the server does: looking through all modules took a twelfth of the tests' time."""
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
    """A folder laid out as `pretrained/`: two pairs, each with an untrained model of each that writes word by word."""
    root = tmp_path_factory.mktemp("pretrained")
    for source, target in (("en", "fr"), ("zh", "en")):
        for architecture in WORD_BY_WORD:
            made = small(architecture, vocab)
            checkpoint.save(
                root / f"{source}-{target}" / architecture, made.model, vocab, {"source": source, "target": target}
            )
    return root


@pytest.fixture
def device() -> Iterator[Accelerator]:
    """The stand-in for a GPU."""
    with accelerator() as found:
        yield found


@pytest.fixture
def short_translations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no limit is set, translations are at most SHORT pieces long."""
    limit = DecodingConfig.limit

    def short(self: DecodingConfig, source_length: int) -> int:
        return self.max_length or min(limit(self, source_length), SHORT)

    monkeypatch.setattr(DecodingConfig, "limit", short)
