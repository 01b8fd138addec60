"""The alignment component in a browser: saved files, narrow screens, long sentences, a dark theme, its speed."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.alignment_page import open_at, save
from tests.browser.conftest import choose, layouts


def test_saving_as_svg_png_and_csv(page: Page, alignment: str) -> None:
    open_at(page, alignment)
    root = ET.fromstring(save(page, "SVG"))
    texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0].strip() == "the red red table" and {"No attention", "Additive", "Dot", "Transformer"} <= set(texts)
    assert texts.count("red") == 8 and "<b>" in texts
    assert save(page, "PNG").startswith(b"\x89PNG")
    rows = list(csv.DictReader(io.StringIO(save(page, "CSV").decode("utf-8-sig"))))
    assert sum(row["model"] == "Additive" for row in rows) == 7 * 8
    row = next(row for row in rows if (row["model"], row["target"], row["source"]) == ("Dot", "t", "ta"))
    assert any((row["target"], row["source"]) == ("·able", "·ble") for row in rows), "pieces as in the picture"
    assert float(row["weight"]) == pytest.approx(0.65) and row["caption"] == "log P \u22121.25 · layer 1, head 1"


@pytest.mark.parametrize(("width", "across"), [(1280, 4), (800, 2), (390, 1)])
def test_panels_stand_side_by_side_where_they_fit(
    new_page: Callable[..., Page], alignment: str, width: int, across: int
) -> None:
    page = open_at(new_page(viewport={"width": width, "height": 720}), alignment)
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


def test_a_long_sentence_scrolls_and_its_labels_stay_apart(page: Page, alignment: str) -> None:
    open_at(page, f"{alignment}/?case=long")
    figure = page.locator('[data-panel="1"]')
    found = json.loads(figure.evaluate(OVERLAPS))
    assert 14 <= found["cell"] < 14.1 and not found["tall"] and not found["clipped"]
    assert found["pitch"] >= found["size"]
    scroll = figure.locator(".scroll")
    assert scroll.evaluate("node => node.scrollWidth > node.clientWidth"), "sideways in itself"
    assert scroll.evaluate("node => node.scrollHeight <= node.clientHeight"), "all rows, down with the page"
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    edge = scroll.locator(".edge")
    expect(edge).to_have_css("opacity", "1")  # a shadow over what is cut on the right
    scroll.evaluate("node => { node.scrollLeft = node.scrollWidth; }")
    expect(edge).to_have_css("opacity", "0")
    open_at(page, alignment)
    expect(page.locator('[data-panel="1"] .edge')).to_have_css("opacity", "0")


def test_the_vector_of_a_long_sentence_is_seen_at_first_sight(page: Page, alignment: str) -> None:
    open_at(page, f"{alignment}/?case=long")
    figure = page.locator('[data-panel="0"]')
    legend = figure.locator("text", has_text="32 numbers")
    foot = (page.locator(".foot").bounding_box() or {})["y"]
    for node in (legend, figure.locator("rect[data-value]").first, figure.locator("rect[data-value]").last):
        box = node.bounding_box() or {}
        assert box["y"] + box["height"] < min(foot, 720)
    expect(legend).to_be_in_viewport()


def test_words_of_mandarin_are_said_to_be_pieces(page: Page, alignment: str) -> None:
    said = "Mandarin has no spaces between words: there a segmenter (jieba) says where a word ends."
    open_at(page, f"{alignment}/?case=chinese&pick-view=words")
    expect(page.locator(".note")).to_contain_text(said)
    choose(page, "Pieces")
    expect(page.locator(".note")).not_to_contain_text(said)
    open_at(page, f"{alignment}/?pick-view=words")
    expect(page.locator(".note")).to_contain_text("Pieces are merged to words")
    expect(page.locator(".note")).not_to_contain_text(said)


def test_chinese_words_among_leaning_labels_are_written_downwards(page: Page, alignment: str) -> None:
    open_at(page, f"{alignment}/?case=chinese")
    columns = page.locator('[data-panel="0"] g[data-column]')
    upright = [columns.nth(i).get_attribute("transform") is None for i in range(columns.count())]
    assert upright == [True, True, True, True, False, False]  # the blank before them too
    heights = (columns.nth(1).locator("text").get_attribute("y") or "").split()
    assert len(heights) == 3 and list(map(float, heights)) == sorted(map(float, heights))
    boxes = (
        "all => all.map(g => { const b = g.querySelector('text').getBoundingClientRect(); return [b.left, b.right]; })"
    )
    places = columns.evaluate_all(boxes)
    assert all(left[1] <= right[0] + 1 for left, right in zip(places[1:3], places[2:4], strict=True))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SVG").click()
    assert "长颈鹿" in Path(download.value.path()).read_text(encoding="utf-8")


def test_the_dark_theme_starts_its_scale_at_a_dark_background(new_page: Callable[..., Page], alignment: str) -> None:
    page = open_at(new_page(color_scheme="dark"), alignment)
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


@pytest.mark.parametrize("case", ["four", "long"])
def test_pointing_lays_out_once_a_frame(page: Page, alignment: str, case: str) -> None:
    open_at(page, f"{alignment}/?case={case}")
    assert layouts(page, lambda: page.locator('[data-panel="1"]').evaluate(HOVER)) <= 40 + 5
