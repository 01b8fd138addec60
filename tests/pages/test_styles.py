"""The styles of the pages: none of them makes the browser search the whole page at each change."""

import re
from pathlib import Path

import pytest

from tests.paths import ROOT

STYLES = sorted((ROOT / "pages").rglob("*.css"))


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_no_style_asks_what_is_anywhere_below(path: Path) -> None:
    """`:has(> ...)` looks only at children; without `>`, styles took most of a sentence's time."""
    style = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert re.findall(r":has\((?!>)", style) == []
