"""The answers to what was asked, each kept once for all who ask: a cache bounded by bytes, least recently used out.

Whoever gets a record shares it, so its arrays are read-only.
"""

from collections.abc import Hashable
from contextlib import suppress

from cachetools import LRUCache

from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.recorder import SearchedTrace
from nmtcore.decoding.trace import Trace
from nmtcore.serving.request import Answer

# Bytes of a node of the beam, a candidate of a step, a name, a place of a round, and all else of an answer: measured.
NODE, CANDIDATE, NAME, PLACE, OTHER = 240, 100, 150, 200, 4000


def size(answer: Answer) -> int:
    """Roughly how many bytes of memory an answer takes."""
    if isinstance(answer, Trace):
        return _trace_size(answer)
    if isinstance(answer, MaskPredictRecord):
        return answer.attention.weights.nbytes + PLACE * sum(map(len, answer.rounds)) + OTHER
    return OTHER


def _trace_size(trace: Trace) -> int:
    arrays = [attention.weights for attention in trace.attention]
    arrays += trace.inner.values()
    candidates = sum(len(step.candidates) for step in trace.steps)
    beam = trace.lazy_beam if isinstance(trace, SearchedTrace) else None
    if beam is None:
        nodes = NODE * len(trace.beam)
    else:  # they may be made some time
        nodes = NODE * beam.count + NAME * len(beam.names)
        arrays += vars(beam.record).values()
    return sum(array.nbytes for array in arrays) + nodes + CANDIDATE * candidates + OTHER


def freeze(answer: Answer) -> None:
    """Make the arrays of a record read-only."""
    if isinstance(answer, float):
        return
    if isinstance(answer, Trace):
        arrays = [*(attention.weights for attention in answer.attention), *answer.inner.values()]
    else:
        arrays = [answer.attention.weights]
    for array in arrays:
        array.setflags(write=False)


class Records:
    """A least recently used (LRU) cache of at most `most` bytes of records. Not for several threads at a time."""

    def __init__(self, most: int) -> None:
        self.kept: LRUCache[Hashable, Answer] = LRUCache(most, getsizeof=size)

    def get(self, key: Hashable) -> Answer | None:
        """The record with this key, which is then the most recently used; None where it is not kept."""
        return self.kept.get(key)

    def put(self, key: Hashable, answer: Answer) -> None:
        """Keep an answer, and let go of others until all fit; one that is larger than all together is not kept."""
        freeze(answer)
        with suppress(ValueError):
            self.kept[key] = answer
