"""Shared by tests of runs: a finished run, and a copy of it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from nmtcore.runs.run_folder import Run
from nmtcore.runs.worker import Worker
from tests.runs.helpers import end_processes, make


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run completed in this process. Ask for `run` to change it."""
    run = make(tmp_path_factory.mktemp("runs"))
    Worker(run).work()
    return run


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    yield
    end_processes()


@pytest.fixture
def run(finished: Run, tmp_path: Path) -> Run:
    """A copy of the finished run, saved under a name, alone in its folder of runs."""
    copy = Run(tmp_path / "runs" / finished.id)
    shutil.copytree(finished.folder, copy.folder)
    copy.save_as("Backwards")
    return copy
