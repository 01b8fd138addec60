"""Occlusion: score one output again without each source word, to measure how much it depends on that word."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from nmtcore.decoding.trace import Array, Trace
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.padded import pad
from nmtcore.text.vocabulary import SOS
from nmtcore.text.words import group_pieces, word_label

TOKENS = 1000  # target pieces scored at once; with 10,500 pieces, their logits need four times 42 MB


@dataclass(frozen=True, eq=False)
class Occlusion:
    """Occlusion of one output: its scores with the whole source and without each of its words.

    words: W source words; pieces: the positions of each in the source, none of them `<eos>`;
    whole: (T,) log P(y_j | y_<j, x); without: (W, T) the same with one word missing from x.
    """

    words: tuple[str, ...]
    pieces: tuple[tuple[int, ...], ...]
    target: tuple[str, ...]
    whole: Array
    without: Array

    @property
    def drops(self) -> Array:
        """(W,) log P(y | x) - log P(y | x without the word): the log-probability that the output loses."""
        drops: Array = self.whole.sum() - self.without.sum(1)
        return drops

    @property
    def shares(self) -> Array:
        """(T, W) leave-one-out alignment: each word's share of the losses of a piece over all left-out words.

        A row of zeros is a piece that no missing word makes less likely.
        """
        losses = np.maximum(self.whole - self.without, 0).T  # (T, W)
        totals = losses.sum(1, keepdims=True)
        shares_of_loss: Array = np.divide(losses, totals, where=totals > 0, out=np.zeros_like(losses))
        return shares_of_loss


def positions(trace: Trace) -> int:
    """Cost of occlusion in target positions: source words times output pieces."""
    return len(group_pieces(trace.source[:-1])) * len(trace.ids)


def occlude(checkpoint: Checkpoint, trace: Trace) -> Occlusion:
    """Occlude each word of the source in turn and score the output of `trace` again.

    Pieces are left out without tokenising again, so the other words stay the same.
    """
    ids = trace.source_ids
    pieces = trace.source[:-1]
    groups = tuple(tuple(group) for group in group_pieces(pieces))
    sources = [ids, *([i for at, i in enumerate(ids) if at not in group] for group in groups)]
    scores = forced_decoding(checkpoint, sources, trace.ids)
    names = tuple(word_label(pieces, group) for group in groups)
    return Occlusion(names, groups, trace.target, scores[0], scores[1:])


@torch.inference_mode()
def forced_decoding(checkpoint: Checkpoint, sources: Sequence[Sequence[int]], target: Sequence[int]) -> Array:
    """Forced decoding: log P(y_j | y_<j, x) for one target (T ids) and each of N sources (ids with `<eos>`), (N, T)."""
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
