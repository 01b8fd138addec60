"""The browser's half of link state reads every declaration as the server does. Needs Node, which the app does not."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from nmtcore.views import bundle
from nmtcore.views.kit.link_state import Choice, Codes, Number, Pattern, Whole
from pages.common.registry import PAGES
from tests.helpers import PATIENCE
from tests.paths import ROOT

KINDS = (Whole, Number, Choice, Pattern, Codes)
VALUES = (
    *("", "0", "1", "2", "05", "-1", "5.5", ".5", "5.", ".", "1e-1", "64", "65", "999", "1000", "1e3", "٣", "x"),
    *(" 1", "1\n", "9" * 50, "nan", "hot", "2.1", "-3", "-1.s1", "t1", "<script>", "<b>", "1.1.1", "2.7"),
    *("1.t4", "0.t1s22", "1.", "t4", "3.6", "3.7", "3.s5.1f2e", "3.all.1f2e", "3.all.1F2E", "on.1-2~not.3.4", "on."),
    *("cross.1.2", "cross.mean.1_encoder.1.1", "cross.1", "_", "words.hide.top50", "plain", "top1000", "12-45", "1--2"),
    *("kept", "repetition", "Transformer", "transformer", "shown", "step", "all", "none", "grid", "chrF", "zh-en"),
)
ALL = [parameter for entry in PAGES for parameter in entry.state.parameters().values()]
DECLARED = list({(p.name, type(p)): p for p in ALL if isinstance(p, KINDS)}.values())


def as_in_the_browser(parameter: Any, text: str) -> Any:
    """The expected result of the browser's parser: a pattern's groups by name, lists for tuples."""
    # A page's own handling of codes, such as the shortest form of an order, is the server's alone.
    value = Codes.parse(parameter, text) if isinstance(parameter, Codes) else parameter.parse(text)
    if isinstance(parameter, Pattern) and value is not None:
        parts = parameter.parts(text)
        return {n: int(p) if p and p.isdecimal() else p for n, p in zip(parameter.groups, parts, strict=True)}
    return list(value) if isinstance(parameter, Codes) and value is not None else value


def test_both_halves_agree(tmp_path: Path) -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("Node is not there: the browser's half of link state is tested where it is.")
    script = bundle.script(ROOT / "nmtcore" / "views" / "kit" / "link_state.js")
    cases = [[parameter.to_json(), list(VALUES)] for parameter in DECLARED]
    program = f"""{script}
        const cases = {json.dumps(cases)};
        console.log(JSON.stringify(cases.map(([p, texts]) => texts.map((text) => parse(p, text)))));
    """
    file = tmp_path / "check.mjs"
    file.write_text(program, encoding="utf-8")
    done = subprocess.run([node, file], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    for parameter, found in zip(DECLARED, json.loads(done.stdout), strict=True):
        expected = [as_in_the_browser(parameter, text) for text in VALUES]
        wrong = {t: (f, e) for t, f, e in zip(VALUES, found, expected, strict=True) if f != e}
        assert wrong == {}, parameter.name
