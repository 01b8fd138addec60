"""A budget for a question: how much memory one search may take, so that no sentence stops everybody else's.

What a search keeps grows with the beam width, with both lengths, and with the layers and heads whose attention is
recorded. Within the budget nothing changes. Above it the beam is narrowed, and where even a narrow one would leave too
large a record, the translation may be less long.
"""

from __future__ import annotations

import dataclasses
import math

from nmtcore.config import DecodingConfig, ModelConfig
from nmtcore.errors import InterventionError
from nmtcore.limits import CANDIDATES, RECORD_BYTES, SEARCH_NUMBERS, SHORTEST


def within_budget(decoding: DecodingConfig, pieces: int, config: ModelConfig, banks: int = 1) -> DecodingConfig:
    """The decoding settings within the budget for a source of `pieces` pieces, `<eos>` included.

    banks: of a search with a requirement, each of which keeps as many hypotheses as the beam is wide. Raises
    InterventionError where a requirement is too large for any beam.
    """
    limit = _record_limit(decoding.limit(pieces), pieces, config)
    one = _hypothesis(pieces, limit, config) * banks
    if one > SEARCH_NUMBERS and banks > 1:
        raise InterventionError(
            f"What is asked for has {banks - 1} parts, too many for a sentence of {pieces} pieces: ask for less."
        )
    beam = min(decoding.beam, max(1, SEARCH_NUMBERS // one))
    length = decoding.max_length if limit == decoding.limit(pieces) else limit
    return dataclasses.replace(decoding, beam=beam, max_length=length)


def _hypothesis(source: int, target: int, config: ModelConfig) -> int:
    """The numbers that one hypothesis is worth: weights and scores of cross attention, of a growing self-attention."""
    _, maps = _maps(config)
    return target * (maps * (2 * source + target) + CANDIDATES)


def _record_limit(limit: int, source: int, config: ModelConfig) -> int:
    """The most pieces of a translation whose record stays within RECORD_BYTES: 8 (E S² + D T (S + T)) bytes."""
    encoder, decoder = _maps(config)
    left = RECORD_BYTES / 8 - encoder * source**2
    longest = (math.sqrt(source**2 + 4 * max(left, 0) / max(decoder, 1)) - source) / 2
    return min(limit, max(SHORTEST, int(longest)))


def _maps(config: ModelConfig) -> tuple[int, int]:
    """Matrices of attention in the encoder and in the decoder, where a configuration says how many; else one each."""
    heads = int(getattr(config, "heads", 1))
    return heads * int(getattr(config, "encoder_layers", 1)), heads * int(getattr(config, "decoder_layers", 1))
