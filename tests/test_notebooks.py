"""The notebooks run from the first cell to the last, and the last lines that draw return pictures."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from nmtcore.views.notebook import Picture
from tests.paths import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def cells(path: Path) -> list[str]:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run(code: str, names: dict[str, Any]) -> Any:
    """The output of a cell: the value of its last line, if that is an expression."""
    lines = ast.parse(code).body
    last = lines.pop() if isinstance(lines[-1], ast.Expr) else None
    exec(compile(ast.Module(lines, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_to_its_end(path: Path) -> None:
    names: dict[str, Any] = {}
    shown = [run(code, names) for code in cells(path)]
    pictures = [value for value in shown if isinstance(value, Picture)]
    assert pictures and all(picture._repr_mimebundle_()["text/html"] for picture in pictures)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_with_stills_alone(path: Path) -> None:
    """Pages of 150 kB in each output would fill the repository's diffs; GitHub shows the SVG."""
    outputs = [o for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] for o in cell.get("outputs", [])]
    kept = {kind for output in outputs for kind in output.get("data", {})}
    assert "image/svg+xml" in kept and kept <= {"image/svg+xml", "text/plain"}
    assert not [output for output in outputs if output["output_type"] == "error"]
