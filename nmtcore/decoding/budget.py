"""Memory budget of a search: no single sentence may take the memory that all others need.

The memory of a search grows with the beam width, with both lengths, and with the layers and heads whose attention is
recorded. A search within the budget is not changed. Above it the beam is narrowed, and if the record would still be
too large, the translation's length limit is lowered.
"""

import dataclasses
import math

from nmtcore.config import DecodingConfig, ModelConfig
from nmtcore.errors import InterventionError
from nmtcore.limits import CANDIDATES, RECORD_BYTES, SEARCH_NUMBERS, SHORTEST


def within_budget(decoding: DecodingConfig, pieces: int, config: ModelConfig, banks: int = 1) -> DecodingConfig:
    """Adapt the decoding settings to the budget, for a source of `pieces` pieces including `<eos>`.

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
