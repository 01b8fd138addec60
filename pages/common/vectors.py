"""The words as vectors, as a part of a page's state: the piece whose vector is shown, and the words of A - B + C."""

from dataclasses import dataclass
from typing import Self

from nmtcore.messages import N_
from nmtcore.views.kit.link_state import Pattern
from nmtcore.views.parameters import ID, PIECE
from pages.common.question import Question, TypedText
from pages.common.state import State, part, says, stated

# `s3` and `t3` are pieces of source and translation, from 0; `t.4711` is row 4711 of the target's table, for a
# piece that only search or a layer names.
VECTORS = Pattern(
    "vectors", "", rf"([st])(?:({PIECE})|\.({ID}))", ("side", "position", "id"),
    wrong=says(N_(
        "The link shows the vector of a piece that is in neither these sentences nor the vocabulary: it was ignored."
    )),
)  # fmt: skip
NEIGHBORS = {"vectors": "vectors"}  # the fields that a picture with links to neighbours needs


@dataclass(frozen=True)
class WordVectors(State):
    """vectors: the piece, empty while the section is closed; word_a, word_b, word_c: None for the example's word."""

    vectors: str = stated(VECTORS)
    word_a: str | None = stated(TypedText("word-a", None))
    word_b: str | None = stated(TypedText("word-b", None))
    word_c: str | None = stated(TypedText("word-c", None))


@dataclass(frozen=True)
class VectorsState(State):
    """The base class of the state of a page with the section."""

    question: Question = part(Question)
    word_vectors: WordVectors = part(WordVectors)

    def stale(self, before: Self) -> tuple[str, ...]:
        """A row of the embedding table is a different piece in a different vocabulary."""
        names = super().stale(before)
        row = "." in before.word_vectors.vectors
        return (*names, "vectors") if row and self.question.choice != before.question.choice else names
