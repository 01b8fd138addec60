"""Word vectors as plain data: the neighbours of every piece in both sentences, and their plane.

The browser gets them once; picking a piece of a sentence never runs a page. The piece is in the address
(`vectors=s3`), written there by the picture.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_args

from nmtcore.analysis.embeddings import EmbeddingTable, Side, principal_plane
from nmtcore.decoding.trace import Trace
from nmtcore.errors import DataError
from nmtcore.figures.palette import HUES
from nmtcore.text.vocabulary import UNK, is_byte
from nmtcore.text.words import piece_name, sentence_names
from nmtcore.views.embeddings.messages import MESSAGES
from nmtcore.views.nearest.data import named

SHOWN = 8  # neighbours per piece
NEITHER = 3  # the group of a piece in neither sentence; 0: in the source, 1: in the translation, 2: in both


class PickedRow(NamedTuple):
    """A row of a side's embedding table. position: its piece's in that sentence; None if it is not there."""

    side: Side
    id: int
    position: int | None


def data(
    tables: Mapping[Side, EmbeddingTable],
    ids: Mapping[Side, Sequence[int]],
    trace: Trace,
    *,
    picked: PickedRow,
) -> dict[str, Any]:
    """The table rows, by `ids`, of the pieces of `trace`.

    picked: the row whose neighbours are shown, unless the address names another one that is included.
    """
    shared = tables["source"] is tables["target"]
    sentences = {"source": trace.source, "target": trace.target}
    planes = {"source": _plane(tables, ids, "source")}
    planes["target"] = planes["source"] if shared else _plane(tables, ids, "target")
    return {
        "model": trace.model,
        "sentence": trace.source_text,
        "hue": HUES[trace.architecture],
        "width": tables["source"].rows.shape[1],
        "shared": shared,
        "picked": {"side": picked.side[0], "position": picked.position},
        "sides": {
            one[0]: {
                "names": sentence_names(sentences[one]),
                "ids": list(ids[one]),
                "rows": _rows(tables[one], ids[one]),
                "plane": planes[one],
            }
            for one in get_args(Side)
        },
        "other": _other(tables, ids, picked.side, picked.id) if picked.position is None else None,
        "words": MESSAGES,
    }


def _rows(table: EmbeddingTable, ids: Sequence[int]) -> dict[str, Any]:
    """Rows of a table by number: their pieces, and the nearest ones."""
    each = list(dict.fromkeys(ids))
    return {
        str(index): {"kind": _kind(table, index), "nearest": named(neighbors)}
        for index, neighbors in zip(
            each, table.nearest_to_all(table.rows[each], [[index] for index in each], SHOWN), strict=True
        )
    }


def _kind(table: EmbeddingTable, index: int) -> str | None:
    """A note about a piece that is not part of a word."""
    return "byte" if is_byte(table.vocab.token(index)) else "unknown" if index == UNK else None


def _other(
    tables: Mapping[Side, EmbeddingTable], ids: Mapping[Side, Sequence[int]], side: Side, index: int
) -> dict[str, Any]:
    table = tables[side]
    return {
        "side": side[0],
        "id": index,
        "name": piece_name(table.vocab.token(index)),
        "rows": _rows(table, [index]),
        "plane": _plane(tables, ids, side, index),
    }


def _plane(
    tables: Mapping[Side, EmbeddingTable], ids: Mapping[Side, Sequence[int]], side: Side, other: int | None = None
) -> dict[str, Any] | None:
    """The distinct pieces of a side on two principal components; None if there are too few.

    Pieces that are bytes are left out.
    """
    table = tables[side]
    groups: dict[int, int] = {}
    for group, one in enumerate(get_args(Side)):
        for index in ids[one] if tables[one] is table else ():
            groups[index] = group if groups.get(index, group) == group else 2
    if other is not None:  # with two tables, it may be in the other side's text
        standing = (group for group, one in enumerate(get_args(Side)) if other in ids[one])
        groups.setdefault(other, next(standing, NEITHER))
    shown = [index for index in groups if not is_byte(table.vocab.token(index))]
    try:
        plane = principal_plane(table.rows[shown])
    except DataError:
        return None
    return {
        "ids": shown,
        "names": [piece_name(table.vocab.token(index)) for index in shown],
        "groups": [groups[index] for index in shown],
        "points": [[round(x, 5), round(y, 5)] for x, y in plane.points.tolist()],
        "shares": [float(share) for share in plane.shares],
    }
