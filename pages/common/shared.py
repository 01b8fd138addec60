"""Memoization for everybody: what several people ask for is computed once.

Pages have three kinds of cache: constants (`functools.cache`), lookups of one run (`once_a_run`), and these, shared by
everybody: `cachetools.LRUCache`, bounded by bytes if one result may be a thousand times as large as another (`shared`),
otherwise by their number (`kept`).
"""

import hashlib
import itertools
import pickle
import threading
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from io import BytesIO
from typing import Any, ParamSpec, TypeVar
from weakref import finalize, ref

import numpy as np
from cachetools import LRUCache, cached
from cachetools.keys import hashkey

from nmtcore.analysis.embeddings import EmbeddingTable
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.serving.fair_semaphore import FairSemaphore
from nmtcore.text.vocabulary import Vocab
from pages.common.waiting import SLICE, end_if_unwanted

P = ParamSpec("P")
T = TypeVar("T")

AT_ONCE = 2  # analyses and pictures of all visitors: each may need a hundred megabytes while it is made
LONGEST = 1.0  # s after which a computation that still runs no longer blocks the next one
RECORDS = (Trace, MaskPredictRecord, Checkpoint, Vocab, EmbeddingTable)  # read-only, one object shared by everybody

_semaphore = FairSemaphore(AT_ONCE, LONGEST)
_numbers: dict[int, tuple[ref[object], int]] = {}  # by the id of a record
_next_number = itertools.count()
_lock = threading.RLock()  # a record may be deleted while its thread holds the lock


def shared(
    most_bytes: int, size: Callable[[Any], int], key: Callable[..., Hashable]
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache a function's results for everybody, up to a number of bytes, evicting the least recently used.

    size: of a result, in bytes; key: of the arguments. Concurrent equal calls are computed once, and only few calls at
    a time (`one_of_few`). Nobody may change a result.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        cache: LRUCache[Hashable, T] = LRUCache(most_bytes, getsizeof=size)
        remembered: Callable[P, T] = cached(cache, key=key, condition=WhileWanted())(one_of_few(function))
        return remembered

    return decorate


def kept(most: int, key: Callable[..., Hashable] = hashkey) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """The same for small results, or those needed while something is kept: the last results, up to a number.

    key: of the arguments, which must otherwise be hashable and cover all that a result depends on, such as a file's
    modification time.
    """
    return cached(LRUCache(most), key=key, condition=WhileWanted())


class WhileWanted(threading.Condition):
    """A condition variable whose waiting ends when the waiting run is no longer wanted."""

    def wait(self, timeout: float | None = None) -> bool:
        notified = super().wait(SLICE)
        end_if_unwanted()
        return notified


class _Run(threading.local):
    """The run of a page in this thread: whether it holds one of the few places, which nested computations share."""

    inside = False


_run = _Run()


def one_of_few(function: Callable[P, T]) -> Callable[P, T]:
    """Let at most AT_ONCE runs of pages compute a function at a time, which bounds memory.

    Others wait in order of arrival, but never longer than LONGEST for any one.
    """

    def waiting(*args: P.args, **kwargs: P.kwargs) -> T:
        if _run.inside:
            return function(*args, **kwargs)
        ticket = _semaphore.ticket()
        try:
            while not ticket.enter(SLICE):
                end_if_unwanted()
            _run.inside = True
            return function(*args, **kwargs)
        finally:
            _run.inside = False
            ticket.end()

    return waiting


def bytes_of(value: object) -> int:
    """Roughly how many bytes of memory the result of an analysis takes: its arrays, and those in its parts."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if is_dataclass(value):
        return 200 + sum(bytes_of(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, Mapping):
        return 200 + sum(bytes_of(part) for part in value.values())
    if isinstance(value, tuple | list):
        return 60 + sum(bytes_of(part) for part in value)
    return 60


class _Pickler(pickle.Pickler):
    """Serializes arguments for hashing, never to be read. A record, which is large, is represented by a number."""

    def reducer_override(self, value: object) -> Any:
        """Called for objects only, not for every text and number, as `persistent_id` would be."""
        return (str, (f"record {_number(value)}",)) if isinstance(value, RECORDS) else NotImplemented


def _number(record: object) -> int:
    """The unique number of a record, never reused even after the record is gone and its memory address is reused."""
    place = id(record)
    with _lock:
        known, number = _numbers.get(place, (None, 0))
        if known is None or known() is not record:
            number = next(_next_number)
            _numbers[place] = ref(record), number
            finalize(record, _forget, place, number)
        return number


def _forget(place: int, number: int) -> None:
    with _lock:
        if _numbers.get(place, (None, None))[1] == number:
            del _numbers[place]


def fingerprint(call: partial[Any], *more: object) -> bytes:
    """The cache key of a call: its function, its arguments, and whatever else its result depends on.

    Equal arguments have equal keys, but records (RECORDS) only if they are the same object. Raises pickle.PicklingError
    if there is a function without a name, such as a lambda, among them.
    """
    written = BytesIO()
    pickler = _Pickler(written, protocol=pickle.HIGHEST_PROTOCOL)
    pickler.fast = True  # without references: the same object twice is serialized like two equal ones
    pickler.dump((call.func, call.args, call.keywords, more))
    return hashlib.blake2b(written.getbuffer(), digest_size=20).digest()
