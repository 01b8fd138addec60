"""Quiet words are legible on a projector: 4.5 to 1 on either theme's background, by WCAG's definition."""

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from nmtcore.figures.palette import GREEDY, HUES
from nmtcore.views import bundle
from tests.helpers import PATIENCE
from tests.paths import ROOT

LEAST = 4.5
THEMES = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]


def channels(color: str) -> list[float]:
    return [float(int(color[i : i + 2], 16)) for i in (1, 3, 5)]


def luminance(color: list[float]) -> float:
    linear = [v / 12.92 if (v := channel / 255) <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for channel in color]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: list[float], other: list[float]) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_of_every_colour_of_the_palette_can_be_read(tmp_path: Path, theme: str) -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("The pictures choose their colours in JavaScript: only Node can ask them.")
    look = {name: channels(THEMES[theme][f"{name}Color"]) for name in ("background", "text")}
    hues = {**HUES, "greedy": GREEDY}
    asked = {name: channels(hue) for name, hue in hues.items()}
    program = f"""{bundle.script(ROOT / "nmtcore" / "views" / "kit" / "color.js")}
        const look = {json.dumps(look)};
        const hues = {json.dumps(asked)};
        const of = (choose) => Object.fromEntries(Object.entries(hues).map(([name, hue]) => [name, choose(look, hue)]));
        const quiet = {{ "muted": mix(look.background, look.text, MUTED) }};
        console.log(JSON.stringify({{ titles: {{ ...of(titleColor), ...quiet }}, lines: of(lineColor) }}));
    """
    file = tmp_path / "colours.mjs"
    file.write_text(program, encoding="utf-8")
    done = subprocess.run([node, file], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    background = look["background"]
    titles = {name: contrast(color, background) for name, color in found["titles"].items()}
    assert len(titles) == len(hues) + 1
    assert {name: ratio for name, ratio in titles.items() if ratio < LEAST} == {}
    lines = {name: contrast(color, background) for name, color in found["lines"].items()}
    assert {name: ratio for name, ratio in lines.items() if ratio < 3} == {}
    # A line keeps more of its hue than a word.
    changed = [name for name in hues if found["lines"][name] != found["titles"][name]]
    assert "additive" in changed or theme == "dark"


def test_captions_can_be_read() -> None:
    style = (ROOT / "pages" / "common" / "look.css").read_text(encoding="utf-8")
    rule = style[style.index('[data-testid="stCaptionContainer"]') :].partition("}")[0]
    assert "color: var(--quiet);" in rule and "opacity: 1;" in rule  # Streamlit's own is 0.6
    colors = re.search(r"--quiet: light-dark\((#\w{6}), (#\w{6})\);", style)
    assert colors
    for theme, color in zip(("light", "dark"), colors.groups(), strict=True):
        assert contrast(channels(color), channels(THEMES[theme]["backgroundColor"])) >= LEAST
