"""The limit of open files, raised at the start, and the pages that it allows."""

import os
import sys
from types import SimpleNamespace

import pytest

from pages.server import descriptors

NONE = -1  # how a system reports no limit


class System(SimpleNamespace):
    """A stand-in for the module `resource` of a system whose kernel sets no more than `most`."""

    RLIMIT_NOFILE, RLIM_INFINITY = 7, NONE

    def __init__(self, soft: int, hard: int, most: int = 10**6) -> None:
        super().__init__(limits=(soft, hard), most=most)

    def getrlimit(self, which: int) -> tuple[int, int]:
        return self.limits if which == self.RLIMIT_NOFILE else (0, 0)

    def setrlimit(self, which: int, limits: tuple[int, int]) -> None:
        if limits[0] > self.most or limits[1] != self.limits[1]:
            raise ValueError("current limit exceeds maximum limit")
        self.limits = limits


@pytest.mark.parametrize(
    ("system", "found"),
    [
        (System(1024, 524_288), 65_536),
        (System(1024, 4096), 4096),
        (System(256, 256), 256),
        (System(256, NONE, most=10_240), 10_240),  # a Mac
        (System(256, NONE, most=300), 256),
        (System(100_000, 200_000), 100_000),
        (System(NONE, NONE), None),
        (None, None),  # Windows
    ],
)
def test_the_soft_limit_is_raised(system: System | None, found: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descriptors, "resource", system)
    assert descriptors.raise_limit() == found
    if system and found:
        assert system.getrlimit(7)[0] == found


@pytest.mark.parametrize("limit", [64, 256, 1024, 4096, 65_536])
def test_all_that_may_be_open_fits(limit: int) -> None:
    room = descriptors.connections(limit)
    assert room == 1 or descriptors.in_use() + room + 3 * descriptors.burst(limit) < limit
    assert 1 <= descriptors.pages(room) <= room


def test_a_class_fits_where_few_files_may_be_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descriptors, "in_use", lambda: 30)
    assert descriptors.pages(descriptors.connections(256)) >= 100


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no folder of descriptors.")
def test_descriptors_are_counted() -> None:
    before = descriptors.in_use()
    pipe = os.pipe()
    assert descriptors.in_use() == before + 2
    for end in pipe:
        os.close(end)
