"""Limits on the length of texts and files of pairs, and on the work and memory of one request, all in one place.

A limit that a user can exceed has its sentence here, in English and marked for translation; a page passes `translate`
to a check to translate it.

A text is measured in subwords of the model's vocabulary, as the model reads it. Characters are counted only to reject a
text before it is segmented. The work of a decode is its subwords times its hypotheses; the work of a whole record is
the number of values computed or stored.
"""

import dataclasses
import math
from collections.abc import Callable

from nmtcore.config import DecodingConfig, ModelConfig
from nmtcore.errors import DataError, InterventionError, SettingError, TextError
from nmtcore.messages import N_

MAX_CHARACTERS = 2000  # in a text, after normalization
MAX_PIECES = 300  # in a text, by the model's vocabulary, without <eos>
LONG_PIECES = 100  # above which a text queues with other long ones, since records grow quadratically
DRAWN_PIECES = 120  # in a sentence drawn with all heads, masked and unmasked: more squares would be too small
BYTES_A_PIECE = 4  # of UTF-8 text, roughly: the queue orders requests without a vocabulary to segment them
# Pieces times hypotheses from which a request is heavy and ordinary ones go first. A sentence with a beam of 5 has 100
# and takes hundredths of a second; the longest text with the widest beam has thousands and takes seconds.
HEAVY_WORK = 250
BATCH_PIECES = 25  # in a text that fills one place of a batch; twice as many take twice the memory
MAX_OMITTED_WORDS = 60  # in a sentence whose words are left out in turn
# Target positions rescored for one request: about three seconds of processor time. Leaving out each of 100 words in
# turn rescores 12,000; 90 invented words, whose translation never ends, 30,000.
MAX_SCORED_POSITIONS = 16_000
SEARCH_NUMBERS = 36_000_000  # that a search may store for the candidates of a step and for attention: about 140 MB
CANDIDATES = 4_000  # numbers that the candidates of one hypothesis cost per step, in memory and time
RECORD_BYTES = 32_000_000  # of attention and scores in a Trace: 300 pieces translated into 350 by our largest model
SHORTEST = 20  # pieces that a translation may always have

SIDE_BY_SIDE = 4  # models in columns that can still be read side by side
LISTED_PAIRS = 10_000  # in a file whose sentences are listed with their scores
FILE_MEGABYTES, FILE_ROWS = 5, 100_000  # of a file of pairs that a user gives to a page
TRAINING_CHARACTERS = 1000  # on one side of a training pair, as a vocabulary reads it
TRAINING_PIECES = 500  # on one side of a pair for Fine-tune: the memory for attention grows quadratically

TOO_MANY_CHARACTERS = N_("This text has {count:,} characters; the limit is {limit:,}. Shorten it.")
TOO_MANY_PIECES = N_("The vocabulary splits the text into {count:,} pieces; the limit is {limit:,}. Shorten it.")
TOO_MANY_MODELS = N_("At most {limit} models stand side by side.")
TOO_LARGE_FILE = N_("This is more than {limit} MB: give fewer rows.")
TOO_MANY_ROWS = N_("There are more than {limit:,} rows: give fewer.")


def exceeds(text: str, most: int, count: Callable[[], int]) -> bool:
    """Whether a text has more than this many pieces. count: segments and counts; a piece has at least one byte."""
    return len(text.encode()) > most and count() > most


def estimated_pieces(text: str) -> int:
    """The approximate number of pieces in a text."""
    return len(text.encode()) // BYTES_A_PIECE


def check_characters(count: int, translate: Callable[[str], str] = str) -> None:
    """Raise TextError if a text of this many characters is too long."""
    if count > MAX_CHARACTERS:
        raise TextError(translate(TOO_MANY_CHARACTERS).format(count=count, limit=MAX_CHARACTERS))


def check_pieces(count: int, most: int = MAX_PIECES, translate: Callable[[str], str] = str) -> None:
    """Raise TextError if a text of this many pieces is too long."""
    if count > most:
        raise TextError(translate(TOO_MANY_PIECES).format(count=count, limit=most))


def check_models(count: int) -> None:
    """Raise SettingError for too many models side by side."""
    if count > SIDE_BY_SIDE:
        raise SettingError(TOO_MANY_MODELS.format(limit=SIDE_BY_SIDE))


def check_file(content: bytes, translate: Callable[[str], str] = str) -> None:
    """Raise DataError for a file of pairs that is too large, or has too many rows, for a page."""
    if len(content) > FILE_MEGABYTES * 1_000_000:
        raise DataError(translate(TOO_LARGE_FILE).format(limit=FILE_MEGABYTES))
    if content.count(b"\n") > FILE_ROWS:
        raise DataError(translate(TOO_MANY_ROWS).format(limit=FILE_ROWS))


def within_budget(decoding: DecodingConfig, pieces: int, config: ModelConfig, banks: int = 1) -> DecodingConfig:
    """Adapt the decoding settings to the memory budget of a search, for a source of `pieces` pieces including `<eos>`.

    The memory of a search grows with the beam width, with both lengths, and with the layers and heads whose attention
    is recorded. A search within the budget is not changed. Above it the beam is narrowed, and if the record would still
    be too large, the translation's length limit is lowered.

    banks: the number of banks of a constrained search, each with as many hypotheses as the beam is wide. Raises
    InterventionError if a requirement is too large for any beam.
    """
    limit = _record_limit(decoding.limit(pieces), pieces, config)
    one = _hypothesis(pieces, limit, config) * banks
    if one > SEARCH_NUMBERS and banks > 1:
        raise InterventionError(
            f"The constraints have {banks - 1} parts, too many for a sentence of {pieces} pieces: ask for less."
        )
    beam = min(decoding.beam, max(1, SEARCH_NUMBERS // one))
    length = decoding.max_length if limit == decoding.limit(pieces) else limit
    return dataclasses.replace(decoding, beam=beam, max_length=length)


def _hypothesis(source: int, target: int, config: ModelConfig) -> int:
    """The numbers stored for one hypothesis: weights and scores of cross attention and of a growing self attention."""
    _, maps = _maps(config)
    return target * (maps * (2 * source + target) + CANDIDATES)


def _record_limit(limit: int, source: int, config: ModelConfig) -> int:
    """The longest translation, in pieces, whose record fits RECORD_BYTES: it takes 8 (E S² + D T (S + T)) bytes."""
    encoder, decoder = _maps(config)
    left = RECORD_BYTES / 8 - encoder * source**2
    longest = (math.sqrt(source**2 + 4 * max(left, 0) / max(decoder, 1)) - source) / 2
    return min(limit, max(SHORTEST, int(longest)))


def _maps(config: ModelConfig) -> tuple[int, int]:
    """The number of attention matrices in encoder and decoder, by the configuration; one each if it does not say."""
    heads = int(getattr(config, "heads", 1))
    return heads * int(getattr(config, "encoder_layers", 1)), heads * int(getattr(config, "decoder_layers", 1))
