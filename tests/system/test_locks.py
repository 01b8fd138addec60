"""Locks: between threads and between processes, and released when their process ends."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from nmtcore.system.locks import is_locked, locked, try_lock
from tests.paths import ROOT

HOLDER = """
import sys
from pathlib import Path
from nmtcore.system.locks import try_lock
with try_lock(Path(sys.argv[1])) as held:
    print(held, flush=True)
    sys.stdin.read()
"""


def test_a_lock_is_held_by_one_and_gone_when_its_process_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with holder:
        assert holder.stdout and holder.stdout.readline() == "True\n"
        assert is_locked(path)
        with try_lock(path) as held:
            assert not held
        assert is_locked(path), "who could not have it did not let go of it"
        holder.kill()
    assert not is_locked(path)


def test_a_lock_is_let_go_of_and_excludes_another_opening_in_this_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with try_lock(path) as first, try_lock(path) as second:
        assert first and not second and is_locked(path)
    assert not is_locked(path)
    with pytest.raises(FileNotFoundError):
        is_locked(tmp_path / "another")


def test_a_file_that_may_only_be_read_can_be_asked_for_its_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with try_lock(path) as held:
        path.chmod(0o444)
        assert held and is_locked(path)
    assert not is_locked(path)
    path.chmod(0o644)


def test_one_after_another(tmp_path: Path) -> None:
    """A counter updated under the lock misses no increment of many threads."""
    counter = tmp_path / "runs" / "counter"
    counter.parent.mkdir()
    counter.write_text("0")

    def add() -> None:
        for _ in range(5):
            with locked(counter.parent):
                counter.write_text(str(int(counter.read_text()) + 1))

    threads = [threading.Thread(target=add) for _ in range(7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.read_text() == "35"
