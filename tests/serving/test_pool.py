"""The pool of worker processes: answers equal this process's, in order, and survive a killed worker."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np
import psutil
import pytest

from nmtcore.config import DecodingConfig
from nmtcore.decoding import decode
from nmtcore.decoding.trace import Trace
from nmtcore.errors import BusyError, CheckpointError, TextError
from nmtcore.intervention import Intervention
from nmtcore.limits import BYTES_A_PIECE, HEAVY_WORK, estimated_pieces
from nmtcore.serving import pool as pool_module
from nmtcore.serving.framing import receive, send
from nmtcore.serving.pool import Job, Pool
from nmtcore.serving.request import DecodeRequest, ModelKey, load_model
from nmtcore.serving.service import Service
from nmtcore.text.source import read_source
from tests.helpers import PATIENCE
from tests.paths import ROOT

BEAM = DecodingConfig(beam=3, max_length=9)
TEXTS = ["a red dog", "the small cat sees a big old house .", "a", "a big dog"]
# Workers without PyTorch: one that reports which requests it got together, and one that a sentence kills.
ECHO = """
import sys
from nmtcore.serving.framing import receive, send
while True:
    requests = receive(sys.stdin.buffer)
    if any(q.source.text == "deadly" for q in requests):
        sys.exit(9)
    together = [q.source.text for q in requests]
    send(sys.stdout.buffer, [RuntimeError(together) for q in requests])
"""
# One that takes a tenth of a second for long texts.
SLOW = """
import sys, time
from nmtcore.serving.framing import receive, send
while True:
    requests = receive(sys.stdin.buffer)
    time.sleep(0.1 if len(requests[0].source.text) > 100 else 0.001)
    send(sys.stdout.buffer, [RuntimeError() for q in requests])
"""
NOWHERE = ModelKey("/nowhere")


def asked(text: str, model: ModelKey = NOWHERE, change: Intervention | None = None) -> DecodeRequest:
    return DecodeRequest(model, read_source(text), BEAM, change or Intervention())


def decoded_here(request: DecodeRequest) -> Trace:
    """The record of a request, decoded in this process."""
    assert isinstance(request.decoding, DecodingConfig)
    return decode.translate(load_model(request.model), request.source, request.decoding, request.intervention)


def together(future: Future[Trace]) -> list[str]:
    """The requests that the echo worker got in one batch with this one."""
    error = future.exception(timeout=PATIENCE)
    assert isinstance(error, RuntimeError)
    return list(error.args[0])


@pytest.fixture
def no_workers() -> Iterator[Pool]:
    """A pool that only queues."""
    with closing(Pool(0)) as pool:
        yield pool


def batch(pool: Pool) -> list[str]:
    """The batch that a worker would get now."""
    return [job.request.source.text for job in pool._oldest()]


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with closing(Pool(1)) as pool:
        yield pool


def test_answers_are_those_of_this_process(pool: Pool, model_folders: Path) -> None:
    """Asked all at once, so that those of one model are decoded together."""
    models = [ModelKey(str(model_folders / "en-fr" / name)) for name in ("transformer", "dot")]
    change = Intervention(forced=((0, 9),))
    requests = [asked(text, model) for text in TEXTS for model in models] + [asked(TEXTS[0], models[1], change)]
    futures = [pool.submit(request) for request in requests]
    for request, future in zip(requests, futures, strict=True):
        made, alone = future.result(timeout=PATIENCE), decoded_here(request)
        assert (made.source, made.ids, made.text, made.intervention) == (
            alone.source,
            alone.ids,
            alone.text,
            request.intervention,
        )
        assert [(n.token_id, n.fate) for n in made.beam] == [(n.token_id, n.fate) for n in alone.beam]
        for a, b in zip(made.attention, alone.attention, strict=True):
            assert np.allclose(a.weights, b.weights, atol=1e-4)


def test_errors_are_those_of_this_process(pool: Pool, model_folders: Path) -> None:
    model = ModelKey(str(model_folders / "en-fr" / "dot"))
    long, good, lost = (asked("a cat " * 400, model), asked("a", model), asked("a", ModelKey("/nowhere/at/all")))
    futures = [pool.submit(request) for request in (long, good, lost)]
    with pytest.raises(TextError, match="limit is"):
        futures[0].result(timeout=PATIENCE)
    assert futures[1].result(timeout=PATIENCE).source_text == "a"
    with pytest.raises(CheckpointError, match="no model folder at/all"):
        futures[2].result(timeout=PATIENCE)


def test_a_killed_worker_is_replaced_and_its_questions_are_asked_again(pool: Pool, model_folders: Path) -> None:
    model = ModelKey(str(model_folders / "en-fr" / "additive"))
    assert pool.submit(asked(TEXTS[0], model)).result(timeout=PATIENCE).source_text == TEXTS[0]
    first = pool.processes[0].pid
    psutil.Process(first).suspend()  # so that it has not answered when it is killed
    futures = [pool.submit(asked(TEXTS[1], model))]
    while not futures[0].running():
        threading.Event().wait(0.001)
    futures += [pool.submit(asked(text, model)) for text in TEXTS]
    psutil.Process(first).kill()
    assert [future.result(timeout=PATIENCE).source_text for future in futures] == [TEXTS[1], *TEXTS]
    assert not psutil.pid_exists(first) and pool.processes[0].pid != first


def test_a_sentence_that_kills_workers_is_given_up_and_takes_no_other_along() -> None:
    with closing(Pool(1, command=(sys.executable, "-c", ECHO))) as pool:
        bad, good = pool.submit(asked("deadly")), pool.submit(asked("good"))
        with pytest.raises(CheckpointError, match="ended twice"):
            bad.result(timeout=PATIENCE)
        assert "deadly" not in together(good)


def test_the_queue_is_first_in_first_out(no_workers: Pool) -> None:
    other = ModelKey("/elsewhere")
    for text, model in (("one", NOWHERE), ("two", other), ("three", NOWHERE), ("four", other), ("five", NOWHERE)):
        no_workers.submit(asked(text, model))
    assert [batch(no_workers), batch(no_workers)] == [["one", "three", "five"], ["two", "four"]]
    assert batch(no_workers) == []


def test_places_are_counted_once_for_all_that_wait(no_workers: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of a sentence's four requests has its place; a count is shared for a while, then renewed."""
    monkeypatch.setattr(pool_module, "COUNTED", 1e6)
    no_workers.counted = -1e9
    models = [ModelKey(f"/{number}") for number in range(4)]
    futures = {text: [no_workers.submit(asked(text, model)) for model in models] for text in ("one", "two", "three")}
    assert [no_workers.before(future) for text in futures for future in futures[text]] == [0] * 4 + [1] * 4 + [2] * 4
    assert no_workers.before(no_workers.submit(asked("four"))) == 0, "not counted yet"
    while batch(no_workers):
        pass
    assert no_workers.before(futures["three"][0]) == 2, "remembered"
    no_workers.counted = -1e9
    assert no_workers.before(futures["three"][0]) == 0


def test_what_does_not_join_is_decoded_alone(no_workers: Pool) -> None:
    change = Intervention(forced=((0, 9),))
    requests = [asked("one"), asked("two", change=change), asked("word " * 50), asked("two")]
    for request in [*requests, DecodeRequest(NOWHERE, read_source("three"), DecodingConfig(beam=2)), asked("four")]:
        no_workers.submit(request)
    long = "word" + " word" * 49
    assert [batch(no_workers) for _ in range(4)] == [["one", "two", "four"], ["two"], [long], ["three"]]


@pytest.mark.parametrize(
    ("count", "text", "sizes"),
    [
        (30, "a", [26, 4]),  # 26 x 3 hypotheses are at most 80
        (20, "word " * 59 + "words", [8, 8, 4]),  # 300 characters: the places of three, since records take memory
    ],
)
def test_a_batch_has_a_limit(no_workers: Pool, count: int, text: str, sizes: list[int]) -> None:
    for _ in range(count):
        no_workers.submit(asked(text))
    assert [len(batch(no_workers)) for _ in sizes] == sizes


def heavy(text: str) -> DecodeRequest:
    """A request that fills a batch."""
    return DecodeRequest(NOWHERE, read_source(f"{text} {'x' * 400}"), DecodingConfig(beam=20))


def test_ordinary_questions_go_before_heavy_ones_in_their_time(
    no_workers: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "COUNTED", -1.0)
    light = "x" * (BYTES_A_PIECE * -(-HEAVY_WORK // BEAM.beam) - 1)
    assert asked(f"{light}x").heavy and not asked(light).heavy
    assert estimated_pieces("一") == 0 and estimated_pieces("一" * 4) == 3, "bytes, not characters"
    requests = [heavy("one"), heavy("two"), asked("a"), heavy("three"), asked("b")]
    futures = [no_workers.submit(request) for request in requests]
    assert [no_workers.before(future) for future in futures] == [0, 1, 0, 3, 1]
    some = no_workers._oldest(ordinary=True)
    assert [job.request.source.text[:3] for job in some] == ["a", "b"], "and no heavy one joins"
    assert [job.request for job in no_workers._oldest(ordinary=True)] == requests[:1], "none waits"
    no_workers.submit(asked("c"))
    assert [job.request for job in no_workers._oldest()] == requests[1:2], "heavy ones are in turn again"
    withdrawn = no_workers.submit(asked("d"))
    assert batch(no_workers) == [requests[3].source.text] and batch(no_workers) == ["c", "d"]
    assert not withdrawn.cancelled() and not no_workers.waiting


def test_a_crowd_of_heavy_questions_does_not_stop_an_ordinary_one() -> None:
    """Twenty that take a tenth of a second each, and four ordinary ones asked after them."""
    pool = Pool(0, command=(sys.executable, "-c", SLOW))
    ended: list[str] = []
    futures = []

    def end(kind: str, _future: Future[Trace]) -> None:
        ended.append(kind)

    for request in [*(heavy(str(number)) for number in range(20)), *(asked(str(number)) for number in range(4))]:
        futures.append(pool.submit(request))
        futures[-1].add_done_callback(partial(end, "heavy" if request.heavy else "ordinary"))
    pool.threads.append(threading.Thread(target=pool._serve, args=(0,), daemon=True))
    pool.threads[0].start()  # only now: all of them wait
    try:
        for future in futures:
            wrong = future.exception(timeout=PATIENCE)
            assert isinstance(wrong, RuntimeError), "the heavy ones are answered all the same"
        assert ended[:1] == ["heavy"] and "ordinary" not in ended[12:], ended
    finally:
        pool.close()


def test_a_withdrawn_question_is_not_decoded(no_workers: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "COUNTED", -1.0)  # places are counted anew each time
    futures = [no_workers.submit(asked(text)) for text in ("one", "two", "three")]
    assert no_workers.before(futures[2]) == 2
    assert futures[1].cancel()
    assert no_workers.before(futures[2]) == 1
    assert batch(no_workers) == ["one", "three"]
    assert not futures[0].cancel(), "it is being decoded"


def test_what_is_asked_again_comes_first_and_alone(no_workers: Pool) -> None:
    for text in ("one", "two", "three"):
        no_workers.submit(asked(text))
    jobs: list[Job] = no_workers._oldest()
    no_workers.submit(asked("four"))
    no_workers._return(jobs)
    assert [batch(no_workers) for _ in range(4)] == [["one"], ["two"], ["three"], ["four"]]


def test_the_queue_is_bounded(no_workers: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "MOST", 3)
    futures = [no_workers.submit(asked(str(number))) for number in range(4)]
    assert [future.done() for future in futures] == [False, False, False, True]
    with pytest.raises(BusyError, match="try again in a minute"):
        futures[3].result()
    assert futures[1].cancel()  # a withdrawn request makes room
    assert not no_workers.submit(asked("4")).done()
    assert batch(no_workers) == ["0", "2", "4"]


def test_a_worker_ends_after_a_server_that_was_killed() -> None:
    """Even if its input stays open, as in the middle of a batch."""
    program = "[sys.executable, '-m', 'nmtcore.serving.worker', str(os.getpid())]"
    start = f"import os, subprocess, sys; subprocess.run({program})"
    read, write = os.pipe()
    with open(read, "rb") as requests, open(write, "wb") as pipe:
        server = subprocess.Popen([sys.executable, "-c", start], cwd=ROOT, stdin=requests, stdout=subprocess.PIPE)
        assert server.stdout
        with server, server.stdout as replies:
            send(pipe, [asked("a")])
            assert isinstance(receive(replies)[0], CheckpointError)  # it is there, and waits for more
            server.kill()
            end = threading.Thread(target=replies.read, daemon=True)
            end.start()
            end.join(PATIENCE)
            assert not end.is_alive(), "The worker lives on."


def test_a_closed_pool_cancels_what_waits() -> None:
    pool = Pool(0)
    future = pool.submit(asked("one"))
    pool.close()
    assert future.cancelled()


def test_equal_questions_are_decoded_once_and_withdrawn_by_the_last(model_folders: Path) -> None:
    service = Service(lambda request: pytest.fail("decoded here"), 10**8)
    service.pool = Pool(0)
    first, second = service.ask(asked("one")), service.ask(asked("one"))
    assert first is second and service.ask(asked("two")) is not first
    assert (service.before(asked("two")), len(service.pool.waiting)) == (1, 2)
    service.withdraw(asked("one"), first)
    assert not first.cancelled()
    service.withdraw(asked("one"), first)
    assert first.cancelled() and service.flights.keys() == {asked("two")}
    again = service.ask(asked("one"))
    assert again is not first, "asked anew"
    service.withdraw(asked("one"), first)
    assert not again.cancelled(), "who asked before has no say in it"
    service.pool.close()


def test_a_service_decodes_once_with_workers_and_without(model_folders: Path) -> None:
    model = ModelKey(str(model_folders / "en-fr" / "none"))
    decoded = []

    def decode(request: DecodeRequest) -> Trace:
        decoded.append(request.source.text)
        return decoded_here(request)

    service = Service(decode, 10**8)
    here = service.ask(asked(TEXTS[1], model)).result()
    assert service.ask(asked(TEXTS[1], model)).result() is here
    assert isinstance(service.ask(asked("a cat " * 400, model)).exception(), TextError)
    assert decoded == [TEXTS[1], ("a cat " * 400).strip()]
    service.records.clear()
    service.start(1)
    try:
        there = service.ask(asked(TEXTS[1], model)).result(timeout=PATIENCE)
        assert there.ids == here.ids and there is not here
        while service.flights:
            threading.Event().wait(0.001)
        assert service.ask(asked(TEXTS[1], model)).result() is there
    finally:
        service.start(0)
    assert len(decoded) == 2
