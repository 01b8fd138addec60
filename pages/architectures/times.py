"""How long each model takes over this sentence: measured when the page stands, one decode after another.

What many models do at a time says little about one of them: they share processors, caches and memory.
"""

import time
from collections.abc import Sequence
from typing import Protocol

from nmtcore.config import Decoding
from nmtcore.errors import NmtError
from pages.architectures.results import ModelResult
from pages.common import models
from pages.common.waiting import crowded

SOON = 0.5  # s between two drawings of what has been measured
Decode = tuple[ModelResult, Decoding]


class Timed(Protocol):
    """A part of the page that names times, drawn once more when they are known."""

    @property
    def decodes(self) -> Sequence[Decode]: ...

    def draw(self) -> None: ...


def known(one: ModelResult, decoding: Decoding) -> float | None:
    """Seconds of this decode, where it has been measured."""
    measured = models.known(models.request(one.id, one.source, decoding, timed=True))
    return measured if isinstance(measured, float) else None


def measure(*parts: Timed) -> None:
    """Measure what has not been, and draw the parts again, from time to time and in the end.

    Where many use the server nothing is measured: others wait for their sentences, and the times would be of that.
    """
    missing = [decode for part in parts for decode in part.decodes if known(*decode) is None]
    if not missing or crowded():
        return
    drawn = time.monotonic()
    for one, decoding in missing:
        try:
            models.ask([models.request(one.id, one.source, decoding, timed=True)])
        except NmtError:  # the server has too much to do, or the model is gone: what stands there says that it is open
            break
        if time.monotonic() - drawn > SOON:
            _draw(parts)
            drawn = time.monotonic()
    _draw(parts)


def _draw(parts: Sequence[Timed]) -> None:
    for part in parts:
        part.draw()
