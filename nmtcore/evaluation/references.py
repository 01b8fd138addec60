"""References: the sentences of a test set, each with all its translations, within the limits of a model.

The log-likelihood of the references is the probability that a model assigns to human translations.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nmtcore.config import is_autoregressive
from nmtcore.errors import DataError
from nmtcore.limits import MAX_CHARACTERS, MAX_PIECES
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.normalization import normalized_length
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.batches import fixed_batches
from nmtcore.training.corpus import Pair
from nmtcore.training.loss import mean_loss

SCORE_TOKENS = 4000  # padded pieces scored at a time


@dataclass(frozen=True)
class Item:
    """A sentence and all its translations."""

    source: str
    references: tuple[str, ...]


def group_references(pairs: Iterable[Pair]) -> list[Item]:
    """Multiple references: one item per source, in the order of their first rows."""
    grouped: dict[str, list[str]] = {}
    for pair in pairs:
        grouped.setdefault(pair.source, []).append(pair.target)
    return [Item(source, tuple(references)) for source, references in grouped.items()]


def within_limits(items: Sequence[Item], vocab: Vocab, max_length: int = MAX_PIECES + 1) -> list[Item]:
    """Drop items with a side that is too long for a model. Raises DataError if none is left.

    max_length: the largest number of tokens that the model supports, including `<eos>`.
    """
    kept = [item for item in items if all(fits(text, vocab, max_length) for text in (item.source, *item.references))]
    if not kept:
        raise DataError(
            f"There is nothing to evaluate: no sentence has at most {min(MAX_PIECES, max_length - 1)} pieces."
        )
    return kept


def fits(text: str, vocab: Vocab, max_length: int) -> bool:
    """Whether a text is within the limits and, with `<eos>`, has at most `max_length` tokens."""
    return normalized_length(text) <= MAX_CHARACTERS and len(vocab.encode(text)) <= min(MAX_PIECES, max_length - 1)


def reference_log_probability(checkpoint: Checkpoint, items: Sequence[Item]) -> dict[str, float]:
    """Mean log P(reference | source), natural logarithm: per reference, and per piece including `<eos>`.

    Empty for a mask-predict model, which does not define it.
    """
    if not is_autoregressive(checkpoint.config.architecture):
        return {}
    pairs = [Pair(item.source, reference) for item in items for reference in item.references]
    batches = fixed_batches(checkpoint.vocab, pairs, SCORE_TOKENS)
    a_piece = -mean_loss(checkpoint.model, batches)
    a_reference = a_piece * sum(map(len, batches.targets)) / len(pairs)
    return {
        "reference_log_probability": round(a_reference, 4),
        "reference_log_probability_per_piece": round(a_piece, 4),
    }
