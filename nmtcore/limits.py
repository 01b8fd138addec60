"""Limits: how long a text may be, and how much work and memory one question may take, each with its sentence.

A text is measured in pieces of the model's vocabulary, as a model reads it; its characters are counted only to refuse
what nobody should cut into pieces. The work of a decode is its pieces times its hypotheses; of a whole record, numbers
that are computed or kept.
"""

from collections.abc import Callable

from nmtcore.errors import TextError

MAX_CHARACTERS = 2000  # of a text, after normalization
MAX_PIECES = 300  # of one model's vocabulary, without <eos>
LONG_PIECES = 100  # beyond which a text takes its turn with other long ones: records grow with the square of it
DRAWN_PIECES = 120  # of a sentence whose heads are all drawn, masked and unmasked: more squares can nobody tell apart
BYTES_A_PIECE = 4  # of a text in UTF-8, about: for who orders questions, and has no vocabulary to cut them with
# Pieces times hypotheses of a question before which ordinary ones go. A sentence with a beam of 5 has 100 and takes
# hundredths of a second; the longest text with the widest beam has thousands, and takes seconds.
HEAVY_WORK = 250
BATCH_PIECES = 25  # of a text that fills one place of a batch; one of twice as many has records of twice the memory
MAX_OMITTED_WORDS = 60  # of a sentence in which each word is left out in turn
# Target positions that are scored again for one question: some three seconds of a processor. A text of 100 words needs
# 12,000 to be scored without each of them; one of 90 invented words, whose translation finds no end, 30,000.
MAX_SCORED_POSITIONS = 16_000
SEARCH_NUMBERS = 36_000_000  # that a search may hold, of the candidates of a step and of attention: some 140 MB
CANDIDATES = 4_000  # numbers that the candidates of one hypothesis at one step are worth, in memory and time
RECORD_BYTES = 32_000_000  # of attention and scores in a Trace: 350 pieces made of 300, by our largest model
SHORTEST = 20  # pieces that a translation may always have


def exceeds(text: str, most: int, count: Callable[[], int]) -> bool:
    """Whether a text has more than so many pieces. count: cuts and counts them; no text has more pieces than bytes."""
    return len(text.encode()) > most and count() > most


def estimated_pieces(text: str) -> int:
    """About how many pieces a text has."""
    return len(text.encode()) // BYTES_A_PIECE


def check_characters(count: int) -> None:
    """Raise TextError for a text of so many characters where that is beyond the limit."""
    if count > MAX_CHARACTERS:
        raise TextError(f"The text has {count:,} characters; the limit is {MAX_CHARACTERS:,}. Shorten it.")


def check_pieces(count: int, most: int = MAX_PIECES) -> None:
    """Raise TextError for a text of so many pieces where that is beyond the limit."""
    if count > most:
        raise TextError(f"The vocabulary splits the text into {count:,} pieces; the limit is {most:,}. Shorten it.")
