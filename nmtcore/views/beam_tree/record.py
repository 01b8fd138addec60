"""Types of a recorded search's data for the browser; kit/records.d.ts has the same types for JavaScript."""

from collections.abc import Sequence
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
    """Another result of the same sentence. A candidate is not drawn over the tree."""

    kind: LineKind
    name: str
    text: str
    nodes: TreeNodes  # its path, as recorded by its own search


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


class BeamTreeRecord(TypedDict):
    """A recorded search, and the lines to lay over it."""

    width: int
    attention: bool
    grid: bool  # whether it is a grid beam search with banks for constraints
    nodes: TreeNodes
    ends: Sequence[TreeEnd]
    lines: Sequence[TreeLine]
    stamp: str  # identifies this search
    sentence: str
    model: str
    name: str  # title of the winner's row
    whatifs: Sequence[WhatIf]
    penalties: Penalties  # for which the lines are compared
    defaults: Penalties
    branch: int  # the step that a what-if changes first
    colors: TreeColors
    words: Messages
