"""Priority, processors and the end of a process, on each system."""

import io
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from nmtcore.system import processes
from nmtcore.system.processes import lower_priority, processor_name, usable_cores
from tests.helpers import PATIENCE
from tests.paths import ROOT


class Itself:
    """psutil's view of this process: niceness 5 already. given: the value set."""

    def __init__(self, now: int = 5) -> None:
        self.now, self.given = now, list[int]()

    def nice(self, value: int | None = None) -> int:
        if value is not None:
            self.given.append(value)
        return self.now


@pytest.fixture
def itself(monkeypatch: pytest.MonkeyPatch) -> Itself:
    found = Itself()
    monkeypatch.setattr(psutil, "Process", lambda: found)
    monkeypatch.delattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", raising=False)
    return found


@pytest.fixture
def autogroup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file with the niceness of this process's session."""
    file = tmp_path / "autogroup"
    monkeypatch.setattr(processes, "AUTOGROUP", file)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "getsid", lambda _: os.getpid(), raising=False)
    return file


@pytest.mark.parametrize(("asked", "process"), [(10, 10), (9, 9), (0, 5), (19, 19)])
def test_process_and_session_have_the_niceness_that_is_asked(
    itself: Itself, autogroup: Path, asked: int, process: int
) -> None:
    lower_priority(asked)
    assert itself.given == [process] and autogroup.read_text(encoding="utf-8") == str(asked)


def test_a_session_of_others_stays_as_it_is(itself: Itself, autogroup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getsid", lambda _: os.getpid() + 1)
    lower_priority(10)
    assert itself.given == [10] and not autogroup.exists()


def test_who_comes_too_soon_after_another_tries_again(
    itself: Itself, autogroup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[str] = []

    def write(path: Path, text: str, encoding: str) -> None:
        tries.append(text)
        if len(tries) < 3:
            raise BlockingIOError

    monkeypatch.setattr(Path, "write_text", write)
    monkeypatch.setattr(processes.time, "sleep", lambda _: None)
    lower_priority(10)
    assert tries == ["10"] * 3


def test_a_system_without_autogroups_is_no_error(
    itself: Itself, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autogroup: Path
) -> None:
    monkeypatch.setattr(processes, "AUTOGROUP", tmp_path / "no such folder" / "autogroup")
    lower_priority(10)
    assert itself.given == [10]


def test_windows_has_classes_of_priority_and_no_sessions(
    itself: Itself, autogroup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", 0x4000, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    lower_priority(0)
    assert itself.given == []
    lower_priority(10)
    assert itself.given == [0x4000] and not autogroup.exists()


def test_who_may_not_change_its_priority_works_on(itself: Itself, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(value: int | None = None) -> int:
        raise psutil.AccessDenied

    monkeypatch.setattr(itself, "nice", refused)
    lower_priority(10)


def test_processors_that_may_not_be_used_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    monkeypatch.setattr(psutil, "Process", lambda: type("Linux", (), {"cpu_affinity": lambda self: [1, 3, 4]})())
    assert usable_cores() == 3
    monkeypatch.setattr(psutil, "Process", lambda: object())  # macOS has no affinity
    assert usable_cores() == 7


def test_a_process_ends_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Although that one is a zombie first: this process, its parent, has not reaped it."""
    first = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    code = f"""if True:
        import time
        from nmtcore.system import processes
        sleep = time.sleep
        time.sleep = lambda _: print("It waits.", flush=True) or sleep(0.01)
        processes.end_after({first.pid})
    """
    second = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    with first, second:
        try:
            assert first.stdin and second.stdout and second.stdout.readline().startswith(b"It waits.")
            first.stdin.close()
            assert second.wait(PATIENCE) == 1
        finally:
            first.kill()
            second.kill()


@pytest.mark.parametrize("cpuinfo", ["processor : 0\nmodel name : Maker 7 @ 3 GHz\n", "CPU part : 0xd0b\n", None])
def test_the_processor_has_a_name_on_every_system(cpuinfo: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Linux gives none, as on ARM, or there is no such file, the system's name is used."""

    def opened(path: str, **options: str) -> io.StringIO:
        if cpuinfo is None:
            raise FileNotFoundError(path)
        return io.StringIO(cpuinfo)

    monkeypatch.setattr(processes, "open", opened, raising=False)
    monkeypatch.setattr(processes.platform, "processor", lambda: "")
    monkeypatch.setattr(processes.platform, "machine", lambda: "aarch64")
    assert processor_name() == ("Maker 7 @ 3 GHz" if cpuinfo and "Maker" in cpuinfo else "aarch64")
