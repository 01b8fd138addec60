"""The words as vectors: a folded section that the pages of one model share.

A picked piece with its nearest neighbours, the plane of this sentence's pieces, and A - B + C. The address holds the
piece (`vectors=s3`, or `vectors=t.4711` for one that stands in neither sentence; nothing while the section is closed),
which the picture writes there too, and the three words (`word-a=king`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce

import streamlit as st

from nmtcore.analysis.embeddings import (
    NEAREST,
    Analogy,
    AnalogyScore,
    EmbeddingTable,
    Side,
    WordVector,
    embedding_tables,
    read_analogies,
    score_analogies,
    solve_analogy,
    whole_analogies,
    word_vector,
)
from nmtcore.decoding.trace import Trace
from nmtcore.errors import NmtError
from nmtcore.figures.palette import HUES
from nmtcore.views.embeddings.data import PickedRow, data
from nmtcore.views.embeddings.messages import MESSAGES
from nmtcore.views.nearest.data import data as nearest_pieces
from nmtcore.views.nearest.messages import MESSAGES as NEAREST_PIECES
from pages.common import models
from pages.common.address import fragment
from pages.common.component import localized, mount, reported
from pages.common.controls import show_notes
from pages.common.disclosure import disclosure_button
from pages.common.i18n import _
from pages.common.link_parameters import VECTORS, WORDS_ABC
from pages.common.neighbors import COUNT, scroll_to_neighbors
from pages.common.piece_choice import SIDES, PickedPiece, asked_piece, longest_piece, piece_note
from pages.common.text import not_markdown

KEY = "embeddings"  # of the picture


@dataclass(frozen=True, eq=False)
class Embeddings:
    """A model's tables, the analogies that it can be asked, and how many of each kind it solves."""

    tables: Mapping[Side, EmbeddingTable]
    analogies: tuple[Analogy, ...]
    scores: Mapping[str, AnalogyScore]

    @property
    def shared(self) -> bool:
        return self.tables["source"] is self.tables["target"]


def word_vectors(model: str, trace: Trace) -> None:
    """A button and, once it is pressed, the section."""
    _word_vectors(model, trace.without_arrays)  # Streamlit keeps what a fragment is given while a page is open


@fragment
def _word_vectors(model: str, trace: Trace) -> None:
    show_notes(*VECTORS.note())
    show = _("The words as vectors: which of them are alike?")
    opens = longest_piece(trace, "source")
    if not disclosure_button(VECTORS, lambda: opens.code, show=show, hide=_("Hide the vectors"), key="vectors"):
        return
    try:
        found = _embeddings(str(models.folder(model)), model, models.stamp(model))
    except NmtError as error:
        show_notes(str(error))
        return
    scroll_to_neighbors()
    st.header(_("The words as vectors"), anchor=False)
    ids = _ids(found, trace)
    picked = _picked_row(found, trace, ids, opens)
    wish = f"{VECTORS.asked()} {st.session_state.get(COUNT, 0)}"
    record = partial(data, found.tables, ids, trace, picked=picked, wish=wish, messages=localized(MESSAGES))
    mount("embeddings", record, key=KEY, link={"vectors": VECTORS}, picked=_picked)
    _analogy(found, found.tables[picked.side], trace)


@st.cache_resource(max_entries=16, show_spinner=False)
def _embeddings(folder: str, model: str, stamp: tuple[int, ...]) -> Embeddings:
    loaded = models.load(model)
    tables = embedding_tables(loaded)
    pair = f"{loaded.meta.get('source')}-{loaded.meta.get('target')}"
    analogies = whole_analogies(tables["source"], read_analogies(pair))
    return Embeddings(tables, analogies, score_analogies(tables["source"], analogies))


def _ids(found: Embeddings, trace: Trace) -> dict[Side, Sequence[int]]:
    return {"source": [*trace.source_ids], "target": trace.ids}


def _picked_row(found: Embeddings, trace: Trace, ids: Mapping[Side, Sequence[int]], opens: PickedPiece) -> PickedRow:
    """The row that the address names by the place of its piece or by its number; else that of the opening piece."""
    parts = VECTORS.parts(VECTORS.asked() or "")
    if len(parts) == 3 and parts[0] and parts[2]:
        side, index = SIDES[parts[0]], int(parts[2])
        if index < len(found.tables[side].rows):
            own = list(ids[side])
            return PickedRow(side, index, own.index(index) if index in own else None)
    if KEY not in st.session_state:  # later the address has what the browser wrote there: no link asked for that
        show_notes(*piece_note(VECTORS, trace))
    side, position = asked_piece(VECTORS, trace) or opens
    return PickedRow(side, ids[side][position], position)


def _picked() -> None:
    """Put the piece of the other side into the address: its table is the one to calculate with."""
    code = VECTORS.parse(str(reported(KEY, "picked") or ""))
    if code:
        VECTORS.write(code)


def _analogy(found: Embeddings, table: EmbeddingTable, trace: Trace) -> None:
    st.subheader("A − B + C", anchor=False)
    typed = _boxes(found.analogies[0][1:4] if found.analogies else ("", "", ""))
    left, right = st.columns([2, 3], gap="medium")
    with right:
        _how_often(found)
    with left:
        try:
            a, b, c = (word_vector(table, word) for word in typed)
        except NmtError as error:
            show_notes(str(error))
            return
        show_notes(*(note for word in (a, b, c) for note in _split(word)))
        st.markdown(
            _("“{b}” is to “{a}” as “{c}” is to …").format(
                a=not_markdown(a.text), b=not_markdown(b.text), c=not_markdown(c.text)
            )
        )
        title = _("Nearest pieces to {a} − {b} + {c}, {model}")
        bars = partial(
            nearest_pieces,
            solve_analogy(table, a, b, c),
            HUES[trace.architecture],
            title=title.format(a=a.text, b=b.text, c=c.text, model=trace.model),
            messages=localized(NEAREST_PIECES),
        )
        mount("nearest", bars, key="analogy")
        st.caption(
            _(
                "The {count} pieces nearest by cosine to A − B + C, every row at length 1. A, B and C are left out."
            ).format(count=NEAREST)
        )


def _boxes(example: Sequence[str]) -> list[str]:
    """The three boxes in a row, with the signs between them."""
    typed = []
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="analogy words"):
        for parameter, label, sign, value in zip(WORDS_ABC, "ABC", ("", "−", "+"), example, strict=True):
            if sign:
                st.markdown(f"**{sign}**", width="content")
            word = st.text_input(label, value=value, key=parameter.name, width=170, bind="query-params")
            typed.append(word or "")
    return typed


def _split(word: WordVector) -> tuple[str, ...]:
    if word.whole:
        return ()
    sentence = _("“{word}” is not one piece here: the mean of its {count} pieces stands for it.")
    return (sentence.format(word=word.text, count=len(word.ids)),)


def _how_often(found: Embeddings) -> None:
    """What the same arithmetic finds of a list of analogies, measured on this table."""
    if not found.scores:
        st.markdown(_("How often this works is not measured for this model: there is no list of analogies for it."))
        return
    total = reduce(AnalogyScore.__add__, found.scores.values())
    st.markdown(
        _("**How often does it work?** Measured on this table with a list of our own, all {asked} analogies of it "
          "whose four words are one piece each: the answer comes first in **{first} of {asked}**, and is among the "
          "{count} nearest in {among}.").format(
            asked=total.asked, first=total.first, among=total.among, count=NEAREST
        )
    )  # fmt: skip
    names = {"form": _("forms of a word"), "meaning": _("meaning"), "translation": _("translation")}
    example = {analogy.kind: analogy for analogy in reversed(found.analogies)}
    rows = [
        _("{kind}, such as *{a} − {b} + {c} = {answer}*: first in {first} of {asked}").format(
            kind=names[kind], first=score.first, asked=score.asked, **_named(example[kind])
        )
        for kind, score in found.scores.items()
    ]
    st.markdown("\n".join(f"- {row}" for row in rows))
    st.markdown(
        _(
            "Two cautions. Were A, B and C not left out, the answer would come first in only {kept} of {asked}. And in "
            "{alone} of them it is simply the nearest to A or to C, without any arithmetic (see Linzen 2016)."
        ).format(kept=total.kept, alone=total.alone, asked=total.asked)
    )


def _named(analogy: Analogy) -> dict[str, str]:
    return {"a": analogy.a, "b": analogy.b, "c": analogy.c, "answer": analogy.answer}
