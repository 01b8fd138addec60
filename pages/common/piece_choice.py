"""Pieces of a sentence and its translation as chips, of which one is chosen; the choice stands in the address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from nmtcore.analysis.embeddings import Side
from nmtcore.decoding.trace import Trace
from nmtcore.text.words import sentence_names, token_name
from pages.common.controls import show_notes
from pages.common.link_state import Pattern
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


def picked_piece(parameter: Pattern, trace: Trace, opening: PickedPiece) -> PickedPiece:
    """The piece that the address names; else the opening one, with a sentence where the address names none here."""
    asked = parameter.asked()
    if not asked:
        return opening
    parts = parameter.parts(asked)
    if len(parts) > 1 and parts[0] and parts[1]:
        picked = PickedPiece(SIDES[parts[0]], int(parts[1]))
        if picked.position < len(trace.source if picked.side == "source" else trace.target):
            return picked
    show_notes(parameter.wrong(asked))
    return opening


def piece_chips(
    parameter: Pattern, trace: Trace, picked: PickedPiece | None, key: str, labels: tuple[str, str]
) -> None:
    """A row of chips for each side; labels: what stands before them. key: the beginning of the keys of both.

    picked: the chosen one; None where another piece is, which stands in neither row.
    """
    for letter, pieces, label in (("s", trace.source, labels[0]), ("t", trace.target, labels[1])):
        name = f"{key} {letter}"
        st.session_state[name] = picked.position if picked and SIDES[letter] == picked.side else None
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}s {letter}"):
            st.caption(label, width="content")
            st.pills(
                label,
                range(len(pieces)),
                key=name,
                format_func=chip_names(pieces).__getitem__,
                on_change=_pick,
                args=(parameter, name, letter, picked),
                label_visibility="collapsed",
                wrap=True,
                width="content",
            )


def chip_names(pieces: Sequence[str]) -> list[str]:
    """Pieces as labels, each of its own: Streamlit tells chips apart by their words, so repeats get unseen spaces."""
    names = [not_markdown(name) for name in sentence_names(pieces)]
    return [name + "\u200b" * names[:i].count(name) for i, name in enumerate(names)]


def _pick(parameter: Pattern, name: str, letter: str, before: PickedPiece | None) -> None:
    position = st.session_state[name]
    if position is not None and (SIDES[letter], position) != before:
        parameter.write(PickedPiece(SIDES[letter], position).code)
