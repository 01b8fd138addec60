"""What tests share: a small corpus, and small models with a real vocabulary, untrained."""

from typing import Any

import torch

from nmtcore.config import ARCHITECTURES, DecodingConfig, model_config
from nmtcore.decoding import decode
from nmtcore.decoding.trace import Trace
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.corpus import Pair

SENTENCES = [
    "the small cat sees a red house .",
    "a big dog does not like the old cat .",
    "le petit chat voit une maison rouge .",
    "un grand chien n' aime pas le vieux chat .",
    "红色的房子很大。",
]
PAIRS = [Pair("the cat", "le petit chat voit"), Pair("a big dog sees a house", "un"), Pair("a", "une maison rouge")]
SIZES: dict[str, dict[str, Any]] = {
    "transformer": {"width": 16, "feedforward": 24, "heads": 2, "encoder_layers": 2, "decoder_layers": 3},
    **{name: {"embedding": 12, "units": 18} for name in ("none", "additive", "dot", "copying")},
}
SIZES["relative"] = SIZES["transformer"] | {"max_relative_position": 3}
SIZES["deep-lstm"] = {"embedding": 12, "units": 18, "encoder_layers": 3, "decoder_layers": 4}
SIZES["convolutional"] = {"embedding": 12, "units": 18, "encoder_layers": 2, "decoder_layers": 3}
SIZES["mask-predict"] = {
    "width": 16,
    "feedforward": 24,
    "heads": 2,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "longest": 40,
}
WORD_BY_WORD = tuple(name for name, entry in ARCHITECTURES.items() if entry.autoregressive)  # what search can do
SPREAD = {"convolutional": 1.3, "deep-lstm": 1.5}  # of weights whose layers multiply each other


def small(architecture: str, vocab: Vocab, seed: int = 5) -> Checkpoint:
    """An untrained model; its weights are spread so that its probabilities are not all alike."""
    torch.manual_seed(seed)
    model = checkpoint.build(model_config(architecture, len(vocab), **SIZES[architecture]))
    for parameter in model.parameters():
        parameter.data *= SPREAD.get(architecture, 2.0)
    return Checkpoint(model.eval(), vocab, f"en-fr/{architecture}", {"source": "en", "target": "fr"})


def translate(
    model: Checkpoint, text: str, decoding: DecodingConfig | None = None, intervention: Intervention = NO_CHANGE
) -> Trace:
    """What a model that writes word by word makes of a typed text."""
    return decode.translate(model, model.read(text), decoding, intervention)


ROUNDING = 2**-24  # relative error of one float32 operation
SUMS = 8  # of a layer, at most: q, k, v, scores, weighted values, their projection, both of the feed-forward


def rounding(model: Seq2Seq, size: float = 1.0) -> float:
    """How far apart a model's float32 results may be on two processors, or computed in two orders (forward error).

    Sums of n products are wrong by at most n roundings of their size (Higham 2002, section 3.1), which differ with the
    order: a processor adds 4, 8 or 16 numbers at once, and a batch of other rows in other blocks. Layers add theirs up.
    size: the largest magnitude of a result; 1 for probabilities and attention weights.
    """
    longest = max(weight.shape[-1] for weight in model.parameters() if weight.dim() > 1)
    layers = model.config.encoder_layers + model.config.decoder_layers  # type: ignore[attr-defined]
    return float(2 * layers * SUMS * longest * ROUNDING * size)
