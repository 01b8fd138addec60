"""Shared by tests: a small corpus, and small untrained models with a real vocabulary."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from nmtcore.config import ARCHITECTURES, DecodingConfig, ModelConfig, model_config
from nmtcore.decoding import decode
from nmtcore.decoding.trace import AttentionMap, BeamNode, Step, Trace
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.corpus import Pair

PATIENCE = 300.0  # s until what a test waits for counts as hanging: many times what a slow and busy machine needs
SENTENCES = [
    "the small cat sees a red house .",
    "a big dog does not like the old cat .",
    "le petit chat voit une maison rouge .",
    "un grand chien n' aime pas le vieux chat .",
    "红色的房子很大。",
]
PAIRS = [Pair("the cat", "le petit chat voit"), Pair("a big dog sees a house", "un"), Pair("a", "une maison rouge")]
NOUNS = {"cat": "chat", "dog": "chien", "house": "maison", "horse": "cheval", "garden": "jardin", "street": "rue"}
COLOURS = {"red": "rouge", "small": "petit", "big": "grand", "old": "vieux", "blue": "bleu", "good": "bon"}
SIZES: dict[str, dict[str, Any]] = {
    "transformer": {"width": 16, "feedforward": 24, "heads": 2, "encoder_layers": 2, "decoder_layers": 3},
    **{name: {"embedding": 12, "units": 18} for name in ("none", "additive", "dot", "copying")},
}
SIZES["relative"] = SIZES["transformer"] | {"max_relative_position": 3}
SIZES["deep-lstm"] = {"embedding": 12, "units": 18, "encoder_layers": 3, "decoder_layers": 4}
SIZES["convolutional"] = {"embedding": 12, "units": 18, "encoder_layers": 2, "decoder_layers": 3}
SIZES["mask-predict"] = SIZES["transformer"] | {"longest": 40}
WORD_BY_WORD = tuple(name for name, entry in ARCHITECTURES.items() if entry.autoregressive)  # those that search can use
SPREAD = {"convolutional": 1.3, "deep-lstm": 1.5}  # of weights whose layers multiply each other


def random_model(config: ModelConfig, seed: int = 3, spread: float = 1.0, noise: float = 0.0) -> Any:
    """A model with random weights.

    spread: a factor on them, so that probabilities are not all alike; noise: the deviation of added noise, so
    that biases and gains, which begin at zero and one and so hide mistakes, do not stay there.
    """
    torch.manual_seed(seed)
    model = checkpoint.build(config)
    for parameter in model.parameters():
        parameter.data *= spread
        if noise:
            parameter.data += noise * torch.randn_like(parameter)
    return model.eval()


def untrained(config: ModelConfig, vocab: Vocab, seed: int = 3, spread: float = 1.0, noise: float = 0.0) -> Checkpoint:
    """`random_model` with a vocabulary, as a model of English to French."""
    model = random_model(config, seed, spread, noise)
    return Checkpoint(model, vocab, f"en-fr/{config.architecture}", {"source": "en", "target": "fr"})


def small(architecture: str, vocab: Vocab, seed: int = 5) -> Checkpoint:
    """An untrained model of the sizes above."""
    config = model_config(architecture, len(vocab), **SIZES[architecture])
    return untrained(config, vocab, seed, SPREAD.get(architecture, 2.0))


def save_small(folder: Path, architecture: str, vocab: Vocab, **meta: str) -> Checkpoint:
    """A small model saved in a folder."""
    made = small(architecture, vocab)
    checkpoint.save(folder, made.model, vocab, {**made.meta, **meta})
    return made


def translate(
    model: Checkpoint, text: str, decoding: DecodingConfig | None = None, intervention: Intervention = NO_CHANGE
) -> Trace:
    """An autoregressive model's translation of a typed text."""
    return decode.translate(model, model.read(text), decoding, intervention)


Run = Callable[..., tuple[int, str, str]]  # arguments of a command to exit code, standard output, standard error


def refused(result: tuple[int, str, str], message: str) -> None:
    """Assert that a command has said in one line what is wrong."""
    code, out, err = result
    assert (code, out) == (2, "")
    assert message in err and err.count("\n") == 1 and err.startswith("python -m nmtcore"), err


def trace_of(
    steps: Sequence[tuple[str, float]],
    source: tuple[str, ...] = ("<eos>",),
    weights: Any = None,
    beam: tuple[BeamNode, ...] = (),
) -> Trace:
    """A record by hand: the pieces that were written with their log-probabilities, and their cross attention (T, S)."""
    target, total = tuple(token for token, _ in steps), sum(value for _, value in steps)
    cross = (
        () if weights is None else (AttentionMap("cross", target, source, np.array(weights, np.float32)[None, None]),)
    )
    return Trace(
        *("m", "dot", "", source, target, "", total, total, target[-1] == "<eos>", 0.1, DecodingConfig()),
        *(tuple(Step(token, i, value, ()) for i, (token, value) in enumerate(steps)), cross, beam),
    )


ROUNDING = 2**-24  # relative error of one float32 operation
SUMS = 8  # products of a layer, at most: q, k, v, scores, weighted values, their projection, both of the feed-forward


def rounding(model: Seq2Seq, size: float = 1.0) -> float:
    """How far apart a model's float32 results may be on two processors, or computed in two orders (forward error).

    Sums of n products are wrong by at most n roundings of their size (Higham 2002, section 3.1), which differ with the
    order: a processor adds 4, 8 or 16 numbers at once, and a batch of other rows in other blocks. Layers add theirs up.
    size: the largest magnitude of a result; 1 for probabilities and attention weights.
    """
    longest = max(weight.shape[-1] for weight in model.parameters() if weight.dim() > 1)
    layers = model.config.encoder_layers + model.config.decoder_layers  # type: ignore[attr-defined]
    return float(2 * layers * SUMS * longest * ROUNDING * size)
