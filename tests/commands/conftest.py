"""What tests of the command line share: a small model."""

from pathlib import Path

import pytest


@pytest.fixture
def model(model_folders: Path) -> Path:
    return model_folders / "en-fr" / "dot"


@pytest.fixture
def pairs(pairs: Path) -> Path:
    """With a second reference of the first sentence, and a row that is none."""
    with pairs.open("a", encoding="utf-8") as file:
        file.write("the red cat\tle rouge chat !\none column\n")
    return pairs
