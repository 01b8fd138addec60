"""How long each model takes over this sentence: measured once the page is drawn, one decode after another.

Timing many models at once says little about any one: they share processors, caches and memory.
"""

import time
from collections.abc import Sequence
from typing import Protocol

from nmtcore.config import Decoding
from nmtcore.errors import NmtError
from pages.architectures.results import ModelResult
from pages.common import models
from pages.common.waiting import crowded

SOON = 0.5  # s between redraws of what has been measured
Decode = tuple[ModelResult, Decoding]


class Timed(Protocol):
    """A part of the page that shows times, redrawn when they are known."""

    @property
    def decodes(self) -> Sequence[Decode]: ...

    def draw(self) -> None: ...


def known(one: ModelResult, decoding: Decoding) -> float | None:
    """Seconds of this decode, if it has been measured."""
    measured = models.known(models.request(one.id, one.source, decoding, timed=True))
    return measured if isinstance(measured, float) else None


def measure(*parts: Timed) -> None:
    """Measure what is missing, and redraw the parts from time to time and at the end.

    Nothing is measured while many use the server: others wait for their sentences, and would distort the times.
    """
    missing = [decode for part in parts for decode in part.decodes if known(*decode) is None]
    if not missing or crowded():
        return
    drawn = time.monotonic()
    for one, decoding in missing:
        try:
            models.ask([models.request(one.id, one.source, decoding, timed=True)])
        except NmtError:  # the server is busy or the model is gone: the table goes on showing that it is not measured
            break
        if time.monotonic() - drawn > SOON:
            _draw(parts)
            drawn = time.monotonic()
    _draw(parts)


def _draw(parts: Sequence[Timed]) -> None:
    for part in parts:
        part.draw()
