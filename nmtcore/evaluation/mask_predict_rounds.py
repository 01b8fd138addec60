"""Quality and speed by rounds of mask-predict, for non-autoregressive models."""

from collections.abc import Callable, Sequence
from typing import Any

from nmtcore.config import MaskPredictDecoding
from nmtcore.decoding.batched import translate_all
from nmtcore.evaluation.bleu_chrf import quality
from nmtcore.evaluation.references import Item
from nmtcore.models.checkpoint import Checkpoint

ROUNDS = (1, 2, 4, 10)


def by_rounds(
    checkpoint: Checkpoint, items: Sequence[Item], lengths: int, progress: Callable[[int], object] = lambda done: None
) -> list[dict[str, Any]]:
    """Quality and speed of a non-autoregressive model with 1, 2, 4 and 10 rounds of mask-predict."""
    result = []
    for rounds in ROUNDS:
        done = translate_all(
            checkpoint, [checkpoint.read(item.source) for item in items], MaskPredictDecoding(rounds, lengths), progress
        )
        measured = quality(done.texts, items, checkpoint.meta.get("target", ""))
        speed = round(len(items) / done.seconds, 2)
        result.append({"rounds": rounds, **measured.to_json(), "sentences_per_second": speed})
    return result
