"""Fair admission: first come, first served, and a place that is kept for too long does not stop the others."""

from __future__ import annotations

import threading

from nmtcore.serving.turns import Turn, Turns


def test_places_go_to_the_first() -> None:
    turns = Turns(2, longest=60)
    waiting = [turns.turn() for _ in range(5)]
    assert [turn.enter(0) for turn in waiting] == [True, True, False, False, False]
    assert [turn.before() for turn in waiting[2:]] == [0, 1, 2]
    waiting[3].leave()  # withdrawn
    waiting[0].leave()
    assert [waiting[4].enter(0), waiting[2].enter(0)] == [False, True]
    waiting[1].leave()
    assert waiting[4].enter(0)


def test_who_left_for_a_while_comes_before_the_later_ones() -> None:
    turns = Turns(1, longest=60)
    first, second, third = (turns.turn() for _ in range(3))
    assert first.enter(0) and not second.enter(0) and not third.enter(0)
    first.leave()
    assert not first.enter(0) and first.before() == 0 and third.before() == 1
    second.leave()
    assert first.enter(0) and not third.enter(0)


def test_turns_are_outstanding_until_they_end() -> None:
    turns = Turns(1, longest=60)
    first, second = turns.turn(), turns.turn()
    assert first.enter(0) and not second.enter(0)
    first.leave()  # to wait for something else
    assert turns.outstanding == 2
    second.end()
    first.end()
    assert turns.outstanding == 0 and turns.inside == [] == turns.waiting


def test_a_place_that_is_kept_for_long_keeps_nobody_waiting() -> None:
    turns = Turns(1, longest=0.0)
    first, second = turns.turn(), turns.turn()
    assert first.enter(0) and second.enter(0)
    first.leave()
    second.leave()
    assert turns.inside == [] == turns.waiting


def test_threads_go_in_one_by_one_in_their_order() -> None:
    turns = Turns(1, longest=60)
    holder = turns.turn()
    assert holder.enter(0)
    numbers = [turns.turn() for _ in range(8)]
    done: list[int] = []

    def work(turn: Turn) -> None:
        while not turn.enter(0.01):
            pass
        done.append(turn.number)
        turn.leave()

    threads = [threading.Thread(target=work, args=(turn,)) for turn in reversed(numbers)]
    for thread in threads:
        thread.start()
    while len(turns.waiting) < len(numbers):
        threading.Event().wait(0.001)
    holder.leave()
    for thread in threads:
        thread.join()
    assert done == [turn.number for turn in numbers]
