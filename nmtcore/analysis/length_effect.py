"""Length effect: what a translation keeps and repeats as its sentence grows, and how probable its pieces are."""

from collections import Counter

from nmtcore.decoding.trace import Trace
from nmtcore.text.words import is_punctuation, token_name

REPEAT = 3  # consecutive pieces that must recur in the same order to count as a repetition


def per_piece(trace: Trace) -> float:
    """log P(y | x) / |y|: the mean log-probability of a piece, the model's confidence in its own output."""
    return trace.log_probability / len(trace.target)


def kept(first: Trace, longer: Trace) -> float:
    """The share of the first translation's pieces, without punctuation, that the longer one still contains."""
    count = len(_content_pieces(first))
    return sum(still_there(first, longer)) / count if count else 1.0


def still_there(first: Trace, longer: Trace) -> list[bool]:
    """For each piece of the longer translation, whether the first one has it, as often, in any order."""
    wanted = Counter(_content_pieces(first))
    kept = []
    for piece in longer.target:
        kept.append(wanted[piece] > 0)
        wanted[piece] -= 1
    return kept


def _content_pieces(first: Trace) -> list[str]:
    return [piece for piece in first.target if piece != "<eos>" and not is_punctuation(token_name(piece))]


def repeated(trace: Trace) -> float:
    """The share of an output's pieces that complete a trigram which already occurred in it."""
    tokens = trace.target
    seen: set[tuple[str, ...]] = set()
    again = 0
    for end in range(REPEAT, len(tokens) + 1):
        part = tokens[end - REPEAT : end]
        again += part in seen
        seen.add(part)
    return again / len(tokens)
