"""Unit tests of the pictures' JavaScript, under Node. The app itself needs no Node."""

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("path", sorted(HERE.glob("*.test.mjs")), ids=lambda path: path.name.partition(".")[0])
def test_the_pure_modules(path: Path) -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("These are unit tests of JavaScript: only Node can run them.")
    done = subprocess.run([node, "--test", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
