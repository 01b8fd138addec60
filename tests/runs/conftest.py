"""What tests of runs share: a finished run."""

import pytest

from nmtcore.runs.run_folder import Run
from nmtcore.runs.worker import Worker
from tests.runs.helpers import make


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that went from beginning to end in this process."""
    run = make(tmp_path_factory.mktemp("runs"))
    Worker(run).work()
    return run
