"""How a text to translate is read, and its limits: it is translated whole, or refused with the limit that it breaks."""

from __future__ import annotations

from functools import cache
from typing import Any

from nmtcore.errors import TextError
from nmtcore.text.vocabulary import Vocab

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


def simplified(text: str, language: str) -> str:
    """Mandarin in the simplified characters that the models know, by OpenCC's tables; other languages as they are."""
    return _to_simplified().convert(text) if language == "zh" else text


@cache
def _to_simplified() -> Any:
    from opencc import OpenCC  # type: ignore[import-untyped]  # here, for only Mandarin needs its tables

    return OpenCC("t2s")
