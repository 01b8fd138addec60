"""Limits of a text: in pieces, counted only if its size in bytes does not decide."""

import pytest

from nmtcore import limits
from nmtcore.errors import TextError


@pytest.mark.parametrize(
    ("text", "pieces", "beyond", "asked"),
    [("a" * 7, 9, False, 0), ("a" * 8, 7, False, 1), ("a" * 8, 8, True, 1), ("好" * 3, 3, False, 1), ("", 0, False, 0)],
)
def test_a_text_is_cut_only_where_it_may_have_too_many_pieces(text: str, pieces: int, beyond: bool, asked: int) -> None:
    counted: list[int] = []

    def count() -> int:
        counted.append(pieces)
        return pieces

    assert limits.exceeds(text, 7, count) == beyond
    assert len(counted) == asked


def test_beyond_a_limit_a_sentence_says_the_count_and_the_limit() -> None:
    limits.check_pieces(limits.MAX_PIECES)
    with pytest.raises(TextError, match=f"into {limits.MAX_PIECES + 1} pieces; the limit is {limits.MAX_PIECES}"):
        limits.check_pieces(limits.MAX_PIECES + 1)
    with pytest.raises(TextError, match="9 pieces; the limit is 7"):
        limits.check_pieces(9, 7)
    with pytest.raises(TextError, match="2,001 characters; the limit is 2,000"):
        limits.check_characters(2001)
