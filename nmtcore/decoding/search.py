"""Greedy search and beam search over any autoregressive model, through encode, start and step only.

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

GROUP = 20  # numbers of a group of log-probabilities, among which the largest are looked for
CANDIDATES = 10  # recorded for every hypothesis and step
Ids = np.ndarray[Any, np.dtype[np.int64]]
Numbers = np.ndarray[Any, np.dtype[np.float32]]
Array = np.ndarray[Any, Any]
Mask = np.ndarray[Any, np.dtype[np.bool_]]
INFINITY = np.float32(math.inf)
COVERAGE_FLOOR = 1e-6  # smallest coverage of a source position whose logarithm is taken


@dataclass(frozen=True)
class SearchStep:
    """One step of search. k hypotheses a sentence, C candidates a hypothesis, likeliest first.

    A slot without a live hypothesis has the total -inf; so has a forbidden candidate in `allowed`. The model may have
    computed fewer rows than there are slots: N, of which `rows` says where they are.
    """

    tokens: Ids  # (B, k, C)
    log_probabilities: Numbers  # (B, k, C) of the candidates alone
    totals: Numbers  # (B, k, C) log P of the hypotheses that the candidates would make
    allowed: Numbers  # (B, k, C) the same, -inf where an Intervention forbids the candidate
    chosen: Ids  # (B, k) index into k * C of what each slot goes on with; -1: nothing, the slot is empty
    rows: Ids  # (B, k) the row of the model's output for each slot; any for an empty one
    attention: Mapping[AttentionKind, Layers]  # of the N rows
    inner: Mapping[str, Layers]  # of the same rows


@dataclass(frozen=True)
class Search:
    """A finished search: what was read and every step."""

    memory: Memory  # of the B sentences
    steps: tuple[SearchStep, ...]
    width: int
    coverage: Numbers  # (T, B, k) sum_i log min(sum_j alpha_ij, 1) of each hypothesis after each step


def greedy_or_beam_search(
    model: Seq2Seq, source: Padded, decoding: DecodingConfig, intervention: Intervention = NO_CHANGE
) -> Search:
    """Search for the translation of each sentence: greedy for a beam of width 1, else beam search."""
    return (greedy_search if decoding.beam == 1 else beam_search)(model, source, decoding, intervention)


@torch.inference_mode()
def greedy_search(
    model: Seq2Seq, source: Padded, decoding: DecodingConfig, intervention: Intervention = NO_CHANGE
) -> Search:
    """Greedy search: the likeliest next token at every step, until `<eos>` or the length limit."""
    check_intervention(model, source, decoding, intervention)
    memory = model.encode(source, intervention)
    state = model.start(memory)
    batch, device = len(source.ids), source.ids.device
    tokens = torch.full((batch,), SOS, device=device)
    total = np.zeros(batch, np.float32)  # log P so far; -inf once finished
    row = np.arange(batch)
    coverage = Coverage(batch, 1)
    steps = []
    for position in range(min(decoding.limit(source.ids.size(1)), model.max_length)):
        out = model.step(tokens, state, memory, intervention)
        state = out.state
        coverage.add(out, memory, row)
        ids, likelihoods, forbidden = top_candidates(out.logits, position, intervention, CANDIDATES)
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
                row[:, None],
                out.attention,
                out.inner,
            )
        )
        live &= following != EOS
        if not live.any():
            break
        total = np.where(live, total, -INFINITY)
        tokens = torch.from_numpy(following).to(device)
    return Search(memory, tuple(steps), 1, coverage.sums())


@torch.inference_mode()
def beam_search(
    model: Seq2Seq, source: Padded, decoding: DecodingConfig, intervention: Intervention = NO_CHANGE
) -> Search:
    """Beam search: of the k * |V| continuations of a step keep the k best by log P; a finished one keeps its place.

    Alpha and beta play no part here: they rank what has finished (Wu et al. 2016, eq. 14, who prune during the search
    as well), so that one recorded search can be ranked again for any of them. Stops when k have finished, or at the
    length limit. The model computes a row for each live hypothesis and none for an empty slot: of a batch, whose
    sentences end one after the other, that saves a quarter of the work.
    """
    check_intervention(model, source, decoding, intervention)
    batch, k, device = len(source.ids), decoding.beam, source.ids.device
    memory = wide = model.encode(source, intervention)
    state = model.start(memory)
    tokens = torch.full((batch,), SOS, device=device)
    slots = np.arange(batch) * k  # (N,) of the B * k slots those with a live hypothesis, one row of the model each
    total = np.zeros(batch, np.float32)  # (N,) log P of the live hypotheses
    free = np.full((batch, 1), k)  # (B, 1) places not taken by finished hypotheses
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
        where = (-candidates).argsort(1, kind="stable")[:, :k]  # (B, k) into k * C
        best = candidates[sentence, where]  # (B, k) log P, the best first
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
        if not np.array_equal(before, slots // k):  # else every row looks at the same sentence as before
            wide = memory.select(torch.from_numpy(slots // k).to(device))
    return Search(memory, tuple(steps), k, coverage.sums())


def in_slots(rows: Array, slots: Ids, shape: tuple[int, ...], empty: float | np.float32) -> Array:
    """What N rows have, (N, ...), in the slots that they belong to, (B, k, ...); `empty` in the others."""
    if len(slots) == shape[0] * shape[1]:
        return rows.reshape(shape)
    placed = np.full((shape[0] * shape[1], *shape[2:]), empty, rows.dtype)
    placed[slots] = rows
    return placed.reshape(shape)


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
    """The largest of each row, (N, V) to (N, C), and their places, as by torch.topk; on a CPU sooner for several rows.

    (Ten of 8,000 numbers, on one thread: 0.7 of topk's time for 5 rows, but 1.8 of it, 8 microseconds more, for one.)
    Of V / G groups of G numbers, the C largest numbers lie in the C groups with the largest maxima. Group m has the
    places m, m + V / G, m + 2 V / G and so on: so that maxima are taken of numbers side by side.
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
    """float32 numbers and int64 ids, (N, ...) each, as arrays; from a GPU at once, since each question waits for it."""
    if numbers.device.type == "cpu":
        return numbers.numpy(), ids.numpy()
    both = torch.cat((numbers.view(torch.int32).long(), ids), -1).cpu().numpy()
    bits, integers = np.split(both, [numbers.size(-1)], -1)
    return bits.astype(np.int32).view(np.float32), integers


class Coverage:
    """Coverage: the sum over steps of each hypothesis's attention to every source position.

    Where cross attention has several layers and heads, it is the mean over the heads of the last layer. The logarithms
    are taken once, after the search: nothing in it depends on them.
    """

    def __init__(self, batch: int, width: int) -> None:
        self.batch, self.width = batch, width
        self.sum: Tensor | float = 0.0  # (N, S), over heads too; N rows, which may be others at each step
        self.after: list[tuple[Tensor, Tensor]] = []  # the sum after each step and the mask of its rows, (N, S) each
        self.slots: list[Ids] = []  # in which of the B * k slots they stand
        self.heads = 0  # a model without attention covers nothing, and nothing is held against it

    def add(self, out: StepOutput, memory: Memory, slots: Ids) -> None:
        """Add this step's attention to the coverage of each hypothesis. memory: of the same rows."""
        if "cross" in out.attention:
            weights = out.attention["cross"][-1]  # (N, H, 1, S)
            self.heads = weights.size(1)
            self.sum = self.sum + weights.float().sum((1, 2))  # (N, S), float32 under autocast too
            self.after.append((self.sum, memory.mask))
        self.slots.append(slots)

    def select(self, parents: Tensor) -> None:
        """Reorder the rows as the beam does: `parents` are the rows to go on with."""
        if isinstance(self.sum, Tensor):
            self.sum = self.sum.index_select(0, parents)

    def sums(self) -> Numbers:
        """(T, B, k) log-coverage of every hypothesis after every step; zero without attention and in empty slots."""
        steps, places = len(self.slots), self.batch * self.width
        sums = np.zeros((steps, places), np.float32)
        if self.after:
            covered, mask = (torch.cat(parts) for parts in zip(*self.after, strict=True))  # (all rows, S)
            logs = ((covered / self.heads).clamp(COVERAGE_FLOOR, 1.0).log() * mask).sum(1)
            step = np.repeat(np.arange(steps), [len(slots) for slots in self.slots])
            sums[step, np.concatenate(self.slots)] = logs.cpu().numpy()
        return sums.reshape(steps, self.batch, self.width)


def check_intervention(model: Seq2Seq, source: Padded, decoding: DecodingConfig, intervention: Intervention) -> None:
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
