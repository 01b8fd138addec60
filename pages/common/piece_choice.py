"""Pieces of a sentence and its translation, of which one is picked: what a code names, and their names."""

from collections.abc import Sequence
from typing import NamedTuple

from nmtcore.analysis.embeddings import Side
from nmtcore.decoding.trace import Trace
from nmtcore.text.words import sentence_names, token_name
from nmtcore.views.kit.link_state import Pattern
from pages.common.text import not_markdown

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
    """The longest piece of a side but for its last, `<eos>`: a word that says something, to open with."""
    pieces = trace.source if side == "source" else trace.target
    lengths = [len(token_name(piece)) for piece in pieces[:-1]] or [0]
    return PickedPiece(side, lengths.index(max(lengths)))


def asked_piece(parameter: Pattern, code: str, trace: Trace) -> PickedPiece | None:
    """The piece that a code names, such as `t3`; None where it names none of these sentences."""
    parts = parameter.parts(code)
    if len(parts) > 1 and parts[0] and parts[1]:
        picked = PickedPiece(SIDES[parts[0]], int(parts[1]))
        if picked.position < len(trace.source if picked.side == "source" else trace.target):
            return picked
    return None


def chip_names(pieces: Sequence[str]) -> list[str]:
    """Pieces as labels, each of its own: Streamlit tells chips apart by their words, so repeats get unseen spaces."""
    names = [not_markdown(name) for name in sentence_names(pieces)]
    return [name + "\u200b" * names[:i].count(name) for i, name in enumerate(names)]
