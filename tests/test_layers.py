"""README's list of the library is true: every module is in it, and imports only from its own row or the rows above."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIBRARY = ROOT / "nmtcore"


def rows() -> dict[str, int]:
    """The row of each module; a folder counts as one."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("Imports go only up this list:")[2]
    table = [line for line in text.partition("\n\nA `Trace`")[0].splitlines() if line.startswith("| `")]
    found: dict[str, int] = {}
    for number, line in enumerate(table):
        for name in re.findall(r"`(\w+)(?:\.py|/)`", line.split("|")[1]):
            assert name not in found, f"{name} stands twice"
            found[name] = number
    return found


def imported(path: Path) -> set[str]:
    """The modules of the library that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "nmtcore":
            inner = node.module.split(".")[1:]
            names |= {inner[0]} if inner else {alias.name for alias in node.names}
    return names


def test_imports_go_only_up_the_list() -> None:
    listed = rows()
    files = {path: path.relative_to(LIBRARY).parts[0].removesuffix(".py") for path in LIBRARY.rglob("*.py")}
    assert set(files.values()) - {"__init__"} == set(listed)
    wrong = [
        f"{module} imports {other}"
        for path, module in files.items()
        for other in imported(path) - {module}
        if module != "__init__" and listed[other] > listed[module]
    ]
    assert not wrong
