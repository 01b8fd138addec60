"""Small models with a real vocabulary, untrained, shared by the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from nmtcore.config import ARCHITECTURES, model_config
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import Vocab

torch.set_num_threads(1)

SENTENCES = [
    "the small cat sees a red house .",
    "a big dog does not like the old cat .",
    "le petit chat voit une maison rouge .",
    "un grand chien n' aime pas le vieux chat .",
    "红色的房子很大。",
]
SIZES: dict[str, dict[str, Any]] = {
    "transformer": {"width": 16, "feedforward": 24, "heads": 2, "encoder_layers": 2, "decoder_layers": 3},
    **{name: {"embedding": 12, "units": 18} for name in ("none", "additive", "dot")},
}


@pytest.fixture(scope="session")
def vocab() -> Vocab:
    return Vocab.train(SENTENCES * 3, 90)


def small(architecture: str, vocab: Vocab, seed: int = 5) -> Checkpoint:
    """An untrained model; its weights are spread so that its probabilities are not all alike."""
    torch.manual_seed(seed)
    model = checkpoint.build(model_config(architecture, len(vocab), **SIZES[architecture]))
    for parameter in model.parameters():
        parameter.data *= 2
    return Checkpoint(model.eval(), vocab, f"en-fr/{architecture}", {"source": "en", "target": "fr"})


@pytest.fixture(scope="session", params=ARCHITECTURES)
def small_checkpoint(request: pytest.FixtureRequest, vocab: Vocab) -> Checkpoint:
    return small(request.param, vocab)


@pytest.fixture(scope="session")
def model_folders(tmp_path_factory: pytest.TempPathFactory, vocab: Vocab) -> Path:
    """A folder laid out as `pretrained/`: two pairs with four untrained models each."""
    root = tmp_path_factory.mktemp("pretrained")
    for source, target in (("en", "fr"), ("zh", "en")):
        for architecture in ARCHITECTURES:
            made = small(architecture, vocab)
            checkpoint.save(
                root / f"{source}-{target}" / architecture, made.model, vocab, {"source": source, "target": target}
            )
    return root
