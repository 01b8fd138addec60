"""Log-likelihood of the references: the probability that a model assigns to human translations."""

from collections.abc import Sequence

from nmtcore.evaluation.references import Item
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.training.batches import fixed_batches
from nmtcore.training.corpus import Pair
from nmtcore.training.loss import mean_loss

SCORE_TOKENS = 4000  # padded pieces scored at a time


def reference_log_probability(checkpoint: Checkpoint, items: Sequence[Item]) -> tuple[float, float]:
    """Mean log P(reference | source), natural logarithm: per reference, and per piece including `<eos>`."""
    pairs = [Pair(item.source, reference) for item in items for reference in item.references]
    batches = fixed_batches(checkpoint.vocab, pairs, SCORE_TOKENS)
    a_piece = -mean_loss(checkpoint.model, batches)
    return a_piece * sum(map(len, batches.targets)) / len(pairs), a_piece
