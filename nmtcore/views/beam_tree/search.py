"""Convert a recorded search, and the lines laid over it, to plain data for the browser."""

from collections.abc import Sequence
from dataclasses import dataclass

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import BeamNode, Trace
from nmtcore.decoding.trace_json import six
from nmtcore.text.diff import word_diff
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.beam_tree.record import LineKind, SearchRecord, TreeLine, TreeNodes


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


def to_data(trace: Trace, lines: Sequence[Line], vocab: Vocab) -> SearchRecord:
    """Columns of all nodes; the end nodes with their texts; the lines with their numbers, paths and differences.

    Fates are those of the record, except that a winner is only finished (or kept), since alpha and beta decide which
    wins. Where a line leaves the recorded tree, its own nodes follow with the fate `beside`.
    """
    decoding = trace.decoding
    ends = trace.ranked(decoding.alpha, decoding.beta)
    texts = {end.id: vocab.decode([n.token_id for n in trace.path(end)]) for end in ends}
    grown = Tree(trace)
    results = [vocab.decode([n.token_id for n in line.nodes]) for line in lines]
    drawn: list[TreeLine] = [
        {
            "kind": line.kind,
            "name": line.name,
            "text": result,
            "path": [] if line.kind == "candidate" else grown.graft(line.nodes),
            "tokens": [n.token for n in line.nodes],
            "log_probabilities": [six(n.log_probability) for n in line.nodes],
            "total": exact(line.nodes[-1].total),
            "coverage": exact(line.nodes[-1].coverage),
            "length": len(line.nodes),
            "diffs": {str(end): word_diff(text, result) for end, text in texts.items()},
        }
        for line, result in zip(lines, results, strict=True)
    ]
    return {
        "width": decoding.beam,
        "attention": trace.attention_of("cross") is not None,
        "grid": bool(trace.intervention.contains or trace.intervention.initials),
        "nodes": grown.columns(),
        "ends": [{"id": end.id, "text": texts[end.id]} for end in sorted(ends, key=lambda n: n.id)],
        "lines": drawn,
    }


class Tree:
    """The nodes of a search, to which the paths of other searches can be added."""

    def __init__(self, trace: Trace) -> None:
        self.nodes: list[tuple[int, BeamNode, str]] = [(n.parent, n, fate(n)) for n in trace.beam]
        self.children = {(n.parent, n.token_id): n.id for n in trace.beam}

    def graft(self, path: Sequence[BeamNode]) -> list[int]:
        """The ids of a path's nodes; missing ones are added at the end."""
        at, ids = 0, []
        for node in path:
            key = (at, node.token_id)
            if key not in self.children:
                self.children[key] = len(self.nodes)
                self.nodes.append((at, node, "beside"))
            at = self.children[key]
            ids.append(at)
        return ids

    def columns(self) -> TreeNodes:
        """One list for each field, the shortest form in JSON."""
        nodes = [node for _parent, node, _fate in self.nodes]
        return {
            "parent": [parent for parent, _node, _fate in self.nodes],
            "step": [n.step for n in nodes],
            "token": [n.token for n in nodes],
            "token_id": [n.token_id for n in nodes],
            "log_probability": [six(n.log_probability) for n in nodes],
            "total": [exact(n.total) for n in nodes],
            "coverage": [exact(n.coverage) for n in nodes],
            "rank": [0 if fate == "beside" else n.rank for _parent, n, fate in self.nodes],
            "fate": [fate for _parent, _node, fate in self.nodes],
        }


def fate(node: BeamNode) -> str:
    """The node's fate, independent of who wins."""
    if node.fate != "winner":
        return node.fate
    return "finished" if node.token == "<eos>" else "kept"


def exact(value: float) -> float:
    """Enough digits to tell any two float32 numbers apart: scores must not be rounded before ranking."""
    return float(f"{value:.9g}")
