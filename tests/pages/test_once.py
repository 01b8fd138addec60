"""A run's lookups are cached until it ends, for its own thread alone."""

import threading

import pytest

from pages.common.once import lookups_kept, once_a_run


def test_a_lookup_is_made_once_a_run_and_anew_by_the_next() -> None:
    made: list[tuple[int, int]] = []

    @once_a_run
    def look(first: int, second: int = 0) -> list[int]:
        """Its own words."""
        made.append((first, second))
        return [first, second]

    assert look.__doc__ == "Its own words."
    assert look(1) is not look(1) and len(made) == 2, "outside a run nothing is kept"
    for run in (1, 2):
        with lookups_kept():
            assert look(1) is look(1) and look(1, second=5) == [1, 5] and look(2) == [2, 0]
            assert len(made) == 2 + 3 * run
            other = threading.Thread(target=look, args=(1,))  # no run of a page
            other.start()
            other.join()
            assert made.pop() == (1, 0) and len(made) == 2 + 3 * run
    assert look(2) == [2, 0] and len(made) == 9


def test_a_part_of_a_run_shares_what_the_run_has_looked_up() -> None:
    look = once_a_run(lambda: [])
    with lookups_kept():
        whole = look()
        with lookups_kept():
            assert look() is whole
        assert look() is whole
    assert look() is not whole


def test_what_could_not_be_looked_up_is_tried_again_and_an_error_ends_the_run() -> None:
    tries: list[int] = []

    @once_a_run
    def fail() -> int:
        tries.append(len(tries))
        if len(tries) < 3:
            raise OSError
        return len(tries)

    with pytest.raises(OSError), lookups_kept():
        fail()
    with lookups_kept():
        with pytest.raises(OSError):
            fail()
        assert (fail(), fail(), len(tries)) == (3, 3, 3)
    assert fail() == 4
