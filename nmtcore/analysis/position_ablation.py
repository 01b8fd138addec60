"""Position ablation: translate the same pieces in another order, to show what a model knows about word order."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from nmtcore.config import DecodingConfig
from nmtcore.decoding.decode import translate_subwords
from nmtcore.decoding.trace import Array, Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.padded import pad
from nmtcore.text.source import SourceText
from nmtcore.text.vocabulary import EOS, Subwords
from nmtcore.text.words import join_pieces


def translate_permuted(
    checkpoint: Checkpoint,
    text: SourceText,
    order: Sequence[int],
    decoding: DecodingConfig,
    intervention: Intervention = NO_CHANGE,
) -> Trace:
    """Translate the pieces of `text` in another order: position i reads piece `order[i]`; `<eos>` stays last.

    Raises InterventionError for an order that does not contain each piece once.
    """
    ids, pieces = text.subwords(checkpoint.vocab)
    check_order(order, len(ids))
    # Tokenising the shuffled text again could split it differently.
    shuffled = Subwords(tuple(ids[i] for i in order), tuple(pieces[i] for i in order))
    return translate_subwords(checkpoint, join_pieces(shuffled.pieces), shuffled, decoding, intervention)


def check_order(order: Sequence[int], count: int) -> None:
    """Raise InterventionError for an order that does not contain each of `count` pieces once."""
    if sorted(order) != list(range(count)):
        raise InterventionError(f"The order must contain each of the {count} pieces once.")


def random_order(count: int, seed: int) -> tuple[int, ...]:
    """A random order of `count` positions, determined by `seed`; with two or more, never the original order."""
    random = np.random.default_rng(seed)
    order = tuple(range(count))
    while count > 1 and order == tuple(range(count)):
        order = tuple(random.permutation(count).tolist())
    return order


@dataclass(frozen=True, eq=False)
class PermutedStates:
    """The encoder's outputs for a sentence and for its pieces in another order, matched piece by piece.

    kept, shuffled: (S, D) for the same S pieces in the order of the sentence, `<eos>` last.
    """

    tokens: tuple[str, ...]
    kept: Array
    shuffled: Array

    @property
    def largest(self) -> float:
        """The largest difference between two numbers that would be equal if order had no effect."""
        return float(np.abs(self.shuffled - self.kept).max())

    @property
    def moved(self) -> Array:
        """(S,) how far each piece's output moved, relative to its length: |h' - h| / |h|."""
        moved: Array = np.linalg.norm(self.shuffled - self.kept, axis=1) / np.linalg.norm(self.kept, axis=1)
        return moved


@torch.inference_mode()
def permuted_states(
    checkpoint: Checkpoint, text: SourceText, order: Sequence[int], intervention: Intervention = NO_CHANGE
) -> PermutedStates:
    """Run only the encoder over the pieces of `text` in their own and in another order, in one batch.

    Raises InterventionError like `translate_permuted`.
    """
    ids, pieces = text.subwords(checkpoint.vocab)
    check_order(order, len(ids))
    both = pad([[*ids, EOS], [*(ids[i] for i in order), EOS]]).to(checkpoint.model.device)
    kept, shuffled = checkpoint.model.encode(both, intervention).states.float().cpu().numpy()
    back = [*np.argsort(order).tolist(), len(order)]
    return PermutedStates((*pieces, "<eos>"), kept, shuffled[back])
