"""Trainings have lower priority than the server and its visitors, as set by the environment."""

import pytest

from nmtcore.runs.process import NICENESS, NICENESS_SETTING, niceness


@pytest.mark.parametrize(
    ("setting", "found"), [("", NICENESS), ("9", 9), ("0", 0), ("99", 19), ("-3", NICENESS), ("²", NICENESS)]
)
def test_how_far_is_a_setting(monkeypatch: pytest.MonkeyPatch, setting: str, found: int) -> None:
    monkeypatch.setenv(NICENESS_SETTING, setting)
    assert niceness() == found
