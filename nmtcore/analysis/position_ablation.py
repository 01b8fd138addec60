"""Position ablation: the same pieces in another order, which tells what a model knows of the order of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nmtcore.config import DecodingConfig
from nmtcore.decoding.decode import translate_pieces
from nmtcore.decoding.trace import Array, Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.words import join_pieces


def translate_permuted(
    checkpoint: Checkpoint,
    text: str,
    order: Sequence[int],
    decoding: DecodingConfig,
    intervention: Intervention = NO_CHANGE,
) -> Trace:
    """Translate the pieces of `text` in another order: piece `order[i]` is read at place i; `<eos>` stays last.

    Raises InterventionError for an order that does not hold each piece once.
    """
    ids, pieces = checkpoint.vocab.encode(text), checkpoint.vocab.pieces(text)
    if sorted(order) != list(range(len(ids))):
        raise InterventionError(f"The order must hold each of the {len(ids)} pieces once.")
    shuffled = [pieces[i] for i in order]  # encoding the shuffled text anew could split it differently
    text = join_pieces(shuffled)
    return translate_pieces(checkpoint, text, [ids[i] for i in order], shuffled, decoding, intervention)


def random_order(count: int, seed: int) -> tuple[int, ...]:
    """An order of `count` places that depends on `seed` alone and, from two places on, is not the given one."""
    random = np.random.default_rng(seed)
    order = tuple(range(count))
    while count > 1 and order == tuple(range(count)):
        order = tuple(random.permutation(count).tolist())
    return order


@dataclass(frozen=True, eq=False)
class PermutedStates:
    """The encoder's outputs for one sentence in order and in another order, word for word.

    kept, shuffled: (S, D) of the same S pieces in the order of the sentence, `<eos>` last.
    """

    tokens: tuple[str, ...]
    kept: Array
    shuffled: Array

    @property
    def largest(self) -> float:
        """The largest difference between two numbers that would be equal if order meant nothing."""
        return float(np.abs(self.shuffled - self.kept).max())

    @property
    def moved(self) -> Array:
        """(S,) how far each piece's output moved, as a share of its length: |h' - h| / |h|."""
        moved: Array = np.linalg.norm(self.shuffled - self.kept, axis=1) / np.linalg.norm(self.kept, axis=1)
        return moved


def compare_states(trace: Trace, shuffled: Trace, order: Sequence[int]) -> PermutedStates:
    """Compare the encoder's outputs of a Trace with those of the same pieces read in `order`."""
    back = [*np.argsort(order).tolist(), len(order)]
    return PermutedStates(trace.source, trace.inner["states"][0], shuffled.inner["states"][0][back])
