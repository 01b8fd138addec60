"""Joining ES modules and stylesheets into one text each."""

import re
from pathlib import Path

import pytest

from nmtcore.errors import BundleError
from nmtcore.views import bundle
from tests.paths import ROOT
from tests.views.live.node import run

ENTRIES = sorted((ROOT / "pages").rglob("*.js"))  # those of pictures: test_notebook.py


def written(folder: Path, **texts: str) -> Path:
    """Modules in two folders, `a__one` in a/one.js; the path of the last one."""
    path = folder
    for name, text in texts.items():
        path = folder / f"{name.replace('__', '/')}.js"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path


def result(script: str) -> str:
    """The result of a script's default export, as text."""
    program = script.replace("export default function ()", "globalThis.all = function ()")
    return run(["--input-type=module", "-e", f"{program};process.stdout.write(String(globalThis.all()))"])


def test_private_names_stay_private_and_imports_find_their_module(tmp_path: Path) -> None:
    entry = written(
        tmp_path,
        b__one="const own = 1;\nexport const value = () => own;\nexport function two() { return 2; }\n",
        a__one='import { value as v } from "../b/one.js";\nconst own = 10;\nexport const sum = () => v() + own;\n',
        a__main='import { two } from "../b/one.js";\nimport {\n  sum,\n} from "./one.js";\n'
        "export default function () { return sum() + two(); }\n",
    )
    assert result(bundle.script(entry)) == "13"


def test_a_module_that_two_others_import_runs_once(tmp_path: Path) -> None:
    entry = written(
        tmp_path,
        a__count="let at = 0;\nexport const next = () => (at += 1);\n",
        a__left='import { next } from "./count.js";\nexport const left = next();\n',
        a__right='import { next } from "./count.js";\nexport const right = next();\n',
        a__main='import { left } from "./left.js";\nimport { right } from "./right.js";\n'
        "export default function () { return 10 * left + right; }\n",
    )
    assert result(bundle.script(entry)) == "12"


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    entry = written(tmp_path, a__one="export const a = 1;\n", a__main='import { b } from "./one.js";\n')
    with pytest.raises(BundleError, match="a/main.js imports b, which a/one.js does not export"):
        bundle.script(entry)
    entry = written(tmp_path, a__other='import { b } from "../c/one.js";\n')
    with pytest.raises(BundleError, match="a/other.js imports c/one.js, which does not exist"):
        bundle.script(entry)


def test_a_circle_of_imports_is_said(tmp_path: Path) -> None:
    entry = written(
        tmp_path,
        a__one='import { b } from "./two.js";\nexport const a = 1;\n',
        a__two='import { a } from "./one.js";\nexport const b = 2;\n',
    )
    with pytest.raises(BundleError, match="circle: a/two.js → a/one.js → a/two.js"):
        bundle.script(entry)


@pytest.mark.parametrize("line", ['import * as all from "./one.js";', 'import "./one.js";', "export { own };"])
def test_another_way_to_write_an_import_is_said(tmp_path: Path, line: str) -> None:
    entry = written(tmp_path, a__one="export const a = 1;\n", a__main=f"const own = 1;\n{line}\n")
    with pytest.raises(BundleError, match=re.escape(line)):
        bundle.script(entry)


def test_stylesheets_stand_after_what_they_import(tmp_path: Path) -> None:
    (tmp_path / "one.css").write_text("p { margin: 0; }\n")
    (tmp_path / "main.css").write_text('@import "./one.css";\n\np { margin: 1px; }\n')
    text = bundle.style(tmp_path / "main.css")
    assert re.findall(r"margin: \w+", text) == ["margin: 0", "margin: 1px"] and "@import" not in text


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda path: path.stem)
def test_every_script_of_a_page_is_one_module(entry: Path, tmp_path: Path) -> None:
    path = tmp_path / "all.mjs"
    path.write_text(bundle.script(entry), encoding="utf-8")
    run(["--check", path])
