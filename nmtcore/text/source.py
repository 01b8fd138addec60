"""The source text: what a person typed as a model reads it, whole and within the limits, or refused.

The page, the command line and a notebook all come through here (`decoding.decode.translate` does), so that one text
means the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from nmtcore.errors import TextError
from nmtcore.text.normalization import normalized_length, remove_invisible, simplify
from nmtcore.text.vocabulary import Vocab

MAX_CHARACTERS = 2000  # after normalization
MAX_PIECES = 300  # of one model's vocabulary, without <eos>


@dataclass(frozen=True)
class SourceText:
    """A text that is ready for a vocabulary, and what was done to it.

    removed: control and zero-width characters left out; simplified: whether traditional characters became simplified.
    """

    text: str
    removed: int = 0
    simplified: bool = False


def read_source(typed: str, language: str = "") -> SourceText:
    """Clean what was typed; idempotent. language: the code of its language, such as zh."""
    text, removed = remove_invisible(typed)
    known = simplify(text, language)
    return SourceText(known, removed, known != text)


def tokenize(text: str, vocab: Vocab) -> tuple[list[int], list[str]]:
    """The ids of a text without `<eos>`, and its pieces as they are shown. Raises TextError beyond a limit."""
    if (count := normalized_length(text)) > MAX_CHARACTERS:
        raise TextError(f"The text has {count:,} characters; the limit is {MAX_CHARACTERS:,}. Shorten it.")
    ids = vocab.encode(text)
    if len(ids) > MAX_PIECES:
        raise TextError(
            f"The vocabulary splits the text into {len(ids):,} pieces; the limit is {MAX_PIECES}. Shorten it."
        )
    return ids, vocab.pieces(text)
