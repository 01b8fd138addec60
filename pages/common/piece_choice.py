"""Pieces of a sentence and its translation to pick from: codes and labels."""

from typing import NamedTuple

from nmtcore.analysis.embeddings import Side
from nmtcore.decoding.trace import Trace
from nmtcore.text.words import token_name
from nmtcore.views.kit.link_state import Pattern

SIDES: dict[str, Side] = {"s": "source", "t": "target"}


class PickedPiece(NamedTuple):
    """A piece of the source or of the translation, counted from 0."""

    side: Side
    position: int

    @property
    def code(self) -> str:
        """As in the address, such as `t3`."""
        return f"{self.side[0]}{self.position}"


def longest_piece(trace: Trace, side: Side) -> PickedPiece:
    """The longest piece of a side except its last, `<eos>`: a content word to open with."""
    pieces = trace.source if side == "source" else trace.target
    lengths = [len(token_name(piece)) for piece in pieces[:-1]] or [0]
    return PickedPiece(side, lengths.index(max(lengths)))


def asked_piece(parameter: Pattern, code: str, trace: Trace) -> PickedPiece | None:
    """The piece that a code such as `t3` names; None if these sentences have no such piece."""
    parts = parameter.parts(code)
    if len(parts) > 1 and parts[0] and parts[1]:
        picked = PickedPiece(SIDES[parts[0]], int(parts[1]))
        if picked.position < len(trace.source if picked.side == "source" else trace.target):
            return picked
    return None
