"""Search: greedy and beam over any model, through encode, start and step only.

Both work on a batch of B sentences and keep what they saw as back-pointers, one `SearchStep` a step;
`recorder.py` turns the steps of one sentence into a Trace. The model and its probabilities are torch's; of each step
only the likeliest candidates are read back, and choosing among so few is done in numpy, where small things are quick.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nmtcore.config import DecodingConfig
from nmtcore.errors import InterventionError
from nmtcore.intervention import NO_CHANGE, AttentionKind, Intervention
from nmtcore.models.padded import Padded
from nmtcore.models.seq2seq import Layers, Memory, Seq2Seq, StepOutput
from nmtcore.text.vocabulary import EOS, PAD, SOS

CANDIDATES = 10  # recorded for every hypothesis and step
Ids = np.ndarray[Any, np.dtype[np.int64]]
Numbers = np.ndarray[Any, np.dtype[np.float32]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]
INFINITY = np.float32(math.inf)
COVERAGE_FLOOR = 1e-6  # smallest coverage of a source position whose logarithm is taken


@dataclass(frozen=True)
class SearchStep:
    """One step of search. k hypotheses a sentence, C candidates a hypothesis, likeliest first.

    A slot without a live hypothesis has the total -inf; so has a forbidden candidate in `allowed`.
    """

    tokens: Ids  # (B, k, C)
    log_probabilities: Numbers  # (B, k, C) of the candidates alone
    totals: Numbers  # (B, k, C) log P of the hypotheses that the candidates would make
    allowed: Numbers  # (B, k, C) the same, -inf where an Intervention forbids the candidate
    chosen: Ids  # (B, k) index into k * C of what each slot goes on with; -1: nothing, the slot is empty
    attention: Mapping[AttentionKind, Layers]  # of the B * k rows, slot-major within a sentence
    inner: Mapping[str, Layers]  # of the same rows


@dataclass(frozen=True)
class Search:
    """A finished search: what was read and every step."""

    memory: Memory  # of the B sentences
    steps: tuple[SearchStep, ...]
    width: int
    coverage: Tensor  # (T, B, k) sum_i log min(sum_j alpha_ij, 1) of each hypothesis after each step


def search(model: Seq2Seq, source: Padded, decoding: DecodingConfig, intervention: Intervention = NO_CHANGE) -> Search:
    """Greedy where the beam keeps one hypothesis, else beam search."""
    return (greedy if decoding.beam == 1 else beam)(model, source, decoding, intervention)


@torch.inference_mode()
def greedy(model: Seq2Seq, source: Padded, decoding: DecodingConfig, intervention: Intervention = NO_CHANGE) -> Search:
    """The likeliest next token at every step, until `<eos>` or the length limit."""
    check(model, source, decoding, intervention)
    memory = model.encode(source, intervention)
    state = model.start(memory)
    batch, device = len(source.ids), source.ids.device
    tokens = torch.full((batch,), SOS, device=device)
    total = np.zeros(batch, np.float32)  # log P so far; -inf once finished
    row = np.arange(batch)
    coverage = Coverage(memory, 1)
    steps = []
    for position in range(min(decoding.limit(source.ids.size(1)), model.max_length)):
        seen = model.step(tokens, state, memory, intervention)
        state = seen.state
        coverage.add(seen)
        ids, likelihoods, forbidden = top_candidates(seen.logits, position, intervention, CANDIDATES)
        totals = total[:, None] + likelihoods  # (B, C)
        allowed = totals if forbidden is None else np.where(forbidden, -INFINITY, totals)
        best = allowed.argmax(1)  # (B,)
        total, following = allowed[row, best], ids[row, best]
        live = total > -INFINITY
        steps.append(
            SearchStep(
                ids[:, None],
                likelihoods[:, None],
                totals[:, None],
                allowed[:, None],
                np.where(live, best, -1)[:, None],
                seen.attention,
                seen.inner,
            )
        )
        live &= following != EOS
        if not live.any():
            break
        total = np.where(live, total, -INFINITY)
        tokens = torch.from_numpy(following).to(device)
    return Search(memory, tuple(steps), 1, coverage.sums())


@torch.inference_mode()
def beam(model: Seq2Seq, source: Padded, decoding: DecodingConfig, intervention: Intervention = NO_CHANGE) -> Search:
    """Of the k * |V| continuations of a step keep the k best by log P; a finished one keeps its place.

    Alpha and beta play no part here: they rank what has finished (Wu et al. 2016, eq. 14, who prune during the search
    as well), so that one recorded search can be ranked again for any of them. Stops when k have finished, or at the
    length limit.
    """
    check(model, source, decoding, intervention)
    batch, k, device = len(source.ids), decoding.beam, source.ids.device
    memory = model.encode(source, intervention)
    wide = memory.select(torch.arange(batch, device=device).repeat_interleave(k))  # every slot looks at its sentence
    state = model.start(wide)
    tokens = torch.full((batch * k,), SOS, device=device)
    total = np.full((batch, k), -INFINITY)  # log P of the live hypotheses
    total[:, 0] = 0.0
    free = np.full((batch, 1), k)  # places not taken by finished hypotheses
    sentence, place = np.arange(batch)[:, None], np.arange(k)[None]
    coverage = Coverage(wide, k)
    steps = []
    for position in range(min(decoding.limit(source.ids.size(1)), model.max_length)):
        seen = model.step(tokens, state, wide, intervention)
        coverage.add(seen)
        ids, likelihoods, forbidden = top_candidates(seen.logits, position, intervention, max(CANDIDATES, k))
        shape = (batch, k, ids.shape[1])
        totals = total[..., None] + likelihoods.reshape(shape)  # (B, k, C)
        allowed = totals if forbidden is None else np.where(forbidden.reshape(shape), -INFINITY, totals)
        every = allowed.reshape(batch, -1)
        where = (-every).argsort(1, kind="stable")[:, :k]  # (B, k) into k * C
        best = every[sentence, where]
        kept = (place < free) & (best > -INFINITY)
        steps.append(
            SearchStep(
                ids.reshape(shape),
                likelihoods.reshape(shape),
                totals,
                allowed,
                np.where(kept, where, -1),
                seen.attention,
                seen.inner,
            )
        )
        following = ids.reshape(batch, -1)[sentence, where]  # (B, k)
        live = kept & (following != EOS)
        if not live.any():
            break
        free = free - (kept & ~live).sum(1, keepdims=True)
        total = np.where(live, best, -INFINITY)
        parents = torch.from_numpy((sentence * k + where // shape[2]).ravel()).to(device)  # (B * k,) rows
        state = seen.state.select(parents)
        coverage.select(parents)
        tokens = torch.from_numpy(following.ravel()).to(device)
    return Search(memory, tuple(steps), k, coverage.sums())


def top_candidates(
    logits: Tensor, position: int, intervention: Intervention, count: int
) -> tuple[Ids, Numbers, Mask | None]:
    """The likeliest next tokens of each row, their log-probabilities, and which of them are forbidden.

    logits: (N, V). Returns (N, C) ids and log-probabilities, likeliest first, and a (N, C) mask or None. The
    model's own probabilities are never changed by an Intervention: it forbids tokens to be chosen.
    """
    likelihoods = logits.float().log_softmax(-1)
    likelihoods[:, PAD] = likelihoods[:, SOS] = -math.inf  # never a next token
    tokens = [token for step, token in intervention.forbidden if step is None or step == position]
    forced = dict(intervention.forced).get(position)
    count = min(count + len(tokens), likelihoods.size(1) - 2)
    best, tokens_of_best = likelihoods.topk(count)
    if forced is not None:
        both, ids = read_back(torch.cat((best, likelihoods[:, forced, None]), 1), tokens_of_best)
        values, own = both[:, :-1], both[:, -1]
        absent = (ids != forced).all(1)
        ids[absent, -1] = forced
        values[absent, -1] = own[absent]
        return ids, values, ids != forced
    values, ids = read_back(best, tokens_of_best)
    if tokens:
        return ids, values, (ids[..., None] == tokens).any(-1)
    return ids, values, None


def read_back(numbers: Tensor, ids: Tensor) -> tuple[Numbers, Ids]:
    """float32 numbers and int64 ids, (N, ...) each, as arrays; from a GPU at once, since each question waits for it."""
    if numbers.device.type == "cpu":
        return numbers.numpy(), ids.numpy()
    both = torch.cat((numbers.view(torch.int32).long(), ids), -1).cpu().numpy()
    bits, found = np.split(both, [numbers.size(-1)], -1)
    return bits.astype(np.int32).view(np.float32), found


class Coverage:
    """The sum over steps of each hypothesis's attention to every source position.

    Of the Transformer's cross attention, the mean over the heads of the last layer. The logarithms are taken
    once, after the search: nothing in it depends on them.
    """

    def __init__(self, memory: Memory, width: int) -> None:
        self.mask, self.width = memory.mask, width  # (B * k, S)
        self.sum = torch.zeros(memory.mask.shape, device=memory.mask.device)  # (B * k, S), over heads too
        self.after: list[Tensor] = []  # the sum after each step
        self.heads = 0  # a model without attention covers nothing, and nothing is held against it

    def add(self, seen: StepOutput) -> None:
        """Add this step's attention to what each hypothesis has seen."""
        if "cross" in seen.attention:
            weights = seen.attention["cross"][-1]  # (B * k, H, 1, S)
            self.heads = weights.size(1)
            self.sum = self.sum + weights.sum((1, 2))  # (B * k, S)
        self.after.append(self.sum)

    def select(self, parents: Tensor) -> None:
        """Go on with the hypotheses of these rows, (B * k,)."""
        self.sum = self.sum.index_select(0, parents)

    def sums(self) -> Tensor:
        """(T, B, k) log-coverage of every hypothesis after every step; zero without attention."""
        covered = torch.stack(self.after) / max(self.heads, 1)  # (T, B * k, S)
        logs = covered.clamp(COVERAGE_FLOOR, 1.0).log() * (self.mask & (self.heads > 0))
        return logs.sum(2).view(len(covered), -1, self.width)


def check(model: Seq2Seq, source: Padded, decoding: DecodingConfig, intervention: Intervention) -> None:
    """Raise InterventionError for a change that names what this model, sentence or search does not have."""
    model.check(intervention, source.ids.size(1))
    limit, size = min(decoding.limit(source.ids.size(1)), model.max_length), model.config.vocab_size
    for step, token in (*intervention.forced, *intervention.forbidden):
        if step is not None and not 0 <= step < limit:
            raise InterventionError(
                f"Step {step + 1} is beyond the length limit: steps 1 to {limit} can be forced or forbidden here."
            )
        if not 0 <= token < size or token in (PAD, SOS):
            raise InterventionError(
                f"Token {token} cannot be forced or forbidden: ids go from {SOS + 1} to {size - 1}."
            )
    for step, _ in intervention.attention:
        if not 0 <= step < limit:
            raise InterventionError(f"Attention can be changed at steps 1 to {limit}; not at step {step + 1}.")
