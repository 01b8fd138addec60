"""The alignment component in a browser: narrow screens, long sentences, a dark theme, its speed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from nmtcore.config import CORE
from nmtcore.decoding.trace import AttentionMap
from nmtcore.views.alignment.data import Panel, data
from nmtcore.views.html import to_html
from tests.browser.conftest import drawn, goes_on, layouts

SOURCE = ("▁the", "▁red", "▁red", "▁ta", "ble", "▁<s>", ".", "<eos>")
TARGET = ("▁la", "▁table", "▁rouge", "▁<b>", "<s>", ".", "<eos>")
PATH = (0, 3, 1, 5, 5, 6, 7)  # the source piece that each target piece looks at


def four(length: int = 1) -> list[Panel]:
    """Most of the weight of each row on one piece, the rest spread evenly."""
    source, target = SOURCE * length, TARGET * length
    path = [piece + k * len(SOURCE) for k in range(length) for piece in PATH]
    weights = np.full((1, 1, len(target), len(source)), 0.21 / (len(source) - 1), dtype=np.float32)
    weights[:, :, range(len(target)), path] = 0.79
    attention = AttentionMap("cross", target, source, weights)
    said: dict[str, Any] = {"translation": "la table", "log_probability": -1.25}
    panels = [Panel("No attention", "none", source, target[-3:] * length, vector=VECTOR, translation="la table")]
    return panels + [Panel(name.title(), name, source, target, attention, **said) for name in CORE[1:]]


VECTOR = tuple(np.linspace(-1, 1, 32).tolist())
Open = Callable[..., Page]


@pytest.fixture
def opened(tmp_path: Path, new_page: Open) -> Open:
    """opened(length, viewport=...) is a tab with a file: four models, and a sentence repeated this often."""

    def show(length: int = 1, **tab: Any) -> Page:
        path = tmp_path / f"{length}.html"
        path.write_text(to_html("alignment", data(four(length), sentence="the red red table")), encoding="utf-8")
        page = new_page(**tab)
        page.goto(path.as_uri())
        drawn(page, ".panel")
        return page

    return show


@pytest.mark.parametrize(("width", "across"), [(1280, 4), (800, 2), (390, 4)])
def test_panels_stand_side_by_side_where_they_fit(opened: Open, width: int, across: int) -> None:
    page = opened(viewport={"width": width, "height": 720})
    # A phone shows one; the others are a swipe away.
    tops = [box["y"] for box in (p.bounding_box() for p in page.locator(".panel").all()) if box]
    assert tops.count(tops[0]) == across
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width


OVERLAPS = """figure => {
  const axis = name => [...figure.querySelectorAll(`g[data-${name}]`)].map(g => g.querySelector('text'));
  const cell = figure.querySelector('svg.body').clientHeight / figure.querySelectorAll('g[data-row]').length;
  const rows = axis('row').map(text => text.getBoundingClientRect());
  const tall = rows.some((box, i) => i && box.top < rows[i - 1].top + cell * 0.9);
  const heads = axis('column').map(text => ({ high: text.getBBox().height, g: text.parentNode.getCTM() }));
  const pitch = heads.slice(1).map((head, i) => Math.abs((head.g.e - heads[i].g.e) * head.g.b));
  const clipped = axis('row').some(text => text.getBBox().x < 0) || axis('column').some(text => {
    const box = text.getBoundingClientRect();
    const frame = text.ownerSVGElement.getBoundingClientRect();
    return box.top < frame.top - 1 || box.right > frame.right + 1;
  });
  const size = parseFloat(axis('column')[0].getAttribute('font-size'));
  return JSON.stringify({ cell, tall, clipped, pitch: Math.min(...pitch), size });
}"""


def test_a_long_sentence_scrolls_and_its_labels_stay_apart(opened: Open) -> None:
    page = opened(8)
    figure = page.locator('[data-panel="1"]')
    found = json.loads(figure.evaluate(OVERLAPS))
    assert 14 <= found["cell"] < 14.1 and not found["tall"] and not found["clipped"]
    assert found["pitch"] >= found["size"]
    scroll = figure.locator(".scroll")
    assert scroll.evaluate("node => node.scrollWidth > node.clientWidth"), "sideways in itself"
    assert scroll.evaluate("node => node.scrollHeight <= node.clientHeight"), "all rows, down with the page"
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    goes_on(scroll, "right")
    goes_on(scroll, "below", False)
    scroll.evaluate("node => { node.scrollLeft = node.scrollWidth; }")
    goes_on(scroll, "right", False)
    goes_on(opened().locator('[data-panel="1"] .scroll'), "right", False)


def test_the_vector_of_a_long_sentence_is_seen_at_first_sight(opened: Open) -> None:
    page = opened(8)
    figure = page.locator('[data-panel="0"]')
    legend = figure.locator("text", has_text="32 numbers")
    foot = (page.locator(".foot").bounding_box() or {})["y"]
    for node in (legend, figure.locator("rect[data-value]").first, figure.locator("rect[data-value]").last):
        box = node.bounding_box() or {}
        assert box["y"] + box["height"] < min(foot, 720)
    expect(legend).to_be_in_viewport()


def test_the_dark_theme_starts_its_scale_at_a_dark_background(opened: Open) -> None:
    page = opened(color_scheme="dark")
    low = page.locator('[data-panel="1"] [data-cell="1,0"]').get_attribute("fill") or ""
    assert max(int(v) for v in low[4:-1].split(",")) < 60


HOVER = """async figure => {
  const rows = [...figure.querySelectorAll('g[data-row] text')];
  for (let i = 0; i < 40; i += 1) {
    const move = new PointerEvent('pointermove', { bubbles: true, composed: true, pointerType: 'mouse' });
    rows[i % rows.length].dispatchEvent(move);
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  }
}"""


@pytest.mark.parametrize("length", [1, 8])
def test_pointing_lays_out_once_a_frame(opened: Open, length: int) -> None:
    page = opened(length)
    assert layouts(page, lambda: page.locator('[data-panel="1"]').evaluate(HOVER)) <= 40 + 5


def test_the_caption_covers_no_ribbon(opened: Open) -> None:
    page = opened(8)
    fold = page.locator(".fold").first
    fold.locator("summary").click()
    fold.get_by_role("button", name="Ribbons", exact=True).click()
    fold.locator("summary").click()
    foot = page.locator(".foot").bounding_box()
    for figure in page.locator("svg.ribbons").all():
        box = figure.locator("..").bounding_box()  # it may scroll inside
        assert foot and box and box["y"] + box["height"] <= foot["y"] + 1
