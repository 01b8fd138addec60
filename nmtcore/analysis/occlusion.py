"""Questions put to a model beyond one translation: what it still knows of a word, and of the order of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from nmtcore.config import DecodingConfig, Positions
from nmtcore.decoding.decode import translate_pieces
from nmtcore.decoding.trace import Array, Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.padded import pad
from nmtcore.models.transformer import Transformer, sinusoids
from nmtcore.text.vocabulary import EOS, SOS, SPACE
from nmtcore.text.words import group_pieces, label

TOKENS = 4000  # target pieces scored at once: their logits are what needs memory


@dataclass(frozen=True, eq=False)
class LeftOut:
    """One output, scored by its model with the whole source and without each of its words.

    words: W source words; pieces: the positions of each in the source, `<eos>` in none of them;
    whole: (T,) log P(y_j | y_<j, x); without: (W, T) the same where one word is not in x.
    """

    words: tuple[str, ...]
    pieces: tuple[tuple[int, ...], ...]
    target: tuple[str, ...]
    whole: Array
    without: Array

    @property
    def drops(self) -> Array:
        """(W,) log P(y | x) - log P(y | x without the word): what the output loses with it."""
        drops: Array = self.whole.sum() - self.without.sum(1)
        return drops


def left_out(checkpoint: Checkpoint, trace: Trace) -> LeftOut:
    """Score the output of `trace` again, on its source and on its source without each word in turn.

    Pieces are left out, nothing is tokenised again: the other words stay what they were.
    """
    ids = [*checkpoint.vocab.encode(trace.source_text), EOS]
    pieces = trace.source[:-1]
    groups = tuple(tuple(group) for group in group_pieces(pieces))
    sources = [ids, *([i for at, i in enumerate(ids) if at not in group] for group in groups)]
    scores = forced(checkpoint, sources, trace.ids)
    names = tuple(label(pieces, group) for group in groups)
    return LeftOut(names, groups, trace.target, scores[0], scores[1:])


def joined(pieces: Sequence[str]) -> str:
    """Pieces as a text, with spaces for sentencepiece's marks."""
    return "".join(pieces).replace(SPACE, " ").strip()


@torch.inference_mode()
def forced(checkpoint: Checkpoint, sources: Sequence[Sequence[int]], target: Sequence[int]) -> Array:
    """log P(y_j | y_<j, x) of one target (T ids) for each of N sources (ids with `<eos>`): (N, T)."""
    model = checkpoint.model
    labels = torch.tensor(target, device=model.device)  # (T,)
    inputs = [SOS, *target[:-1]]
    rows = max(1, TOKENS // len(target))
    scores = []
    for first in range(0, len(sources), rows):
        batch = pad(sources[first : first + rows]).to(model.device)
        logits = model(batch, pad([inputs] * len(batch.ids)).to(model.device))  # (n, T, V)
        likelihoods = logits.float().log_softmax(-1)
        scores.append(likelihoods.gather(2, labels.expand(len(logits), -1)[..., None])[..., 0])
    result: Array = torch.cat(scores).cpu().numpy()
    return result


def reordered(
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
    return translate_pieces(checkpoint, joined(shuffled), [ids[i] for i in order], shuffled, decoding, intervention)


def shuffle(count: int, seed: int) -> tuple[int, ...]:
    """An order of `count` places that depends on `seed` alone and, from two places on, is not the given one."""
    random = np.random.default_rng(seed)
    order = tuple(range(count))
    while count > 1 and order == tuple(range(count)):
        order = tuple(random.permutation(count).tolist())
    return order


@dataclass(frozen=True, eq=False)
class Permuted:
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


def permuted(trace: Trace, shuffled: Trace, order: Sequence[int]) -> Permuted:
    """Compare the encoder's outputs of a Trace with those of the same pieces read in `order`."""
    back = [*np.argsort(order).tolist(), len(order)]
    return Permuted(trace.source, trace.inner["states"][0], shuffled.inner["states"][0][back])


@dataclass(frozen=True, eq=False)
class PositionTable:
    """What a Transformer adds to its embeddings.

    own: (N, D) of the model, fewer rows where a learned table ends, none without positions; waves: (N, D) the
    sinusoids of that size.
    """

    kind: Positions
    own: Array | None
    waves: Array


def position_table(checkpoint: Checkpoint, length: int) -> PositionTable:
    """The first `length` positions of a Transformer."""
    model = checkpoint.model
    assert isinstance(model, Transformer)
    own = None
    if model.config.positions != "none":
        own = model.positions.detach()[:length].float().cpu().numpy()
    return PositionTable(model.config.positions, own, sinusoids(length, model.config.width).numpy())
