"""A progress bar with the time left, which appears only if the work takes longer than half a second."""

import time
from typing import Self

from streamlit.delta_generator import DeltaGenerator

from pages.common.i18n import _, duration

PATIENCE = 0.5  # seconds before progress is shown: a bar that flashes by is distracting


class LateProgress:
    """The progress of `total` parts of some work, drawn in `spot`, a placeholder made by `st.empty()`."""

    def __init__(self, spot: DeltaGenerator, total: int) -> None:
        self._spot = spot
        self._total = total
        self._done = 0
        self._began = time.monotonic()

    def next(self, words: str) -> None:
        """Call it before each part. words: what is being done now."""
        self.show(words, self._done)
        self._done += 1

    def show(self, words: str, done: int) -> None:
        """The same if it is known how many parts are done; call it as often as you like."""
        passed = time.monotonic() - self._began
        if passed > PATIENCE and done < self._total:
            if done:
                words = f"{words} · {time_left(passed, done / self._total)}"
            self._spot.progress(done / self._total, words)

    def end(self) -> None:
        self._spot.empty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()


def time_left(passed: float, share: float) -> str:
    """About how long the work will still take, if a share of it, more than 0, has taken `passed` seconds."""
    return _("{time} left").format(time=duration(passed * (1 - share) / share))
