"""Fair admission: first come, first served, and a place held for too long does not block the others."""

import threading

from nmtcore.serving.fair_semaphore import FairSemaphore, Ticket


def test_places_go_to_the_first() -> None:
    semaphore = FairSemaphore(2, longest=60)
    waiting = [semaphore.ticket() for _ in range(5)]
    assert [ticket.enter(0) for ticket in waiting] == [True, True, False, False, False]
    assert [ticket.before() for ticket in waiting[2:]] == [0, 1, 2]
    waiting[3].leave()  # withdrawn
    waiting[0].leave()
    assert [waiting[4].enter(0), waiting[2].enter(0)] == [False, True]
    waiting[1].leave()
    assert waiting[4].enter(0)


def test_who_left_for_a_while_comes_before_the_later_ones() -> None:
    semaphore = FairSemaphore(1, longest=60)
    first, second, third = (semaphore.ticket() for _ in range(3))
    assert first.enter(0) and not second.enter(0) and not third.enter(0)
    first.leave()
    assert not first.enter(0) and first.before() == 0 and third.before() == 1
    second.leave()
    assert first.enter(0) and not third.enter(0)


def test_turns_are_outstanding_until_they_end() -> None:
    semaphore = FairSemaphore(1, longest=60)
    first, second = semaphore.ticket(), semaphore.ticket()
    assert first.enter(0) and not second.enter(0)
    first.leave()  # to wait for something else
    assert semaphore.outstanding == 2
    second.end()
    first.end()
    assert semaphore.outstanding == 0 and semaphore.inside == [] == semaphore.waiting


def test_a_place_that_is_kept_for_long_keeps_nobody_waiting() -> None:
    semaphore = FairSemaphore(1, longest=0.0)
    first, second = semaphore.ticket(), semaphore.ticket()
    assert first.enter(0) and second.enter(0)
    first.leave()
    second.leave()
    assert semaphore.inside == [] == semaphore.waiting


def test_threads_go_in_one_by_one_in_their_order() -> None:
    semaphore = FairSemaphore(1, longest=60)
    holder = semaphore.ticket()
    assert holder.enter(0)
    numbers = [semaphore.ticket() for _ in range(8)]
    done: list[int] = []

    def work(ticket: Ticket) -> None:
        while not ticket.enter(0.01):
            pass
        done.append(ticket.number)
        ticket.leave()

    threads = [threading.Thread(target=work, args=(ticket,)) for ticket in reversed(numbers)]
    for thread in threads:
        thread.start()
    while len(semaphore.waiting) < len(numbers):
        threading.Event().wait(0.001)
    holder.leave()
    for thread in threads:
        thread.join()
    assert done == [ticket.number for ticket in numbers]
