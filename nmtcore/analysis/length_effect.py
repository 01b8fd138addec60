"""Length effect: what a translation keeps and repeats when its sentence grows, and how likely a piece of it is."""

from collections import Counter

from nmtcore.decoding.trace import Trace
from nmtcore.text.words import is_punctuation, token_name

REPEAT = 3  # pieces that must come again in the same order to count as a repetition


def per_piece(trace: Trace) -> float:
    """log P(y | x) / |y|: how sure a model is of a piece of its own output, on average."""
    return trace.log_probability / len(trace.target)


def kept(first: Trace, longer: Trace) -> float:
    """The share of the pieces of the first translation, without punctuation, that the longer one still has."""
    count = len(_counted(first))
    return sum(still_there(first, longer)) / count if count else 1.0


def still_there(first: Trace, longer: Trace) -> list[bool]:
    """Whether each piece of the longer translation is one of the first one's; in any order, as often as there."""
    wanted = Counter(_counted(first))
    kept = []
    for piece in longer.target:
        kept.append(wanted[piece] > 0)
        wanted[piece] -= 1
    return kept


def _counted(first: Trace) -> list[str]:
    return [piece for piece in first.target if piece != "<eos>" and not is_punctuation(token_name(piece))]


def repeated(trace: Trace) -> float:
    """The share of an output's pieces that end three pieces which stood there before, in the same order."""
    tokens = trace.target
    seen: set[tuple[str, ...]] = set()
    again = 0
    for end in range(REPEAT, len(tokens) + 1):
        part = tokens[end - REPEAT : end]
        again += part in seen
        seen.add(part)
    return again / len(tokens)
