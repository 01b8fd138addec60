"""Shared by command-line tests: a small model."""

from pathlib import Path

import pytest


@pytest.fixture
def model(model_folders: Path) -> Path:
    return model_folders / "en-fr" / "dot"


@pytest.fixture
def pairs(pairs: Path) -> Path:
    """Pairs with a second reference for the first sentence, and an invalid row."""
    with pairs.open("a", encoding="utf-8") as file:
        file.write("the red cat\tle rouge chat !\none column\n")
    return pairs
