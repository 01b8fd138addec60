"""Trainings stand behind the server and its visitors: niceness of the process, and of its session."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nmtcore.runs import worker
from nmtcore.runs.worker import NICENESS, NICENESS_SETTING, lower_priority


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What the process's niceness was set to; it has 5 already."""
    values: list[int] = []
    monkeypatch.setattr(os, "getpriority", lambda *_: 5)
    monkeypatch.setattr(os, "setpriority", lambda which, who, niceness: values.append(niceness))
    monkeypatch.delenv(NICENESS_SETTING, raising=False)
    return values


@pytest.fixture
def autogroup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that has the niceness of the session, which is this process's own."""
    file = tmp_path / "autogroup"
    monkeypatch.setattr(worker, "AUTOGROUP", file)
    monkeypatch.setattr(os, "getsid", lambda _: os.getpid())
    return file


@pytest.mark.parametrize(
    ("setting", "process", "session"),
    [("", NICENESS, NICENESS), ("9", 9, 9), ("0", 5, 0), ("99", 19, 19), ("-3", NICENESS, NICENESS)],
)
def test_process_and_session_have_the_niceness_that_is_set(
    given: list[int], autogroup: Path, monkeypatch: pytest.MonkeyPatch, setting: str, process: int, session: int
) -> None:
    monkeypatch.setenv(NICENESS_SETTING, setting)
    lower_priority()
    assert given == [process] and autogroup.read_text() == str(session)


def test_a_session_of_others_stays_as_it_is(given: list[int], autogroup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getsid", lambda _: os.getpid() + 1)
    lower_priority()
    assert given == [NICENESS] and not autogroup.exists()


def test_who_comes_too_soon_after_another_tries_again(
    given: list[int], autogroup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[str] = []

    def write(path: Path, text: str) -> None:
        tries.append(text)
        if len(tries) < 3:
            raise BlockingIOError

    monkeypatch.setattr(Path, "write_text", write)
    monkeypatch.setattr(worker.time, "sleep", lambda _: None)
    lower_priority()
    assert tries == [str(NICENESS)] * 3


def test_a_system_without_autogroups_is_no_error(
    given: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autogroup: Path
) -> None:
    monkeypatch.setattr(worker, "AUTOGROUP", tmp_path / "no such folder" / "autogroup")
    lower_priority()
    assert given == [NICENESS]
