"""JavaScript's types of the records are those of Python."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pytest

from nmtcore.views.typings import _typescript


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (Sequence[Sequence[float]] | None, "number[][] | null"),
        (Sequence[tuple[str, int | None]], "([string, number | null])[]"),
        (Sequence[Literal["a", "b"]], '("a" | "b")[]'),
        (Mapping[str, Sequence[bool]], "Record<string, boolean[]>"),
    ],
)
def test_a_type_in_typescript(hint: Any, expected: str) -> None:
    assert _typescript(hint) == expected


def test_what_json_has_no_type_for_is_refused() -> None:
    with pytest.raises(TypeError, match="no TypeScript type"):
        _typescript(Sequence[complex])
