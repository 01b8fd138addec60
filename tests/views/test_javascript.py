"""Unit tests of the pictures' JavaScript, under Node. The app itself needs no Node."""

from pathlib import Path

import pytest

from tests.pictures.stories import HERE as PICTURES
from tests.pictures.stories import can_draw
from tests.views.live.node import run

PATHS = sorted((*Path(__file__).parent.glob("*.test.mjs"), *PICTURES.glob("*.test.mjs")))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name.partition(".")[0])
def test_the_modules_and_the_drawn_pictures(path: Path) -> None:
    """In tests/pictures, what holds of every picture, and the numbers in them; these draw, with jsdom."""
    if path.parent == PICTURES and not can_draw():
        pytest.skip("Pictures are drawn by Node and jsdom: .ci/node installs it.")
    run(["--test", path])
