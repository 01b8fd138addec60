"""What tests of the command line share: a small model."""

from pathlib import Path

import pytest


@pytest.fixture
def model(model_folders: Path) -> Path:
    return model_folders / "en-fr" / "dot"
