"""Waiting in line: how often a run checks whether it is still wanted, and what wakes it; late progress."""

from concurrent.futures import Future
from contextlib import nullcontext, suppress
from threading import Event, Thread
from unittest.mock import Mock

import pytest

from nmtcore import limits
from nmtcore.serving.fair_semaphore import FairSemaphore
from pages.common import late_progress, waiting
from pages.common.late_progress import PATIENCE as LATE
from pages.common.late_progress import LateProgress
from tests.helpers import PATIENCE


@pytest.fixture(autouse=True)
def semaphore(monkeypatch: pytest.MonkeyPatch) -> FairSemaphore:
    """FairSemaphore of this test alone."""
    own = FairSemaphore(1, 1e9)
    monkeypatch.setattr(waiting, "SEMAPHORE", own)
    return own


class Place:
    """A placeholder on the page, and its text."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def text(self, written: str) -> None:
        self.written.append(written)

    def empty(self) -> None:
        self.written.append("")


def test_who_has_many_before_them_looks_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock that advances by the time waited."""
    now, looks, place = [0.0], [], Place()
    monkeypatch.setattr(waiting.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(waiting._run, "place", place, raising=False)

    def done(seconds: float) -> bool:
        looks.append(seconds)
        now[0] += seconds
        return now[0] > 20

    waiting._wait(done, lambda: max(0, 200 - int(10 * now[0])))
    at_first = [seconds for seconds in looks if seconds == waiting.SLICE]
    assert len(at_first) == 6 and sum(at_first) > waiting.NOTICE
    assert looks[6:14] == [2.0] * 8 and looks[14] == pytest.approx((200 - 166) / 20)
    assert looks[-1] == waiting.LONG_SLICE and len(looks) < 30
    assert place.written[:2] == ["194 before you", "174 before you"] and place.written[-1] == ""


@pytest.mark.parametrize("others", [0, waiting.CROWD])
def test_a_run_is_not_woken_for_each_answer(
    semaphore: FairSemaphore, monkeypatch: pytest.MonkeyPatch, others: int
) -> None:
    for _ in range(others + 1):
        semaphore.ticket()
    asked = []

    def answer(pending: list[Future[int]], seconds: float) -> None:
        """Answers come until the time is over."""
        asked.append((len(pending), seconds))
        for future in pending[:2]:
            future.set_result(1)

    monkeypatch.setattr(waiting, "wait", answer)
    futures: list[Future[int]] = [Future() for _ in range(3)]
    waiting.wait_for(futures, lambda: 0, lambda: all(future.done() for future in futures))
    seconds = waiting.LONG_SLICE if others else waiting.SLICE
    assert asked == [(3, seconds), (1, seconds)]


def test_pages_with_long_texts_are_few_at_a_time(semaphore: FairSemaphore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those with short ones go before; a run that ends, even by an error, leaves its place to the next."""
    monkeypatch.setattr(waiting, "LONG_SEMAPHORE", FairSemaphore(1, float("inf")))
    monkeypatch.setattr(waiting.st, "container", lambda key: nullcontext())
    monkeypatch.setattr(waiting.st, "empty", Place)
    drawn: list[str] = []
    within, leave = Event(), Event()

    def draw(name: str, text: str, fails: bool = False, pieces: int = 0) -> None:
        with suppress(ValueError), waiting.in_turn():
            waiting.take_turn(limits.exceeds(text, limits.LONG_PIECES, lambda: pieces))
            drawn.append(name)
            if fails:
                within.set()
                semaphore.inside[0].leave()  # as a run that waits for a worker does
                assert leave.wait(PATIENCE)
                raise ValueError

    many = limits.LONG_PIECES + 1
    first = Thread(target=draw, args=("long", "né" * many, True, many))
    second = Thread(target=draw, args=("another", "qzx" * 90, False, many))
    first.start()
    assert within.wait(PATIENCE)
    second.start()
    draw("short", "né" * many, pieces=limits.LONG_PIECES)
    assert drawn == ["long", "short"]
    leave.set()
    for thread in (first, second):
        thread.join(PATIENCE)
    assert drawn == ["long", "short", "another"] and not waiting.LONG_SEMAPHORE.outstanding


def test_quick_work_shows_no_bar_and_slow_work_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Mock(return_value=7.0)
    monkeypatch.setattr(late_progress.time, "monotonic", clock)
    spot = Mock()
    progress = LateProgress(spot, 3)
    progress.next("the first")
    clock.return_value += LATE
    progress.next("the second")
    spot.progress.assert_not_called()
    clock.return_value += 0.1
    progress.next("the third")
    spot.progress.assert_called_once_with(pytest.approx(2 / 3), "the third · about 1 s left")
    progress.end()
    spot.empty.assert_called_once_with()
