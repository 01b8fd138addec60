"""Imports in the library go down one list of folders, never up and in no circle; no folder imports Streamlit."""

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from tests.paths import ROOT

LIBRARY = ROOT / "nmtcore"
ROOMS = (  # each may import those below it
    *("ray_train", "__main__", "commands", "runs", "serving", "views", "figures", "analysis", "evaluation", "training"),
    *("decoding", "marian", "models"),
    *("text", "common"),
)
# modules that everybody may import
COMMON = {
    *("config", "errors", "files", "intervention", "limits", "messages", "places", "system"),
}


def room(path: Path) -> str:
    """The room of a file in the library."""
    first = path.relative_to(LIBRARY).parts[0].removesuffix(".py")
    return "common" if first in COMMON else first


@cache
def imported(path: Path) -> set[str]:
    """The full names of the modules that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


FILES = sorted(path for path in LIBRARY.rglob("*.py") if path != LIBRARY / "__init__.py")


def test_every_folder_has_its_place() -> None:
    assert {room(path) for path in FILES} == set(ROOMS)


def test_imports_go_down() -> None:
    for path in FILES:
        here = ROOMS.index(room(path))
        for name in imported(path):
            parts = name.split(".")
            assert parts[0] != "streamlit", path
            if parts[0] == "nmtcore" and len(parts) > 1:
                other = "common" if parts[1] in COMMON else parts[1]
                assert ROOMS.index(other) >= here, f"{path.name} is in {room(path)} and imports {name}"


def test_no_file_is_imported_by_what_it_imports() -> None:
    names = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in FILES}
    known = set(names.values())
    imports = {
        name: {module if module in known else module.rpartition(".")[0] for module in imported(path)} & known - {name}
        for path, name in names.items()
    }
    list(TopologicalSorter(imports).static_order())  # raises CycleError, which names them
