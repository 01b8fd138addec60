"""The figure of teacher forcing: one row per piece in reading order, the model's preference, the first divergence."""

import math

import pytest

from nmtcore.analysis.teacher_forcing import ForcedPiece, TeacherForcing
from nmtcore.figures.palette import GREEDY, HUES
from nmtcore.figures.teacher_forcing import forced_probabilities, forced_table

PIECES = (
    ForcedPiece("▁le", 4, math.log(0.75), 1, "▁le", math.log(0.75)),
    ForcedPiece("▁chat", 5, math.log(0.125), 1200, "▁chien", math.log(0.5)),
    ForcedPiece("▁le", 4, math.log(0.25), 2, "<eos>", math.log(0.375)),
    ForcedPiece("<eos>", 3, math.log(0.5), 1, "<eos>", math.log(0.5)),
)
FORCED = TeacherForcing("le chat le", PIECES, -1.5)


def test_a_row_a_piece() -> None:
    table = forced_table(FORCED)
    assert list(table["piece"]) == ["le", "chat", "le", "<eos>"]
    assert list(table["probability"]) == pytest.approx([0.75, 0.125, 0.25, 0.5])
    assert list(table["favourite"]) == ["le", "chien", "<eos>", "<eos>"]
    assert list(table["parts"]) == [False, True, False, False], "the first of two places alone"
    assert math.exp(table["log_probability"].sum()) == pytest.approx(0.75 * 0.125 * 0.25 * 0.5)


def test_the_picture_names_rank_and_favourite_where_the_model_prefers_another() -> None:
    picture = forced_probabilities(forced_table(FORCED), "dot", ["p"], "rank {rank}", "model: {piece} {probability}")
    spec = picture.to_dict()
    (rows,) = spec["datasets"].values()
    assert [row["name"] for row in rows] == ["1  le", "2  chat", "3  le", "4  <eos>"]
    assert rows[0]["note"] == "0.750" and rows[3]["note"] == "0.500"
    assert rows[1]["note"] == "0.125 · rank 1,200 · model: chien 0.500"
    assert [row["end"] for row in rows] == pytest.approx([0.75, 0.5, 0.375, 0.5])
    bars, own, words, here = spec["layer"]
    assert bars["mark"]["color"] == HUES["dot"] and own["mark"]["color"] == GREEDY
    assert bars["encoding"]["y"]["sort"] == [row["name"] for row in rows]
    assert own["transform"] == [{"filter": "datum.rank > 1"}] and here["transform"] == [{"filter": "datum.parts"}]
    assert words["encoding"]["text"]["field"] == "note"


@pytest.mark.parametrize(
    ("piece", "note"),
    [
        (ForcedPiece("▁rare", 7, -12.0, 90, "▁x", math.log(0.0625)), "< 0.001 · rank 90 · model: x 0.062"),
        (ForcedPiece("{x}", 7, math.log(0.25), 3, "{0}", math.log(0.5)), "0.250 · rank 3 · model: {0} 0.500"),
    ],
)
def test_a_very_small_probability_is_not_zero_and_typed_braces_are_words(piece: ForcedPiece, note: str) -> None:
    table = forced_table(TeacherForcing("", (piece,), 0.0))
    spec = forced_probabilities(table, "none", ["p"], "rank {rank}", "model: {piece} {probability}").to_dict()
    assert next(iter(spec["datasets"].values()))[0]["note"] == note


def test_a_piece_that_goes_on_with_a_word_looks_like_one() -> None:
    pieces = (
        ForcedPiece("▁affamé", 4, math.log(0.5), 2, "▁faim", math.log(0.75)),
        ForcedPiece("e", 5, math.log(0.5), 2, "s", math.log(0.75)),
        ForcedPiece(".", 6, math.log(0.5), 2, "▁e", math.log(0.75)),
    )
    table = forced_table(TeacherForcing("affamée.", pieces, 0.0))
    assert list(table["piece"]) == ["affamé", "·e", "."]
    assert list(table["favourite"]) == ["faim", "·s", "e"]
