"""Joining ES modules into one script."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pages.common.scripts import joined

NODE = shutil.which("node")


def written(folder: Path, **texts: str) -> list[Path]:
    paths = []
    for name, text in texts.items():
        paths.append(folder / f"{name}.js")
        paths[-1].write_text(text, encoding="utf-8")
    return paths


def test_private_names_stay_private_and_imports_find_their_module(tmp_path: Path) -> None:
    paths = written(
        tmp_path,
        one="const own = 1;\nexport const value = () => own;\nexport function two() { return 2; }\n",
        other='import { value as v } from "./one.js";\nconst own = 10;\nexport const sum = () => v() + own;\n',
        main='import { two } from "../x/one.js";\nimport {\n  sum,\n} from "./other.js";\n'
        "export default function () { return sum() + two(); }\n",
    )
    text = joined(paths)
    assert "import " not in text
    if not NODE:
        pytest.skip("Only Node can run what was joined.")
    path = tmp_path / "all.mjs"
    path.write_text(text + "\n", encoding="utf-8")
    run = f"import all from {str(path)!r}; process.stdout.write(String(all()))"
    done = subprocess.run([NODE, "--input-type=module", "-e", run], capture_output=True, text=True, check=True)
    assert done.stdout == "13"


def test_a_name_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    paths = written(tmp_path, one="export const a = 1;\n", main='import { b } from "./one.js";\nexport default a;\n')
    with pytest.raises(ValueError, match="main.js: no b in a module one.js"):
        joined(paths)
    with pytest.raises(ValueError, match="main.js: no b"):
        joined(paths[::-1])


def test_two_modules_cannot_have_one_name(tmp_path: Path) -> None:
    paths = written(tmp_path, one="export const a = 1;\n")
    with pytest.raises(ValueError, match="Two modules are named one"):
        joined([*paths, *paths])
