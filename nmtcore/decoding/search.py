"""Beam search over any autoregressive model, through encode, start and step only; with a width of 1, greedy search.

It works on a batch of B sentences and stores back-pointers, one `SearchStep` per step; `recorder.py` turns the steps
of one sentence into a Trace. The model runs in torch; only the likeliest candidates of each step are read back, and
NumPy, which is faster on small arrays, chooses among them.
"""

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

GROUP = 20  # size of the groups in which `largest` searches for the largest log-probabilities
CANDIDATES = 10  # recorded for every hypothesis and step
Ids = np.ndarray[Any, np.dtype[np.int64]]
Numbers = np.ndarray[Any, np.dtype[np.float32]]
Array = np.ndarray[Any, Any]
Mask = np.ndarray[Any, np.dtype[np.bool_]]
INFINITY = np.float32(math.inf)
COVERAGE_FLOOR = 1e-6  # lower bound for coverage before its logarithm is taken


@dataclass(frozen=True)
class SearchStep:
    """One step of search: k hypotheses per sentence, C candidates per hypothesis, likeliest first.

    A slot without a live hypothesis has the total -inf, and so does a forbidden candidate in `allowed`. The model may
    compute fewer rows than there are slots: N rows, which `rows` assigns to slots.
    """

    tokens: Ids  # (B, k, C)
    log_probabilities: Numbers  # (B, k, C) of the candidates themselves
    totals: Numbers  # (B, k, C) log P of the hypotheses extended by the candidates
    allowed: Numbers  # (B, k, C) the same, -inf where an Intervention forbids the candidate
    chosen: Ids  # (B, k) index into k * C of each slot's continuation; -1: the slot is empty
    rows: Ids  # (B, k) each slot's row in the model's output; arbitrary for an empty slot
    attention: Mapping[AttentionKind, Layers]  # of the N rows
    inner: Mapping[str, Layers]  # of the same rows


@dataclass(frozen=True)
class Search:
    """A finished search: its source and every step."""

    memory: Memory  # of the B sentences
    steps: tuple[SearchStep, ...]
    width: int
    coverage: Numbers  # (T, B, k) sum_i log min(sum_j alpha_ij, 1) of each hypothesis after each step


@torch.inference_mode()
def beam_search(
    model: Seq2Seq, source: Padded, decoding: DecodingConfig, intervention: Intervention = NO_CHANGE
) -> Search:
    """Beam search: each step keeps the k best of k * |V| continuations by log P; a finished hypothesis keeps its slot.

    Alpha and beta only rank finished hypotheses (Wu et al. 2016, eq. 14, who also prune with them during search), so
    that one recorded search can be ranked again for any values. Search stops when k hypotheses have finished, or at
    the length limit. The model computes one row per live hypothesis and none for empty slots: in a batch, whose
    sentences end at different steps, that saves a quarter of the work.
    """
    check_intervention(model, source, decoding, intervention)
    batch, k, device = len(source.ids), decoding.beam, source.ids.device
    memory = wide = model.encode(source, intervention)
    state = model.start(memory)
    tokens = torch.full((batch,), SOS, device=device)
    slots = np.arange(batch) * k  # (N,) the slots, of B * k, with a live hypothesis; each is one row of the model
    total = np.zeros(batch, np.float32)  # (N,) log P of the live hypotheses
    free = np.full((batch, 1), k)  # (B, 1) slots without a finished hypothesis
    sentence, place = np.arange(batch)[:, None], np.arange(k)[None]  # (B, 1) and (1, k)
    coverage = Coverage(batch, k)
    steps = []
    for position in range(min(decoding.limit(source.ids.size(1)), model.max_length)):
        out = model.step(tokens, state, wide, intervention)
        coverage.add(out, wide, slots)
        likeliest, values, forbidden = top_candidates(out.logits, position, intervention, max(CANDIDATES, k))
        sums = total[:, None] + values  # (N, C)
        shape = (batch, k, likeliest.shape[1])
        rows = in_slots(np.arange(len(slots)), slots, shape[:2], 0)
        ids, likelihoods = in_slots(likeliest, slots, shape, PAD), in_slots(values, slots, shape, -INFINITY)
        totals = in_slots(sums, slots, shape, -INFINITY)  # (B, k, C)
        allowed = totals
        if forbidden is not None:
            allowed = in_slots(np.where(forbidden, -INFINITY, sums), slots, shape, -INFINITY)
        candidates = allowed.reshape(batch, -1)  # (B, k * C)
        where = (-candidates).argsort(1, kind="stable")[:, :k]  # (B, k), index into k * C
        best = candidates[sentence, where]  # (B, k) log P, best first
        kept = (place < free) & (best > -INFINITY)  # (B, k)
        chosen = np.where(kept, where, -1)
        steps.append(SearchStep(ids, likelihoods, totals, allowed, chosen, rows, out.attention, out.inner))
        following = ids.reshape(batch, -1)[sentence, where]  # (B, k)
        live = kept & (following != EOS)
        if not live.any():
            break
        free = free - (kept & ~live).sum(1, keepdims=True)
        total = best[live]
        parents = torch.from_numpy(rows[sentence, where // shape[2]][live]).to(device)  # (N',) rows of this step
        state = out.state.select(parents)
        coverage.select(parents)
        tokens = torch.from_numpy(following[live]).to(device)
        before, slots = slots // k, np.flatnonzero(live)
        if not np.array_equal(before, slots // k):  # otherwise every row still belongs to the same sentence
            wide = memory.select(torch.from_numpy(slots // k).to(device))
    return Search(memory, tuple(steps), k, coverage.sums())


def in_slots(rows: Array, slots: Ids, shape: tuple[int, ...], empty: float | np.float32) -> Array:
    """Scatter the values of N rows, (N, ...), to their slots, (B, k, ...); other slots get `empty`."""
    if len(slots) == shape[0] * shape[1]:
        return rows.reshape(shape)
    placed = np.full((shape[0] * shape[1], *shape[2:]), empty, rows.dtype)
    placed[slots] = rows
    return placed.reshape(shape)


def top_candidates(
    logits: Tensor, position: int, intervention: Intervention, count: int
) -> tuple[Ids, Numbers, Mask | None]:
    """The likeliest next tokens of each row, their log-probabilities, and which of them are forbidden.

    logits: (N, V). Returns (N, C) ids and log-probabilities, likeliest first, and a (N, C) mask or None. An
    Intervention forbids choosing tokens; it never changes the model's probabilities.
    """
    likelihoods = logits.float().log_softmax(-1)
    likelihoods[:, PAD] = likelihoods[:, SOS] = -math.inf  # never a next token
    tokens = [token for step, token in intervention.forbidden if step is None or step == position]
    forced = dict(intervention.forced).get(position)
    count = min(count + len(tokens), likelihoods.size(1) - 2)
    best, tokens_of_best = largest(likelihoods, count)
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


def largest(numbers: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The C largest numbers of each row, (N, V) to (N, C), and their indices, like torch.topk but faster on a CPU.

    (Ten of 8,000 numbers, on one thread: 0.7 of topk's time for 5 rows; 1.8, 8 microseconds more, for one row.)
    Of V / G groups of G numbers, the C groups with the largest maxima contain the C largest numbers. Group m has the
    indices m, m + V / G, m + 2 V / G and so on, so that the maxima are taken over contiguous numbers.
    """
    rows, size = numbers.shape
    groups = size // GROUP
    if numbers.device.type != "cpu" or size % GROUP or groups < 4 * count:
        return numbers.topk(count)
    best = numbers.view(rows, GROUP, groups).amax(1).topk(count).indices  # (N, C)
    places = (best[:, None] + groups * torch.arange(GROUP)[:, None]).view(rows, -1)  # (N, G C)
    best, within = numbers.gather(1, places).topk(count)
    return best, places.gather(1, within)


def read_back(numbers: Tensor, ids: Tensor) -> tuple[Numbers, Ids]:
    """Convert float32 numbers and int64 ids, (N, ...) each, to arrays; one transfer, since each one waits for a GPU."""
    if numbers.device.type == "cpu":
        return numbers.numpy(), ids.numpy()
    both = torch.cat((numbers.view(torch.int32).long(), ids), -1).cpu().numpy()
    bits, integers = np.split(both, [numbers.size(-1)], -1)
    return bits.astype(np.int32).view(np.float32), integers


class Coverage:
    """Coverage: the sum over steps of each hypothesis's attention to every source position.

    With several layers and heads of cross attention, it uses the mean over the heads of the last layer. Logarithms
    are taken once, after the search, which does not depend on them.
    """

    def __init__(self, batch: int, width: int) -> None:
        self.batch, self.width = batch, width
        self.sum: Tensor | float = 0.0  # (N, S), summed over heads too; N may change at each step
        self.after: list[tuple[Tensor, Tensor]] = []  # the sum after each step, and the mask of its rows, (N, S) each
        self.slots: list[Ids] = []  # their slots, of B * k
        self.heads = 0  # a model without attention has no coverage and no penalty

    def add(self, out: StepOutput, memory: Memory, slots: Ids) -> None:
        """Add this step's attention to the coverage of each hypothesis. memory has the same rows."""
        if "cross" in out.attention:
            weights = out.attention["cross"][-1]  # (N, H, 1, S)
            self.heads = weights.size(1)
            self.sum = self.sum + weights.float().sum((1, 2))  # (N, S), float32 under autocast too
            self.after.append((self.sum, memory.mask))
        self.slots.append(slots)

    def select(self, parents: Tensor) -> None:
        """Reorder the rows as the beam does; parents: the rows that continue."""
        if isinstance(self.sum, Tensor):
            self.sum = self.sum.index_select(0, parents)

    def sums(self) -> Numbers:
        """Log-coverage of every hypothesis after every step, (T, B, k); zero without attention and in empty slots."""
        steps, places = len(self.slots), self.batch * self.width
        sums = np.zeros((steps, places), np.float32)
        if self.after:
            covered, mask = (torch.cat(parts) for parts in zip(*self.after, strict=True))  # (all rows, S)
            logs = ((covered / self.heads).clamp(COVERAGE_FLOOR, 1.0).log() * mask).sum(1)
            step = np.repeat(np.arange(steps), [len(slots) for slots in self.slots])
            sums[step, np.concatenate(self.slots)] = logs.cpu().numpy()
        return sums.reshape(steps, self.batch, self.width)


def check_intervention(model: Seq2Seq, source: Padded, decoding: DecodingConfig, intervention: Intervention) -> None:
    """Raise InterventionError for a change that does not fit this model, sentence or search."""
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
