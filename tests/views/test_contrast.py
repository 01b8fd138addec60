"""Quiet words are legible on a projector: 4.5 to 1 on either theme's background, by WCAG's definition."""

import re
import tomllib

import pytest

from nmtcore.figures.palette import GREEDY, HUES
from tests.paths import ROOT
from tests.views.live.node import call

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
def test_words_of_every_colour_of_the_palette_can_be_read(theme: str) -> None:
    look = {name: channels(THEMES[theme][f"{name}Color"]) for name in ("background", "text")}
    hues = {**HUES, "greedy": GREEDY}
    asked = [[look, channels(hue)] for hue in hues.values()]
    titles, lines = (call("kit/color.js", name, asked) for name in ("titleColor", "lineColor"))
    titles += call("kit/color.js", "quietColor", [[look]])
    for least, colors in ((LEAST, titles), (3, lines)):
        ratios = [contrast(color, look["background"]) for color in colors]
        assert min(ratios) >= least, dict(zip([*hues, "quiet"], ratios, strict=False))
    # A line keeps more of its hue than a word.
    changed = [name for name, title, line in zip(hues, titles, lines, strict=False) if title != line]
    assert "additive" in changed or theme == "dark"


def test_captions_can_be_read() -> None:
    style = (ROOT / "pages" / "common" / "look.css").read_text(encoding="utf-8")
    rule = style[style.index('[data-testid="stCaptionContainer"]') :].partition("}")[0]
    assert "color: var(--quiet);" in rule and "opacity: 1;" in rule  # Streamlit's own is 0.6
    colors = re.search(r"--quiet: light-dark\((#\w{6}), (#\w{6})\);", style)
    assert colors
    for theme, color in zip(("light", "dark"), colors.groups(), strict=True):
        assert contrast(channels(color), channels(THEMES[theme]["backgroundColor"])) >= LEAST
