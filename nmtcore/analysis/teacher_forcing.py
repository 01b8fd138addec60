"""Teacher forcing at test time: score a given translation with a model, and compare the score with search's winner.

Search errors and model errors are distinguished as by Stahlberg and Byrne (2019): if a translation scores higher than
search's winner, search lost it; if not, the model itself prefers the winner.
"""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch

from nmtcore.decoding.decode import force
from nmtcore.decoding.trace import Trace, coverage_penalty, length_penalty
from nmtcore.errors import TextError
from nmtcore.limits import MAX_PIECES
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.padded import pad
from nmtcore.text.source import SourceText
from nmtcore.text.vocabulary import EOS, PAD, SOS, UNK, Subwords, Vocab

Verdict = Literal["same", "other_pieces", "unfinished", "search_error", "model_error"]
EQUAL = 1e-4  # smaller differences between scores are rounding


class ForcedPiece(NamedTuple):
    """A piece y_j of the true translation, given the true y_1 .. y_{j-1}, and the model's favourite in its place."""

    token: str
    id: int
    log_probability: float
    rank: int  # of y_j in the vocabulary, counted from one
    favourite: str
    favourite_log_probability: float


@dataclass(frozen=True)
class TeacherForcing:
    """The forced score of a translation, piece by piece, `<eos>` last.

    coverage: sum_i log min(sum_j alpha_ij, 1), as for a hypothesis of search; zero without attention.
    """

    text: str
    pieces: tuple[ForcedPiece, ...]
    coverage: float

    @property
    def log_probability(self) -> float:
        """log P(y | x), the sum over the pieces."""
        return sum(piece.log_probability for piece in self.pieces)

    @property
    def first_difference(self) -> int:
        """The first step, counted from one, at which the model would have written something else; 0 if none."""
        return next((step for step, piece in enumerate(self.pieces, 1) if piece.rank > 1), 0)

    def score(self, alpha: float, beta: float) -> float:
        """s(y, x) = log P / lp + cp, by which search ranks finished hypotheses (Wu et al. 2016)."""
        penalty = length_penalty(len(self.pieces), alpha)
        return self.log_probability / penalty + coverage_penalty(self.coverage, beta)


@torch.inference_mode()
def force_truth(checkpoint: Checkpoint, source: SourceText, truth: SourceText) -> TeacherForcing:
    """Score the true translation by teacher forcing: the probability of each piece.

    Raises TextError for a translation that is empty, exceeds the limits, or has a piece outside the vocabulary.
    """
    model, vocab = checkpoint.model, checkpoint.vocab
    ids, pieces = target_pieces(checkpoint, truth)
    labels = [*ids, EOS]
    padded = pad([[*source.subwords(vocab).ids, EOS]]).to(model.device)
    logits = model(padded, pad([[SOS, *ids]]).to(model.device))[0]  # (T, V)
    likelihoods = logits.float().log_softmax(-1)
    true = likelihoods.gather(1, torch.tensor(labels, device=model.device)[:, None])  # (T, 1)
    likelihoods[:, PAD] = likelihoods[:, SOS] = -math.inf  # never a next token, as in search
    ranks = (likelihoods > true).sum(1) + 1
    best, favourites = likelihoods.max(1)
    forced = tuple(
        ForcedPiece(*row)
        for row in zip(
            [*pieces, "<eos>"],
            labels,
            true[:, 0].tolist(),
            ranks.tolist(),
            [vocab.token(i) for i in favourites.tolist()],
            best.tolist(),
            strict=True,
        )
    )
    beam = force(checkpoint, source.text, truth.text).beam
    return TeacherForcing(truth.text, forced, next(node.coverage for node in beam if node.fate == "winner"))


def target_pieces(checkpoint: Checkpoint, target: SourceText, most: int = MAX_PIECES) -> Subwords:
    """The subwords of a true translation, without `<eos>`. Raises TextError like `force_truth`."""
    cut = target.subwords(checkpoint.vocab.target)
    if not cut.ids:
        raise TextError("Type the translation that you think is right.")
    if len(cut.ids) > (most := min(most, checkpoint.model.max_length - 1)):
        raise TextError(f"This translation has {len(cut.ids)} pieces; the limit of this model is {most}. Shorten it.")
    if UNK in cut.ids:
        piece = cut.pieces[cut.ids.index(UNK)]
        raise TextError(f"“{piece}” is not in this model's vocabulary, so it has no probability: write it otherwise.")
    return cut


def verdict(forced: TeacherForcing, searched: Trace, vocab: Vocab, alpha: float, beta: float) -> Verdict:
    """Compare the forced score with that of search's winner, for these penalties.

    same: search found this translation. other_pieces: it found the same text, in other pieces. unfinished: search
    stopped at its length limit, so there is no whole translation to compare.
    """
    end = searched.ranked(alpha, beta)[0]
    ids = [node.token_id for node in searched.path(end)]
    true = [piece.id for piece in forced.pieces]
    if ids == true:
        return "same"
    if ids[-1] != EOS:
        return "unfinished"
    if vocab.decode(ids) == vocab.decode(true):
        return "other_pieces"
    return "search_error" if forced.score(alpha, beta) > end.score(alpha, beta) + EQUAL else "model_error"
