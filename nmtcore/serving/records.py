"""The records of what was asked, each kept once for all who ask: a cache bounded by bytes, least recently used out.

Whoever gets a record shares it, so its arrays are read-only.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from nmtcore.decoding.recorder import SearchedTrace
from nmtcore.decoding.trace import Trace

NODE, CANDIDATE, NAME = 240, 100, 150  # bytes of a node of the beam, a candidate of a step and a name, measured


def size(trace: Trace) -> int:
    """Roughly how many bytes of memory a record takes."""
    arrays = [attention.weights for attention in trace.attention]
    arrays += trace.inner.values()
    candidates = sum(len(step.candidates) for step in trace.steps)
    beam = trace.lazy_beam if isinstance(trace, SearchedTrace) else None
    if beam is None:
        nodes = NODE * len(trace.beam)
    else:  # they may be made some time
        nodes = NODE * beam.count + NAME * len(beam.names)
        arrays += vars(beam.record).values()
    return sum(array.nbytes for array in arrays) + nodes + CANDIDATE * candidates + 4000


def freeze(trace: Trace) -> None:
    """Make the arrays of a record read-only."""
    for attention in trace.attention:
        attention.weights.setflags(write=False)
    for array in trace.inner.values():
        array.setflags(write=False)


class Records:
    """A least recently used (LRU) cache of at most `most` bytes of records. Not for several threads at a time."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.bytes = 0
        self.kept: OrderedDict[Hashable, Trace] = OrderedDict()

    def get(self, key: Hashable) -> Trace | None:
        """The record with this key, which is then the most recently used; None where it is not kept."""
        if key in self.kept:
            self.kept.move_to_end(key)
        return self.kept.get(key)

    def put(self, key: Hashable, trace: Trace) -> None:
        """Keep a record, and let go of others until all fit; one that is larger than all together is not kept."""
        freeze(trace)
        if (old := self.kept.pop(key, None)) is not None:
            self.bytes -= size(old)
        self.kept[key] = trace
        self.bytes += size(trace)
        while self.bytes > self.most:
            self.bytes -= size(self.kept.popitem(last=False)[1])
