"""Types of a recorded search's data for the browser; kit/records.d.ts has the same types for JavaScript."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

from nmtcore.messages import Messages

LineKind = Literal["greedy", "before", "candidate"]


class TreeNodes(TypedDict):
    """All nodes, one list per field."""

    parent: Sequence[int]
    step: Sequence[int]
    token: Sequence[str]
    token_id: Sequence[int]
    log_probability: Sequence[float]
    total: Sequence[float]
    coverage: Sequence[float]
    rank: Sequence[int]
    fate: Sequence[str]


class TreeEnd(TypedDict):
    """A finished hypothesis."""

    id: int
    text: str


class TreeLine(TypedDict):
    """Another result of the same sentence."""

    kind: LineKind
    name: str
    text: str
    path: Sequence[int]  # ids of its nodes; empty for a candidate, which is not drawn over the tree
    tokens: Sequence[str]
    log_probabilities: Sequence[float]
    total: float
    coverage: float
    length: int
    diffs: Mapping[str, tuple[Sequence[tuple[str, bool]], Sequence[tuple[str, bool]]]]  # by the id of the end node


class Penalties(TypedDict):
    """Length and coverage penalty."""

    alpha: float
    beta: float


class WhatIf(TypedDict):
    """A what-if in force, which can be undone."""

    code: str
    text: str


class TreeColors(TypedDict):
    """For the model, the greedy path and dropped candidates."""

    hue: str
    greedy: str
    pruned: str


class SearchRecord(TypedDict):
    """A recorded search with the lines laid over it, made by `to_data`."""

    width: int
    attention: bool
    grid: bool  # whether it is a grid beam search with banks for constraints
    nodes: TreeNodes
    ends: Sequence[TreeEnd]
    lines: Sequence[TreeLine]


class BeamTreeRecord(SearchRecord):
    """The search, and the opening view of its picture."""

    stamp: str  # identifies this search
    sentence: str
    model: str
    name: str  # title of the winner's row
    whatifs: Sequence[WhatIf]
    penalties: Penalties
    defaults: Penalties
    step: int  # 0 for the most interesting step
    whole: bool  # whether later steps are drawn as strongly
    mode: str  # which dropped candidates are drawn
    branch: int  # the step that a what-if changes first
    colors: TreeColors
    words: Messages
