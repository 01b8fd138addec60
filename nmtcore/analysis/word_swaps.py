"""Sensitivity of the context vector: how far C moves when one word of a sentence is replaced, position by position.

If C has forgotten a word, replacing it leaves C where it is. Each word is replaced by the word at the same position in
another sentence of the same length, and the distance between the two vectors is divided by the mean distance between
the vectors of two sentences: 1 is as far as from one sentence to another.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from nmtcore.decoding.trace import Array
from nmtcore.errors import DataError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.padded import pad
from nmtcore.text.vocabulary import EOS, Vocab
from nmtcore.text.words import bare, group_pieces, is_punctuation

LEAST = 5  # sentences; with fewer, quartiles say nothing


@dataclass(frozen=True, eq=False)
class WordSwaps:
    """How far C moved for each of N sentences and each of its W words, relative to the distance between two sentences.

    moves: (N, W); 1 is the mean distance between the C of two sentences.
    """

    sentences: tuple[str, ...]
    moves: Array


def sentences_of_length(sentences: Iterable[str], vocab: Vocab, length: int, most: int) -> dict[str, list[list[int]]]:
    """The first sentences of `length` words and a final punctuation mark: the ids of each word, the mark's last."""
    chosen: dict[str, list[list[int]]] = {}
    for sentence in sentences:
        if len(chosen) == most:
            break
        pieces = vocab.pieces(sentence)
        groups = group_pieces(pieces)
        if len(groups) == length + 1 and is_punctuation("".join(bare(pieces[at]) for at in groups[-1])):
            ids = vocab.encode(sentence)
            chosen[sentence] = [[ids[at] for at in group] for group in groups]
    return chosen


@torch.inference_mode()
def swap_words(checkpoint: Checkpoint, sentences: Iterable[str], length: int, most: int = 40) -> WordSwaps:
    """Replace each word in up to `most` of the sentences that have `length` words.

    Each sentence takes its words from the next one. Raises DataError for a model without C, or if fewer than five
    sentences have that length.
    """
    words = sentences_of_length(sentences, checkpoint.vocab, length, most)
    if len(words) < LEAST:
        raise DataError(f"There are {len(words)} sentences of {length} words: too few to exchange words among them.")
    rows = list(words.values())
    others = [*rows[1:], rows[0]]
    swapped = [
        [*row[:i], other[i], *row[i + 1 :]] for row, other in zip(rows, others, strict=True) for i in range(length)
    ]
    context = _contexts(checkpoint, [*rows, *swapped])  # (N + N W, D)
    whole, moved = context[: len(rows)], context[len(rows) :].reshape(len(rows), length, -1)
    pairs = np.linalg.norm(whole[:, None] - whole[None], axis=-1)[np.triu_indices(len(rows), 1)]
    moves: Array = np.linalg.norm(moved - whole[:, None], axis=-1) / pairs.mean()
    return WordSwaps(tuple(words), moves)


def _contexts(checkpoint: Checkpoint, sentences: Sequence[Sequence[Sequence[int]]]) -> Array:
    """Context vector C of each sentence, (N, D); a sentence is given as the ids of each word."""
    ids = [[*(i for word in words for i in word), EOS] for words in sentences]
    context = checkpoint.model.encode(pad(ids).to(checkpoint.model.device)).context
    if context is None:
        raise DataError("This model has no context vector.")
    result: Array = context.float().cpu().numpy()
    return result
