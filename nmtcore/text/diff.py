"""A diff of two texts: what one of them has and the other has not."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

_WORD = re.compile(r"\s+|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\s\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")

Segments = list[tuple[str, bool]]  # parts of a text, which join to it, and whether the other text lacks them


def word_diff(before: str, after: str) -> tuple[Segments, Segments]:
    """Word diff: both texts in parts; words that the other lacks are marked. Mandarin counts each character."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    first: Segments = []
    second: Segments = []
    for kind, i, i_end, j, j_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        changed = kind != "equal"
        _add(first, old[i:i_end], changed)
        _add(second, new[j:j_end], changed)
    return first, second


def _add(parts: Segments, words: Sequence[str], changed: bool) -> None:
    if words:
        parts.append(("".join(words), changed and not "".join(words).isspace()))
