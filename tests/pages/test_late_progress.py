"""The progress bar that waits before it appears."""

from unittest.mock import Mock

import pytest

from pages.common import late_progress
from pages.common.late_progress import PATIENCE, LateProgress


def test_quick_work_shows_no_bar_and_slow_work_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Mock(return_value=7.0)
    monkeypatch.setattr(late_progress.time, "monotonic", clock)
    spot = Mock()
    progress = LateProgress(spot, 3)
    progress.next("the first")
    clock.return_value += PATIENCE
    progress.next("the second")
    spot.progress.assert_not_called()
    clock.return_value += 0.1
    progress.next("the third")
    spot.progress.assert_called_once_with(pytest.approx(2 / 3), "the third · about 1 s left")
    progress.end()
    spot.empty.assert_called_once_with()
