"""The cache of answers, bounded by bytes, that evicts the least recently used one.

Everyone who asks gets the same record, so its arrays are read-only.
"""

from collections.abc import Hashable
from contextlib import suppress

from cachetools import LRUCache

from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.recorder import SearchedTrace
from nmtcore.decoding.trace import Trace
from nmtcore.serving.request import Answer

# Measured bytes of a beam node, a step's candidate, a name, a place of a round, and the rest of an answer.
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
    else:  # its nodes may be made later
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
    """A least recently used (LRU) cache of at most `most` bytes of records. It is not thread-safe."""

    def __init__(self, most: int) -> None:
        self.kept: LRUCache[Hashable, Answer] = LRUCache(most, getsizeof=size)

    def get(self, key: Hashable) -> Answer | None:
        """The record with this key, which becomes the most recently used; None if it is not in the cache."""
        return self.kept.get(key)

    def put(self, key: Hashable, answer: Answer) -> None:
        """Cache an answer and evict others until all fit; an answer larger than the whole cache is not kept."""
        freeze(answer)
        with suppress(ValueError):
            self.kept[key] = answer
