"""Record a finished search as a Trace: the tree of its candidates, and the arrays of the winning hypothesis.

Keys of `Trace.inner`; the first axis is the layers L, or the steps T followed by the layers:
  recurrent: states (1, S, D), summary (1, D), keys (1, S, D); query, state, context (T, 1, D), scores (T, 1, S) with
             -inf outside the window of local attention, output (T, 1, E); deep LSTMs have the same arrays; a
             pointer-generator also has generate (T, 1, 1), the probability g_j of generating from the vocabulary
  Transformer: states (1, S, D), encoder_query, encoder_key, encoder_value (L, H, S, K), encoder_scores (L, H, S, S),
             cross_key, cross_value (L, H, S, K); decoder_query, decoder_key, decoder_value, cross_query (T, L, H, K),
             decoder_scores (T, L, H, T) with -inf in the future, cross_scores (T, L, H, S), output (T, 1, D)
  convolutional: states (1, S, E), output (T, 1, E), and the cross_... arrays of a Transformer with H = 1 and K = E
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from nmtcore.config import DecodingConfig
from nmtcore.decoding.search import CANDIDATES, INFINITY, Ids, Numbers, Search
from nmtcore.decoding.trace import (
    Array,
    AttentionMap,
    BeamNode,
    Candidate,
    Fate,
    Step,
    Tokens,
    Trace,
    axes,
    coverage_penalty,
    length_penalty,
    path,
)
from nmtcore.errors import CheckpointError, InterventionError
from nmtcore.intervention import Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.seq2seq import Layers
from nmtcore.text.vocabulary import EOS, PAD, SOS, Subwords


@dataclass(frozen=True, eq=False)
class SearchRecord:
    """The back-pointers and totals of a search for one sentence: T steps, k slots, C candidates; see SearchStep."""

    tokens: Ids  # (T, k, C)
    log_probabilities: Numbers  # (T, k, C)
    totals: Numbers  # (T, k, C)
    allowed: Numbers  # (T, k, C)
    chosen: Ids  # (T, k), index into k * C
    coverage: Numbers  # (T, k)

    def __len__(self) -> int:
        return len(self.tokens)


def search_record(search: Search, sentence: int = 0, limit: int | None = None) -> SearchRecord:
    """Extract the record of one sentence from a batched search, up to that sentence's own length limit."""
    steps = search.steps[:limit]
    count = max(step.tokens.shape[2] for step in steps)  # C is larger where tokens are forbidden

    def together(parts: Iterable[Any], empty: float) -> Any:
        """Stack the arrays (k, C) of all steps into (T, k, C); steps with fewer candidates are padded with `empty`."""
        missing = ((0, 0), (0, count))
        return np.stack(
            [p if p.shape[1] == count else np.pad(p, missing, constant_values=empty)[:, :count] for p in parts]
        )

    slot, candidate = zip(*(np.divmod(step.chosen[sentence], step.tokens.shape[2]) for step in steps), strict=True)
    return SearchRecord(
        together((step.tokens[sentence] for step in steps), PAD),
        together((step.log_probabilities[sentence] for step in steps), -math.inf),
        together((step.totals[sentence] for step in steps), -math.inf),
        together((step.allowed[sentence] for step in steps), -math.inf),
        np.where(np.stack(slot) < 0, -1, np.stack(slot) * count + np.stack(candidate)),
        search.coverage[: len(steps), sentence],
    )


class Hypothesis(NamedTuple):
    """A hypothesis as back-pointers: at each step the slot of its parent and the index of the chosen candidate."""

    slots: tuple[int, ...]
    candidates: tuple[int, ...]
    tokens: tuple[int, ...]
    total: float  # log P
    score: float

    @property
    def finished(self) -> bool:
        return self.tokens[-1] == EOS


def best_hypothesis(record: SearchRecord, decoding: DecodingConfig) -> Hypothesis:
    """The winner: the finished hypothesis with the best score, or if none finished, the best at the length limit.

    Raises InterventionError if an Intervention leaves no hypothesis, CheckpointError if all totals are NaN.
    """
    count = record.tokens.shape[2]
    finite = (record.totals > -INFINITY).any((1, 2))  # (T,) False where all totals are -inf or NaN
    ends: list[tuple[float, int, int]] = []  # score, number of steps, flat index into k * C
    alive: list[tuple[float, int, int]] = []
    for j in range(len(record) if finite.all() else int(finite.argmin())):
        alive = []
        for flat in record.chosen[j].tolist():
            if flat >= 0:
                slot, c = divmod(flat, count)
                length, coverage = length_penalty(j + 1, decoding.alpha), float(record.coverage[j, slot])
                score = float(record.totals[j, slot, c]) / length + coverage_penalty(coverage, decoding.beta)
                (ends if record.tokens[j, slot, c] == EOS else alive).append((score, j + 1, flat))
    if not ends and not alive:
        if ((record.totals > -INFINITY) & (record.allowed == -INFINITY)).any():
            raise InterventionError("Every piece is forbidden at a step: allow one of them.")
        raise CheckpointError("The model's probabilities are not numbers: train it again, with a lower learning rate.")
    score, length, flat = max(ends or alive, key=lambda end: end[0])
    total = float(record.totals[length - 1].ravel()[flat])
    taken: list[tuple[int, int, int]] = []  # slot, candidate and token of each step, from the last to the first
    for j in reversed(range(length)):
        if taken:
            flat = int(record.chosen[j, taken[-1][0]])
        slot, c = divmod(flat, count)
        taken.append((slot, c, int(record.tokens[j, slot, c])))
    slots, candidates, tokens = zip(*reversed(taken), strict=True)
    return Hypothesis(slots, candidates, tokens, total, score)


def tree(
    record: SearchRecord, names: Mapping[int, str] | None = None, winner: Hypothesis | None = None
) -> list[BeamNode]:
    """Build the beam's nodes for one sentence.

    Each hypothesis has its ten likeliest candidates, the chosen ones, and a forced one; ranks count all candidates.
    Fates are kept, finished, pruned or forbidden, and that of the `winner` if there is one. Tokens are empty if no
    names are given.
    """
    nodes = [BeamNode(0, -1, 0, "<sos>", SOS, 0.0, 0.0, 0.0, 1, "root")]
    end = (len(winner.slots), winner.slots[-1], winner.tokens[-1]) if winner else None
    alive = {0: 0}  # slot -> id of its live node
    count = record.tokens.shape[2]
    for j in range(len(record)):
        chosen = {flat: slot for slot, flat in enumerate(record.chosen[j].tolist()) if flat >= 0}
        coverage = record.coverage[j].tolist()
        parts = (record.tokens, record.allowed, record.totals, record.log_probabilities)
        rows = [part[j].tolist() for part in parts]  # (k, C) each
        considered = []  # the fields of each node, to be sorted: likeliest first, forbidden last
        for slot, parent in alive.items():
            for c, (token, allowed, total, likelihood) in enumerate(zip(*(row[slot] for row in rows), strict=True)):
                if total > -math.inf:
                    considered.append((-allowed, slot * count + c, slot, parent, token, likelihood, total))
        considered.sort()
        # A forced token is the only allowed candidate of each hypothesis, however unlikely it is.
        forced = sum(cost < math.inf for cost, *_ in considered) <= len(alive)
        following = {}
        for rank, (cost, flat, slot, parent, token, likelihood, total) in enumerate(considered, 1):
            if flat % count >= CANDIDATES and flat not in chosen and not (forced and cost < math.inf):
                continue
            fate: Fate = "pruned"
            if cost == math.inf:
                rank, fate = 0, "forbidden"
            elif flat in chosen:
                fate = "finished" if token == EOS else "kept"
                if fate == "kept":
                    following[chosen[flat]] = len(nodes)
                if (j + 1, slot, token) == end:
                    fate = "winner"
            name = names[token] if names else ""
            nodes.append(
                BeamNode(len(nodes), parent, j + 1, name, token, likelihood, total, coverage[slot], rank, fate)
            )
        alive = following
    return nodes


@dataclass(frozen=True)
class BeamSource:
    """What the beam of a Trace is built from."""

    record: SearchRecord
    names: Mapping[int, str]  # of all tokens in the record
    winner: Hypothesis
    target: Tokens  # y_1 .. y_T, in which the byte pieces of a character are named by the character

    @property
    def count(self) -> int:
        """An upper bound of the number of nodes."""
        return int((self.record.totals[:, :, :CANDIDATES] > -INFINITY).sum())

    def nodes(self) -> tuple[BeamNode, ...]:
        nodes = tree(self.record, self.names, self.winner)
        for node, name in zip(path(nodes, next(n for n in nodes if n.fate == "winner")), self.target, strict=True):
            nodes[node.id] = node._replace(token=name)
        return tuple(nodes)


class SearchedTrace(Trace):
    """A Trace that builds its beam on first use (lazy evaluation).

    The nodes are hundreds of small objects, more than everything else in a record. Most pictures show none of them,
    and a worker process need neither build nor send them.
    """

    @classmethod
    def of(cls, beam_source: BeamSource, **fields: Any) -> SearchedTrace:
        """Make a Trace with these fields and the beam of this source."""
        trace = cls(beam=(), **fields)
        vars(trace)["beam_source"] = beam_source
        del vars(trace)["beam"]
        return trace

    def __getattr__(self, name: str) -> Any:
        """Build the beam: Python calls this once, while `vars` does not have it."""
        source = vars(self).get("beam_source") if name == "beam" else None
        if source is None:
            raise AttributeError(name)
        vars(self)["beam"] = beam = source.nodes()
        return beam


# Source axes of the arrays in `Trace.inner`: in a batch they are as long as the longest sentence.
SOURCE_AXES = {
    **{name: (1,) for name in ("states", "keys")},
    **{name: (2,) for name in ("scores", "encoder_query", "encoder_key", "encoder_value", "cross_key", "cross_value")},
    **{"encoder_scores": (2, 3), "cross_scores": (3,)},
}


def record_trace(
    search: Search,
    checkpoint: Checkpoint,
    text: str,
    cut: Subwords,
    decoding: DecodingConfig,
    intervention: Intervention,
    seconds: float,
    sentence: int = 0,
) -> Trace:
    """The Trace of the finished search for one sentence of a batch, up to this sentence's own length limit.

    sentence: its index in the batch; text, cut: the sentence as text and as subwords.
    """
    vocab = checkpoint.vocab
    source = (*cut.pieces, "<eos>")
    record = search_record(search, sentence, decoding.limit(len(source)))
    chosen = best_hypothesis(record, decoding)
    target = tuple(vocab.tokens(chosen.tokens))  # byte pieces are named by their character
    names = {token: vocab.token(token) for token in {*record.tokens.ravel().tolist()}}

    def step(j: int) -> Step:
        """The step that chose y_{j+1}, with the candidates of the hypothesis that it continued."""
        likelihoods = record.log_probabilities[j, chosen.slots[j]].tolist()
        candidates = tuple(
            Candidate(target[j] if token == chosen.tokens[j] else vocab.token(token), token, likelihood)
            for token, likelihood in zip(
                record.tokens[j, chosen.slots[j], :CANDIDATES].tolist(), likelihoods, strict=False
            )
            if likelihood > -math.inf
        )
        return Step(target[j], chosen.tokens[j], likelihoods[chosen.candidates[j]], candidates)

    rows = [int(one.rows[sentence, slot]) for one, slot in zip(search.steps, chosen.slots, strict=False)]
    return SearchedTrace.of(
        BeamSource(record, names, chosen, target),
        model=checkpoint.name,
        architecture=checkpoint.model.config.architecture,
        source_text=text,
        source=source,
        source_ids=(*cut.ids, EOS),
        target=target,
        text=vocab.decode(chosen.tokens),
        log_probability=chosen.total,
        score=chosen.score,
        finished=chosen.finished,
        seconds=seconds,
        decoding=decoding,
        intervention=intervention,
        steps=tuple(map(step, range(len(target)))),
        attention=tuple(_maps(search, sentence, rows, source, target)),
        inner=_inner(search, sentence, rows, len(source)),
    )


def _maps(search: Search, sentence: int, rows: Sequence[int], source: Tokens, target: Tokens) -> Iterator[AttentionMap]:
    """The attention of the chosen hypothesis, with the tokens of its axes."""
    steps = search.steps[: len(rows)]
    for kind, (queries, keys) in axes(source, target).items():
        if kind in search.memory.attention:
            weights = array(torch.stack([t[sentence] for t in search.memory.attention[kind]]))
        elif kind in steps[0].attention:
            chosen = of_rows([one.attention[kind] for one in steps], rows, 0.0)  # (T, L, H, 1, S)
            weights = chosen[:, :, :, 0].transpose(1, 2, 0, 3)
        else:
            continue
        yield AttentionMap(kind, queries, keys, weights[..., : len(queries), : len(keys)])


def _inner(search: Search, sentence: int, rows: Sequence[int], length: int) -> dict[str, Array]:
    """The intermediate arrays of the chosen hypothesis, of S = `length`; the module docstring lists keys and shapes."""
    memory, steps = search.memory, search.steps[: len(rows)]
    arrays = {name: array(torch.stack([t[sentence] for t in layers])) for name, layers in memory.inner.items()}
    for name in steps[0].inner:
        values = of_rows([one.inner[name] for one in steps], rows, -math.inf)
        arrays[name] = values[:, :, :, 0] if values.ndim == 5 else values  # (T, L, D) or (T, L, H, 1, K)
    for name in SOURCE_AXES.keys() & arrays.keys() if len(memory.states) > 1 else ():
        for axis in SOURCE_AXES[name]:
            arrays[name] = arrays[name].take(range(length), axis)
    return arrays


def of_rows(steps: Sequence[Layers], rows: Sequence[int], fill: float) -> Array:
    """Select one row per step from tensors (N, ..., S), one per step and layer, and stack them: (T, L, ..., S).

    Tensors that grow with the steps, such as decoder self attention, are padded.
    """
    first, last = steps[0], steps[-1]
    chosen = [t[row] for layers, row in zip(steps, rows, strict=True) for t in layers]
    if first[0].shape[1:] == last[0].shape[1:]:
        return array(torch.stack(chosen)).reshape(len(steps), len(first), *first[0].shape[1:])
    result = np.full((len(steps), len(first), *last[0].shape[1:]), fill, dtype=np.float32)
    read = array(torch.cat([t.flatten() for t in chosen]))  # one transfer: each one makes the CPU wait for a GPU
    ends = np.cumsum([t.numel() for t in chosen])[:-1]
    places = [(j, i) for j, layers in enumerate(steps) for i in range(len(layers))]
    for (j, i), t, values in zip(places, chosen, np.split(read, ends), strict=True):
        result[j, i, ..., : t.size(-1)] = values.reshape(t.shape)
    return result


def array(tensor: Tensor) -> Array:
    """Convert a tensor on any device, of any precision, to a float32 NumPy array."""
    return tensor.float().cpu().numpy()
