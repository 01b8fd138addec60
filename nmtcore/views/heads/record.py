"""Types of the heads' data for the browser; kit/records.d.ts has the same types for JavaScript."""

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

from nmtcore.intervention import AttentionKind
from nmtcore.views.alignment.record import AlignmentRecord


class HeadPlace(TypedDict):
    """A head, or an average; layer and head from 0, null for the mean."""

    kind: AttentionKind
    layer: int | None
    head: int | None


class HeadMap(TypedDict):
    """One kind of attention, L layers and H heads."""

    layers: int
    heads: int
    queries: Sequence[str]
    keys: Sequence[str]
    query_words: Sequence[int]  # the number of the word that each piece belongs to
    key_words: Sequence[int]
    weights: str  # (L, H, T, S), 16-bit numbers in base64


class HeadVectors(TypedDict):
    """q, k and v of one head, 32-bit floats in base64, K numbers each; with their inputs and what arrives."""

    run: str  # which run they come from, `before` or `after` heads were switched off
    name: str
    width: int  # K
    q: str
    k: str
    v: str
    xi: str
    xj: str
    f: str
    norms: Sequence[float]  # of f(x_j), (S,)
    totals: Sequence[float]  # of the head's part of Concat(...) W^O, (T,)


class ScoredText(TypedDict):
    """A translation in parts, each with whether it changed, and its log P."""

    parts: Sequence[tuple[str, bool]]
    log_probability: float


class EffectRecord(TypedDict):
    """The effect of switching heads off."""

    off: Sequence[str]  # the heads, as in the address
    old: ScoredText | None  # null where nothing is said of it
    rescored: float | None  # log P of the old translation without them
    new: ScoredText | None  # null if it is the same
    why: str  # why search wrote the new translation, if the old one is likelier


class HeadsRecord(TypedDict):
    """All heads, and the initial choice among them."""

    model: str  # its name in saved figures
    maps: Mapping[str, HeadMap]  # by kind
    after: Mapping[str, HeadMap] | None  # for the translation with heads off
    run: str
    neighbors: str | None
    hue: str
    chosen: HeadPlace
    opening: str  # the code of the page's initial head
    off: Sequence[str]
    pane: str
    note: str  # about the opening head, with {head} for the name of the best one
    panes: NotRequired[Sequence[str]]  # panes that a host answers for, if not all
    names: Mapping[str, tuple[str, str]]  # by a head's code: its role, and the share behind it
    agreement: Mapping[str, Sequence[Sequence[float]]]  # of cross attention with other measures, (L + 1, H + 1)
    changes: Sequence[float] | None  # what the log-probability gains without each head
    best: HeadPlace | None
    vectors: HeadVectors | None
    effect: EffectRecord


class HeadsPicture(AlignmentRecord):
    """The heads beside panels, from which they draw the chosen one."""

    heads: HeadsRecord
