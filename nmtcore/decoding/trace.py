"""The Trace: the record of one decode. Everything that a page draws is a pure function of it.

This module does not need torch: a Trace can be read from JSON and drawn on a machine without models. Objects that a
Trace has by the thousand, such as beam nodes, are named tuples, which are created several times faster than frozen
dataclasses. Log-probabilities are natural logarithms; larger is better everywhere.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace_json import checked, fields_json, read_fields, rounded, six
from nmtcore.errors import NmtError, TraceError
from nmtcore.intervention import ATTENTION_KINDS, NO_CHANGE, AttentionKind, Intervention

FORMAT = 1  # version of the JSON, raised when a field changes its meaning

Fate = Literal["root", "kept", "pruned", "forbidden", "finished", "winner"]
Array = np.ndarray[Any, np.dtype[np.float32]]
Tokens = tuple[str, ...]
Index = int | Literal["mean"]  # a layer or a head, counted from zero, or the mean over them


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """Attention weights of one kind, with the tokens of both axes.

    weights: (L, H, T, S) float32, output of the softmax: layer, head, query token, key token.
    Cross attention has the predicted tokens y_1 .. y_T as queries and the source as keys; decoder self
    attention has the decoder's inputs `<sos>`, y_1 .. y_{T-1} on both axes; encoder self attention the
    source on both. Raises TraceError if a matrix does not match its tokens.
    """

    kind: AttentionKind
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    weights: Array

    def __post_init__(self) -> None:
        if self.kind not in ATTENTION_KINDS:
            raise TraceError(f"Attention is of the kinds {', '.join(ATTENTION_KINDS)}; not {self.kind!r}.")
        shape = self.weights.shape
        if len(shape) != 4 or shape[2:] != (len(self.queries), len(self.keys)):
            raise TraceError(
                f"{self.kind} attention of shape {shape} does not fit {len(self.queries)} query "
                f"and {len(self.keys)} key tokens: it must be layers x heads x queries x keys."
            )
        if not np.isfinite(self.weights).all() or (self.weights < 0).any():
            raise TraceError(f"{self.kind} attention must be finite and not negative.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AttentionMap):
            return NotImplemented
        names = (self.kind, self.queries, self.keys) == (other.kind, other.queries, other.keys)
        return names and np.array_equal(self.weights, other.weights)

    @property
    def layers(self) -> int:
        return int(self.weights.shape[0])

    @property
    def heads(self) -> int:
        return int(self.weights.shape[1])

    def check(self, layer: Index, head: Index) -> None:
        """Raise TraceError for a layer or head that does not exist."""
        for name, index, size in (("layer", layer, self.layers), ("head", head, self.heads)):
            if index != "mean" and not 0 <= index < size:
                raise TraceError(f"There is no {name} {index}: this attention has {size}, counted from 0.")

    def matrix(self, layer: Index, head: Index) -> Array:
        """The (T, S) weights of one layer and head; "mean" averages over all of them. Raises TraceError."""
        self.check(layer, head)
        layers = self.weights.mean(0) if layer == "mean" else self.weights[layer]  # (H, T, S)
        weights: Array = layers.mean(0) if head == "mean" else layers[head]
        return weights

    def drawn(self, head: tuple[int, int] | None) -> tuple[Index, Index]:
        """The layer and head to draw: `head`, counted from 0, if there is one, else the mean of the last layer."""
        if head and head[0] < self.layers and head[1] < self.heads:
            return head
        return self.layers - 1, "mean"

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "layers": self.layers,
            "heads": self.heads,
            "queries": list(self.queries),
            "keys": list(self.keys),
            "weights": rounded(self.weights),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> AttentionMap:
        queries, keys = (checked(tuple[str, ...], data[name]) for name in ("queries", "keys"))
        shape = (data["layers"], data["heads"], len(queries), len(keys))
        with np.errstate(over="ignore"):  # overflows to infinity, which is rejected
            weights = np.asarray(data["weights"], dtype=np.float32)
        if weights.shape != shape:
            raise TraceError(f"{data['kind']} attention has the shape {weights.shape}; its names say {shape}.")
        return cls(data["kind"], queries, keys, weights)


class Candidate(NamedTuple):
    """A candidate for the next token, with its probability."""

    token: str
    id: int
    log_probability: float

    @property
    def probability(self) -> float:
        return math.exp(self.log_probability)

    def to_json(self) -> dict[str, Any]:
        return fields_json(self, probability=self.probability)


class Step(NamedTuple):
    """One step of the chosen hypothesis: y_j, its probability and the ten likeliest tokens in its place."""

    token: str
    id: int
    log_probability: float
    candidates: tuple[Candidate, ...]

    @property
    def probability(self) -> float:
        return math.exp(self.log_probability)

    def to_json(self) -> dict[str, Any]:
        return fields_json(self, probability=self.probability, candidates=[c.to_json() for c in self.candidates])


class BeamNode(NamedTuple):
    """A node of the search tree: a candidate that search considered. Node 0 is `<sos>`; parents precede their children.

    `total` is log P(y_1 .. y_j | x); `coverage` is sum_i log min(sum_j alpha_ij, 1), before beta (zero
    without attention). `rank` counts from 1 among all candidates considered at its step, ordered by `total`; candidates
    that an Intervention forbids have rank 0.
    """

    id: int
    parent: int  # -1 for the root
    step: int  # 0 for the root, j for a candidate of y_j
    token: str
    token_id: int
    log_probability: float
    total: float
    coverage: float
    rank: int
    fate: Fate

    def score(self, alpha: float, beta: float) -> float:
        """s(y, x) = log P / lp + cp, Wu et al. 2016, eq. 14; |y| counts `<eos>`."""
        return self.total / length_penalty(self.step, alpha) + coverage_penalty(self.coverage, beta)

    def to_json(self, alpha: float, beta: float) -> dict[str, Any]:
        """The fields, and the score with both penalties that it is made of."""
        lp, cp = length_penalty(self.step, alpha), coverage_penalty(self.coverage, beta)
        return fields_json(self, lp=lp, cp=cp, score=self.score(alpha, beta))


def path(nodes: Sequence[BeamNode], end: BeamNode) -> list[BeamNode]:
    """Follow the back-pointers: the nodes from y_1 to `end`, without the root."""
    backwards = []
    while end.parent >= 0:
        backwards.append(end)
        end = nodes[end.parent]
    return backwards[::-1]


def length_penalty(length: int, alpha: float) -> float:
    """lp(y) = (5 + |y|)^alpha / (5 + 1)^alpha, Wu et al. 2016."""
    return math.pow((5 + length) / 6, alpha)


def coverage_penalty(coverage: float, beta: float) -> float:
    """cp(y, x) = beta * sum_i log min(sum_j alpha_ij, 1), Wu et al. 2016; `coverage` is the sum."""
    return beta * coverage


def axes(source: Tokens, target: Tokens) -> dict[AttentionKind, tuple[Tokens, Tokens]]:
    """The query and key tokens of each kind of attention; the decoder reads `<sos>`, y_1 .. y_{T-1}."""
    inputs = ("<sos>", *target)[: len(target)]
    return {"encoder": (source, source), "decoder": (inputs, inputs), "cross": (target, source)}


@dataclass(frozen=True, eq=False)
class Trace:
    """Everything that happened while one sentence was translated.

    source: the source pieces with `<eos>`, source_ids: their ids; target: y_1 .. y_T, with `<eos>` if search
    reached it.
    inner: arrays for the arithmetic on a page, of the chosen hypothesis; see `recorder.py` for its keys.
    """

    model: str
    architecture: str
    source_text: str
    source: tuple[str, ...]
    target: tuple[str, ...]
    text: str
    log_probability: float
    score: float
    finished: bool  # False: reached the length limit before <eos>
    seconds: float  # from ids to result, without the time to make this record
    decoding: DecodingConfig
    steps: tuple[Step, ...]
    attention: tuple[AttentionMap, ...]
    beam: tuple[BeamNode, ...]
    intervention: Intervention = NO_CHANGE
    inner: dict[str, Array] = field(default_factory=dict)
    source_ids: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if tuple(step.token for step in self.steps) != self.target:
            raise TraceError("The steps of a trace must name its target tokens in order.")
        for attention in self.attention:
            if (attention.queries, attention.keys) != axes(self.source, self.target)[attention.kind]:
                raise TraceError(f"The axes of the {attention.kind} attention are not this trace's tokens.")
        for node in self.beam:
            if not -1 <= node.parent < node.id or self.beam[node.id] is not node:
                raise TraceError(f"Node {node.id} of the beam is out of order.")

    def __eq__(self, other: object) -> bool:
        return self.to_json(inner=True) == other.to_json(inner=True) if isinstance(other, Trace) else NotImplemented

    @property
    def inputs(self) -> tuple[str, ...]:
        """The decoder's inputs: `<sos>`, y_1 .. y_{T-1}."""
        return axes(self.source, self.target)["decoder"][0]

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of y_1 .. y_T."""
        return tuple(step.id for step in self.steps)

    @cached_property
    def without_arrays(self) -> Trace:
        """A copy without attention, inner arrays, beam and candidates: kilobytes instead of megabytes."""
        steps = tuple(step._replace(candidates=()) for step in self.steps)
        return dataclasses.replace(self, steps=steps, attention=(), inner={}, beam=())

    def attention_of(self, kind: AttentionKind) -> AttentionMap | None:
        """The attention map of one kind; None, not zeros, if the model has no such attention."""
        return next((a for a in self.attention if a.kind == kind), None)

    def known_attention(self, kind: AttentionKind) -> AttentionMap:
        """The attention map of a kind that the model has."""
        attention = self.attention_of(kind)
        assert attention is not None
        return attention

    def path(self, node: BeamNode) -> tuple[BeamNode, ...]:
        """The nodes from y_1 to `node`, without the root."""
        return tuple(path(self.beam, node))

    def ranked(self, alpha: float, beta: float) -> tuple[BeamNode, ...]:
        """Rerank the finished hypotheses, best first, as a new search with these penalties would rank them.

        Exact for any alpha and beta, since search itself uses neither. If no hypothesis finished, the ones alive at the
        length limit are ranked instead.
        """
        last = max((node.step for node in self.beam), default=0)
        ends = [n for n in self.beam if n.token == "<eos>" and n.fate in ("finished", "winner")]
        ends = ends or [n for n in self.beam if n.step == last and n.fate in ("kept", "winner")]
        return tuple(sorted(ends, key=lambda n: -n.score(alpha, beta)))

    def to_json(self, inner: bool = False) -> dict[str, Any]:
        """A JSON-ready dict; numbers have six significant digits. `inner` adds the arrays."""
        return {
            "format": FORMAT,
            **{name: getattr(self, name) for name in ("model", "architecture", "source_text")},
            **{name: list(getattr(self, name)) for name in ("source", "source_ids", "target")},
            "text": self.text,
            "log_probability": six(self.log_probability),
            "score": six(self.score),
            "finished": self.finished,
            "seconds": six(self.seconds),
            "decoding": dataclasses.asdict(self.decoding),
            "intervention": self.intervention.to_json(),
            "steps": [step.to_json() for step in self.steps],
            "attention": [attention.to_json() for attention in self.attention],
            "beam": [node.to_json(self.decoding.alpha, self.decoding.beta) for node in self.beam],
            **({"inner": {name: rounded(array) for name, array in self.inner.items()}} if inner else {}),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Trace:
        """The inverse of `to_json`, to six digits. Raises TraceError if `data` is not a Trace."""
        try:
            if data["format"] != FORMAT:
                raise TraceError(f"This trace has format {data['format']}; this program reads format {FORMAT}.")
            return cls(**read_fields(cls, {"inner": {}, **data}))
        except NmtError as error:
            raise TraceError(str(error)) from error
        except (KeyError, TypeError, AttributeError, ValueError, IndexError, OverflowError) as error:
            raise TraceError(f"This is not the JSON of a trace: {error} is missing or of the wrong type.") from error

    def dumps(self, inner: bool = False) -> str:
        """One line of JSON."""
        return json.dumps(self.to_json(inner), ensure_ascii=False, separators=(",", ":"))
