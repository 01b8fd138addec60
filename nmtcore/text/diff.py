"""Word-level diff of two texts: the words of each that the other lacks."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

_WORD = re.compile(r"\s+|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\s\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")

Segments = list[tuple[str, bool]]  # consecutive parts of a text, each with whether the other text lacks it


def word_diff(before: str, after: str) -> tuple[Segments, Segments]:
    """Word diff: split both texts into parts that the other has or lacks. Each Chinese character is a word."""
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
