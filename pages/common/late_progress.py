"""A progress bar that appears only once its work has taken longer than half a second."""

from __future__ import annotations

import time

from streamlit.delta_generator import DeltaGenerator

PATIENCE = 0.5  # seconds before progress is shown: a bar that comes and goes at once disturbs


class LateProgress:
    """The progress of `total` parts of a work, drawn in `spot`, a place that `st.empty()` keeps for it."""

    def __init__(self, spot: DeltaGenerator, total: int) -> None:
        self._spot = spot
        self._total = total
        self._done = 0
        self._began = time.monotonic()

    def next(self, words: str) -> None:
        """Call it before each part. words: what is being done now."""
        if time.monotonic() - self._began > PATIENCE:
            self._spot.progress(min(self._done / self._total, 1.0), words)
        self._done += 1

    def end(self) -> None:
        self._spot.empty()
