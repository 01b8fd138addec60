"""The limits of a text to translate: it is translated whole, or refused with the limit that it breaks."""

from __future__ import annotations

from nmtcore.errors import TextError
from nmtcore.vocab import Vocab

MAX_CHARACTERS = 2000
MAX_PIECES = 300  # of one model's vocabulary, without <eos>


def encode(text: str, vocab: Vocab) -> list[int]:
    """The ids of a text that is within the limits, without `<eos>`. Raises TextError."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise TextError("The text is not in UTF-8: save or type it again with that encoding.") from error
    if len(text) > MAX_CHARACTERS:
        raise TextError(f"The text has {len(text):,} characters; the limit is {MAX_CHARACTERS:,}. Shorten it.")
    ids = vocab.encode(text)
    if len(ids) > MAX_PIECES:
        raise TextError(
            f"The vocabulary splits the text into {len(ids):,} pieces; the limit is {MAX_PIECES}. Shorten it."
        )
    return ids
