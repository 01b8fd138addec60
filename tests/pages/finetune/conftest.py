"""Shared by Fine-tune page tests: a folder of runs in which nothing starts, and a finished run."""

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.runs import run_folder
from nmtcore.runs.run_folder import Run
from nmtcore.runs.worker import Worker
from pages.common.registry import script
from tests.helpers import PATIENCE
from tests.pages.finetune.helpers import OWNER
from tests.runs.helpers import REVERSE, config


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Run:
    run, _ = run_folder.create(tmp_path_factory.mktemp("runs"), config(), REVERSE.pairs(200, length=4), OWNER)
    Worker(run).work()
    return run


@pytest.fixture
def root(tmp_path: Path, model_directory: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of runs, in which nothing is started for real."""
    folder = tmp_path / "runs"
    folder.mkdir()
    monkeypatch.setenv("ALIGNMENT_LAB_RUNS", str(folder))
    monkeypatch.setattr("nmtcore.runs.queue._spawn", lambda *_: False)
    return folder


@pytest.fixture
def run(root: Path, trained: Run) -> Run:
    """A copy of a finished run that a test may damage."""
    shutil.copytree(trained.folder, root / trained.id)
    return Run(root / trained.id)


@pytest.fixture
def page(root: Path) -> AppTest:
    return AppTest.from_file(script("finetune"), default_timeout=PATIENCE)
