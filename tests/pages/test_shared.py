"""A question is computed and serialized once for everybody who asks it, and the cache is bounded by bytes."""

import dataclasses
import pickle
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cachetools.keys import hashkey

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.text.vocabulary import Vocab
from pages.common import component, figure
from pages.common.shared import AT_ONCE, bytes_of, fingerprint, kept, one_of_few, shared
from tests.helpers import PATIENCE, small, translate
from tests.pages.helpers import opened

PAGES = ("translate", "no_attention", "additive", "dot", "transformer", "positions", "beam")


@pytest.fixture
def trace(vocab: Vocab) -> Trace:
    return translate(small("transformer", vocab), "cat dog", DecodingConfig(beam=2, max_length=5))


@pytest.mark.parametrize("page", PAGES)
def test_a_second_visitor_is_sent_what_the_first_one_had(page: str, model_directory: None) -> None:
    caches = [function.cache for function in (component._serialized, figure._drawn)]  # type: ignore[attr-defined]
    for cache in caches:
        cache.clear()
    first, sizes = opened(page), [len(cache) for cache in caches]
    assert sizes[0] >= 1 and not first.exception
    before = [element.proto.bytes for element in first.get("bidi_component")]
    again = opened(page)
    assert [len(cache) for cache in caches] == sizes
    assert [element.proto.bytes for element in again.get("bidi_component")] == before
    assert any(before)


def test_equal_arguments_have_one_key_and_others_another(trace: Trace) -> None:
    table = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})
    call = partial(dict, table=table, at=(1, 2), words={"one": "1"}, array=np.arange(3))
    same = partial(dict, table=table.copy(), at=(1, 2), words={"one": "1"}, array=np.arange(3))
    assert fingerprint(call, trace) == fingerprint(same, trace)
    others = [
        (partial(dict, table=table.assign(a=[1.0, 2.5]), at=(1, 2), words={"one": "1"}, array=np.arange(3)), trace),
        (partial(dict, table=table, at=(1, 3), words={"one": "1"}, array=np.arange(3)), trace),
        (partial(dict, table=table, at=(1, 2), words={"one": "2"}, array=np.arange(3)), trace),
        (partial(dict, table=table, at=(1, 2), words={"one": "1"}, array=np.arange(3.0)), trace),
        (partial(list, table=table, at=(1, 2), words={"one": "1"}, array=np.arange(3)), trace),
        (call, None),
        (partial(dict, at=(True, 2)), trace),
        (partial(dict, at=(1, 2)), trace),
    ]
    keys = [fingerprint(*other) for other in others]
    assert len({fingerprint(call, trace), *keys}) == len(others) + 1
    text = "one"
    assert fingerprint(partial(dict, a=text, b=text)) == fingerprint(partial(dict, a=text, b="".join(["o", "ne"])))


def test_a_record_is_known_as_itself(trace: Trace) -> None:
    equal = dataclasses.replace(trace)
    assert fingerprint(partial(str, trace)) == fingerprint(partial(str, trace))
    assert fingerprint(partial(str, trace)) != fingerprint(partial(str, equal))


def test_a_record_that_takes_the_place_of_another_in_memory_has_its_own_key(trace: Trace) -> None:
    keys, places = set(), set()
    for _ in range(20):
        copy = dataclasses.replace(trace)
        places.add(id(copy))
        keys.add(fingerprint(partial(str, copy)))
        del copy
    assert len(keys) == 20
    assert len(places) < 20  # otherwise this test has shown nothing


def test_a_function_without_a_name_has_no_key() -> None:
    with pytest.raises((pickle.PicklingError, AttributeError)):
        fingerprint(partial(lambda: 1))


def test_bytes_are_bounded_and_the_least_recently_used_goes() -> None:
    calls: list[int] = []

    @shared(100, len, key=hashkey)
    def made(count: int) -> bytes:
        calls.append(count)
        return bytes(count)

    for count in (40, 50, 40, 30, 40, 50, 200, 200):
        assert len(made(count)) == count
    assert calls == [40, 50, 30, 50, 200, 200]  # 30 needed the place of 50; 200 is larger than all together


def test_what_many_ask_at_once_is_computed_once() -> None:
    calls, go = [], threading.Event()

    @shared(100, len, key=hashkey)
    def made(count: int) -> bytes:
        calls.append(count)
        go.wait(PATIENCE)
        return bytes(count)

    with ThreadPoolExecutor(6) as pool:
        asked = [pool.submit(made, 7) for _ in range(6)]
        go.set()
        assert {future.result() for future in asked} == {bytes(7)}
    assert calls == [7]


def test_who_fails_leaves_no_result_and_lets_the_next_one_try() -> None:
    answers: Iterator[Any] = iter([ValueError("no"), b"yes"])

    @shared(100, len, key=hashkey)
    @one_of_few
    def made() -> bytes:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return bytes(answer)

    with pytest.raises(ValueError, match="no"):
        made()
    assert made() == made() == b"yes"


def test_few_analyses_are_made_at_a_time() -> None:
    lock, running, most = threading.Lock(), 0, 0
    barrier = threading.Barrier(AT_ONCE)  # so many must be in it together, or it breaks

    @one_of_few
    def analyse() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        barrier.wait(PATIENCE)
        with lock:
            running -= 1

    with ThreadPoolExecutor(3 * AT_ONCE) as pool:
        for done in [pool.submit(analyse) for _ in range(3 * AT_ONCE)]:
            done.result()
    assert most == AT_ONCE


def test_an_analysis_that_needs_another_has_its_place_with_it() -> None:
    @one_of_few
    def part() -> int:
        return 1

    @one_of_few
    def whole() -> int:
        return part() + part()

    with ThreadPoolExecutor(4 * AT_ONCE) as pool:
        asked = [pool.submit(whole) for _ in range(4 * AT_ONCE)]
        assert [future.result(PATIENCE) for future in asked] == [2] * (4 * AT_ONCE)


def test_nobody_waits_long_for_one_that_takes_long() -> None:
    go = threading.Event()

    @one_of_few
    def long() -> bool:
        return go.wait(PATIENCE)

    @one_of_few
    def short() -> bool:
        return True

    with ThreadPoolExecutor(AT_ONCE + 1) as pool:
        slow = [pool.submit(long) for _ in range(AT_ONCE)]
        assert pool.submit(short).result(PATIENCE)
        go.set()
        assert all(future.result(PATIENCE) for future in slow)


def test_the_bytes_of_an_analysis_are_those_of_its_arrays(trace: Trace) -> None:
    arrays = {"a": np.zeros((3, 5), np.float32), "b": (np.zeros(7), [np.zeros(2, np.int8)])}
    assert 60 + 56 + 2 <= bytes_of(arrays) <= 60 + 56 + 2 + 600
    assert bytes_of(trace) >= sum(attention.weights.nbytes for attention in trace.attention)


def test_the_last_results_are_kept_and_an_error_is_tried_again() -> None:
    made: list[int] = []

    @kept(2)
    def squared(number: int) -> int:
        made.append(number)
        if number < 0 and len(made) < 3:
            raise OSError
        return number * number

    with pytest.raises(OSError):
        squared(-3)
    assert [squared(n) for n in (2, -3, 2, 5, -3)] == [4, 9, 4, 25, 9]
    assert made == [-3, 2, -3, 5, -3], "the least recently used one of three is made anew"
