"""Beam search as plain data: the recorded tree, and other results to lay over it.

Stepping, pointing and reranking for another alpha or beta happen in the browser; the step, alpha and beta are
in the page's address, written there by the picture. Only a what-if needs a model: the host runs for it.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import BeamNode, Trace
from nmtcore.decoding.trace_json import six
from nmtcore.figures.palette import GREEDY, HUES, PRUNED
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.beam_tree.messages import MESSAGES
from nmtcore.views.beam_tree.record import BeamTreeRecord, LineKind, TreeNodes


@dataclass(frozen=True)
class Line:
    """Another result for the same sentence, to compare with the winner. All but a candidate are drawn over the tree.

    alpha, beta: the penalties that choose the result.
    """

    kind: LineKind
    name: str
    trace: Trace
    alpha: float = DecodingConfig.alpha
    beta: float = DecodingConfig.beta

    @property
    def nodes(self) -> tuple[BeamNode, ...]:
        """The hypothesis, from y_1 to its end."""
        return self.trace.path(self.trace.ranked(self.alpha, self.beta)[0])


def data(
    trace: Trace,
    vocab: Vocab,
    *,
    model: str,
    name: str,
    lines: Sequence[Line] = (),
    whatifs: Sequence[tuple[str, str]] = (),
    alpha: float = DecodingConfig.alpha,
    beta: float = DecodingConfig.beta,
    branch: int = 0,
) -> dict[str, Any]:
    """The data of the search.

    model, name: titles of the model and of the winner's row.
    lines: greedy search's result, the result before the what-ifs, a candidate to compare.
    alpha, beta: the penalties for which the lines are compared.
    whatifs: codes and sentences of the active ones, each of which can be undone.
    branch: the first step that a what-if changes, shown when its result arrives; 0 for the start.
    """
    decoding = trace.decoding
    attention = trace.attention_of("cross") is not None
    ends = sorted(trace.ranked(decoding.alpha, decoding.beta), key=lambda node: node.id)
    stamp = [trace.model, trace.source_text, decoding.beam, trace.intervention.to_json()]
    record: BeamTreeRecord = {
        "width": decoding.beam,
        "attention": attention,
        "grid": bool(trace.intervention.contains or trace.intervention.initials),
        "nodes": _columns(trace.beam),
        "ends": [{"id": end.id, "text": _text(trace.path(end), vocab)} for end in ends],
        "lines": [
            {"kind": line.kind, "name": line.name, "text": _text(line.nodes, vocab), "nodes": _columns(line.nodes)}
            for line in lines
        ],
        "stamp": hashlib.sha256(json.dumps(stamp).encode()).hexdigest()[:12],
        "sentence": trace.source_text,
        "model": model,
        "name": name,
        "whatifs": [{"code": code, "text": text} for code, text in whatifs],
        "penalties": {"alpha": alpha, "beta": beta if attention else 0.0},
        "defaults": {"alpha": DecodingConfig.alpha, "beta": DecodingConfig.beta},
        "branch": branch,
        "colors": {"hue": HUES[trace.architecture], "greedy": GREEDY, "pruned": PRUNED},
        "words": MESSAGES,
    }
    return dict(record)


def _text(path: Sequence[BeamNode], vocab: Vocab) -> str:
    return vocab.decode([node.token_id for node in path])


def _columns(nodes: Sequence[BeamNode]) -> TreeNodes:
    """One list for each field, the shortest form in JSON."""
    return {
        "parent": [n.parent for n in nodes],
        "step": [n.step for n in nodes],
        "token": [n.token for n in nodes],
        "token_id": [n.token_id for n in nodes],
        "log_probability": [six(n.log_probability) for n in nodes],
        "total": [_exact(n.total) for n in nodes],
        "coverage": [_exact(n.coverage) for n in nodes],
        "rank": [n.rank for n in nodes],
        "fate": [_fate(n) for n in nodes],
    }


def _fate(node: BeamNode) -> str:
    """The node's fate, independent of who wins, which alpha and beta decide."""
    if node.fate != "winner":
        return node.fate
    return "finished" if node.token == "<eos>" else "kept"


def _exact(value: float) -> float:
    """Enough digits to tell any two float32 numbers apart: scores must not be rounded before ranking."""
    return float(f"{value:.9g}")
