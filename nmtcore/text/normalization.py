"""Text normalization: how every text is cleaned before it is split into pieces, in training and in use."""

import re
import unicodedata
from functools import cache
from typing import Any

SPACE = "\u2581"  # how sentencepiece writes the space before a word
# Unicode's categories of control, format (zero-width, direction marks), surrogate and private characters.
INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co"})

# A typed U+2581 would read as a space, so it becomes the low line that it looks like. Typographic
# apostrophes become the one that the corpora have.
_ALIKE = {ord(SPACE): "_", 0x2019: "'", 0x02BC: "'"}
_EMOJI_PARTS = re.compile("[\ufe0e\ufe0f\u20e3]")  # only change how the character before them looks


def normalize(text: str) -> str:
    """Normalize `text` to NFKC (compatibility composition), without invisible characters, which no vocabulary has.

    Sentencepiece could do this, but its table of the same rules would add 240 kB to every vocabulary file. The result
    may be longer than the text: U+FDFA becomes 18 characters.
    """
    if text.isascii() and text.isprintable():
        return text
    text = unicodedata.normalize("NFKC", _EMOJI_PARTS.sub("", text).translate(_ALIKE)).replace(SPACE, "_")
    return "".join(" " if c.isspace() else c for c in text if c.isspace() or not is_invisible(c))


def normalized_length(text: str) -> int:
    """The length of `text` after `normalize`, to which limits apply."""
    return len(normalize(text))


def remove_invisible(text: str) -> tuple[str, int]:
    """Convert `text` to NFC with single spaces and no invisible characters; also return how many were removed.

    Unlike `normalize` it keeps every visible character as typed, since this is the text that people are shown.
    """
    spaced = " ".join(unicodedata.normalize("NFC", _EMOJI_PARTS.sub("", text)).split())
    visible = "".join(c for c in spaced if not is_invisible(c))
    return " ".join(visible.split()), len(spaced) - len(visible)


def is_invisible(character: str) -> bool:
    """Whether a character is a control, format, surrogate or private-use character."""
    return unicodedata.category(character) in INVISIBLE


def simplify(text: str, language: str) -> str:
    """Convert Mandarin to the simplified characters that the models know, by OpenCC; leave other languages alone."""
    if language != "zh":
        return text
    convert = _to_simplified().convert
    simplified: str = convert(convert(text))  # twice, because one character takes two steps
    return simplified


@cache
def _to_simplified() -> Any:
    from opencc import OpenCC  # type: ignore[import-untyped]  # here, for only Mandarin needs its tables

    return OpenCC("t2s")
