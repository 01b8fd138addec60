"""The words as vectors: a folded section that the pages of one model share.

It shows a picked piece with its nearest neighbours, the plane of this sentence's pieces, and A - B + C. The address
holds the piece (`vectors=s3`, or `vectors=t.4711` for one in neither sentence; nothing while the section is closed),
which the picture writes there without a run, and the three words (`word-a=king`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from nmtcore.analysis.embeddings import (
    NEAREST,
    Analogy,
    AnalogyScore,
    EmbeddingTable,
    Side,
    embedding_tables,
    read_analogies,
    score_analogies,
    solve_analogy,
    whole_analogies,
    word_vector,
)
from nmtcore.decoding.trace import Trace
from nmtcore.figures.palette import HUES
from nmtcore.views.embeddings.data import PickedRow, data
from nmtcore.views.nearest.data import data as nearest_pieces
from pages.common import models
from pages.common.address import as_linked, fragment, read_state, typed
from pages.common.component import Slice, mount
from pages.common.controls import errors_said, show_notes
from pages.common.disclosure import section_button
from pages.common.i18n import _
from pages.common.neighbors import scroll_to_neighbors
from pages.common.piece_choice import SIDES, longest_piece
from pages.common.text import not_markdown
from pages.common.vectors import NEIGHBORS, VECTORS, VectorsState

KEY = "embeddings"  # of the picture


@dataclass(frozen=True, eq=False)
class Embeddings:
    """A model's embedding tables, the analogies to ask it, and how many of each kind it solves."""

    tables: Mapping[Side, EmbeddingTable]
    analogies: tuple[Analogy, ...]
    scores: Mapping[str, AnalogyScore]


def word_vectors(state: VectorsState, model: str, trace: Trace) -> None:
    """A button and, once it is pressed, the section."""
    # Without the arrays: Streamlit keeps the arguments of a fragment while a page is open.
    _word_vectors(type(state), model, trace.without_arrays)


@fragment
@errors_said()
def _word_vectors(of: type[VectorsState], model: str, trace: Trace) -> None:
    state, _notes = read_state(of)
    show = _("The words as vectors: which of them are alike?")
    opens = longest_piece(trace, "source")
    hide = _("Hide the vectors")
    if not section_button(state, "vectors", show=show, hide=hide, key="vectors", opens=opens.code):
        return
    embeddings = _embeddings(model)
    scroll_to_neighbors()
    st.header(_("The words as vectors"), anchor=False)
    ids: dict[Side, Sequence[int]] = {"source": [*trace.source_ids], "target": trace.ids}
    picked = picked_row(state.word_vectors.vectors, embeddings.tables, ids)
    if picked is None:
        asked = as_linked(of, "vectors", "typed", "choice", "beam")  # otherwise the sentence has changed
        show_notes(*([VECTORS.wrong(state.word_vectors.vectors)] if asked else []))
        picked = PickedRow(opens.side, ids[opens.side][opens.position], opens.position)
    record = partial(data, embeddings.tables, ids, trace, picked=picked)
    mount("embeddings", record, key=KEY, state=Slice(state, NEIGHBORS, ("vectors",)))
    _analogy(state, embeddings, embeddings.tables[picked.side], trace)


@models.kept_by_model(16)
def _embeddings(model: str) -> Embeddings:
    loaded = models.load(model)
    tables = embedding_tables(loaded)
    pair = f"{loaded.meta.get('source')}-{loaded.meta.get('target')}"
    analogies = whole_analogies(tables["source"], read_analogies(pair))
    return Embeddings(tables, analogies, score_analogies(tables["source"], analogies))


def picked_row(code: str, tables: Mapping[Side, EmbeddingTable], ids: Mapping[Side, Sequence[int]]) -> PickedRow | None:
    """The row that a code names by its piece's position or its number; None if there is no such row."""
    letter, position, number = VECTORS.parts(code)
    side = SIDES[str(letter)]
    own = list(ids[side])
    if position is not None:
        place = int(position)
        return PickedRow(side, own[place], place) if place < len(own) else None
    index = int(str(number))
    if index >= len(tables[side].rows):
        return None
    return PickedRow(side, index, own.index(index) if index in own else None)


def _analogy(state: VectorsState, embeddings: Embeddings, table: EmbeddingTable, trace: Trace) -> None:
    st.subheader("A − B + C", anchor=False)
    words = _boxes(state, embeddings.analogies[0][1:4] if embeddings.analogies else ("", "", ""))
    left, right = st.columns([2, 3], gap="medium")
    with right:
        _how_often(embeddings)
    with left, errors_said():
        a, b, c = (word_vector(table, word) for word in words)
        says = _("“{word}” is not one piece here: the mean of its {count} pieces stands for it.")
        show_notes(*(says.format(word=one.text, count=len(one.ids)) for one in (a, b, c) if not one.whole))
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
        )
        mount("nearest", bars, key="analogy")
        st.caption(
            _(
                "The {count} pieces nearest by cosine to A − B + C, with every row scaled to length 1. A, B and C are "
                "left out."
            ).format(count=NEAREST)
        )


def _boxes(state: VectorsState, example: Sequence[str]) -> list[str]:
    """The three boxes in a row, with the signs between them. They open with the words of an example."""
    words = []
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="analogy words"):
        for label, sign, usual in zip("ABC", ("", "−", "+"), example, strict=True):
            if sign:
                st.markdown(f"**{sign}**", width="content")
            name = f"word_{label.lower()}"
            asked = state.value(name)
            word = usual if asked is None else asked
            st.text_input(label, width=170, **typed(state, name, value=word))
            words.append(word)
    return words


def _how_often(embeddings: Embeddings) -> None:
    """How many of a list of analogies the same arithmetic solves, measured on this table."""
    if not embeddings.scores:
        says = _("How often this works has not been measured for this model: there is no list of analogies for it.")
        st.markdown(says)
        return
    total = AnalogyScore(*map(sum, zip(*embeddings.scores.values(), strict=True)))
    st.markdown(
        _("**How often does it work?** Measured on this table with our own list, on all {asked} analogies whose four "
          "words are one piece each: the answer comes first in **{first} of {asked}**, and is among the {count} "
          "nearest in {among}.").format(
            asked=total.asked, first=total.first, among=total.among, count=NEAREST
        )
    )  # fmt: skip
    names = {"form": _("forms of a word"), "meaning": _("meaning"), "translation": _("translation")}
    example = {analogy.kind: analogy for analogy in reversed(embeddings.analogies)}
    rows = [
        _("{kind}, such as *{a} − {b} + {c} = {answer}*: first in {first} of {asked}").format(
            kind=names[kind], first=score.first, asked=score.asked, **_named(example[kind])
        )
        for kind, score in embeddings.scores.items()
    ]
    st.markdown("\n".join(f"- {row}" for row in rows))
    st.markdown(
        _(
            "Two cautions. If A, B and C were not left out, the answer would come first in only {kept} of {asked}. And "
            "in {alone} of them it is simply the nearest to A or to C, without any arithmetic (see Linzen 2016)."
        ).format(kept=total.kept, alone=total.alone, asked=total.asked)
    )


def _named(analogy: Analogy) -> dict[str, str]:
    return {"a": analogy.a, "b": analogy.b, "c": analogy.c, "answer": analogy.answer}
