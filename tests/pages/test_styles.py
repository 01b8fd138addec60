"""The styles of the pages: none of them makes the browser look through the page at each of its changes."""

import re
from pathlib import Path

import pytest

from tests.paths import ROOT

STYLES = sorted((ROOT / "pages").rglob("*.css"))


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_no_style_asks_what_is_anywhere_below(path: Path) -> None:
    """`:has(> ...)` looks at children alone; without `>` most of the time of a sentence went into styles."""
    style = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert re.findall(r":has\((?!>)", style) == []
