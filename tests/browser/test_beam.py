"""The beam tree in a browser: its layout, what-ifs. Its reranking is tested in tests/views."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Page, expect

from nmtcore.text.vocabulary import Vocab
from nmtcore.views.beam_tree.data import Line, data
from nmtcore.views.html import to_html
from tests.browser.conftest import addressed, drawn, layouts, not_addressed, visit
from tests.pictures.made_up_search import WORDS, search


@pytest.fixture
def tree(tmp_path: Path, new_page: Callable[..., Page]) -> Callable[..., Page]:
    """tree(width, steps, viewport=...) is a tab with the picture of a made-up search, as a file."""

    def show(width: int = 5, steps: int = 15, **tab: Any) -> Page:
        lines = (Line("greedy", "greedy", search(1, steps, seed=8)),)
        sent = data(search(width, steps), cast(Vocab, WORDS), model="Dot", name=f"beam {width}", lines=lines)
        path = tmp_path / "tree.html"
        path.write_text(to_html("beam_tree", sent), encoding="utf-8")
        page = new_page(**tab)
        page.goto(path.as_uri())
        drawn(page, ".tree .frame svg")
        return page

    return show


def open_at(page: Page, address: str) -> Page:
    visit(page, address, ".tree .frame svg")
    return page


def slide(page: Page, label: str, value: float) -> None:
    slider = page.get_by_role("slider", name=label)
    for event in ("input", "change"):
        slider.evaluate(f"(s, v) => {{ s.value = v; s.dispatchEvent(new Event('{event}')); }}", value)


# Boxes of all chips and of the numbers under them, for every step, and the columns' places.
BOXES = """tree => [...tree.querySelectorAll('.frame [data-node]')].flatMap(group =>
  [...group.querySelectorAll('text')].filter(text => text.textContent).map(text => {
    const shape = text.getAttribute('text-anchor') ? [...group.querySelectorAll('rect')].at(-1) : text;
    const box = shape.getBBox();
    return [Number(group.dataset.node), box.x, box.y, box.x + box.width, box.y + box.height];
  }))"""

# How far the numbers of the present step reach out of its frame: at most, in px.
BEYOND = """(tree, step) => {
  const { x, width } = tree.querySelector('.frame .present rect').getBBox();
  const boxes = [...tree.querySelectorAll(`.frame [data-step="${step}"] [data-node] text`)].map(text => text.getBBox());
  return Math.max(...boxes.flatMap(box => [x - box.x, box.x + box.width - x - width]));
}"""

CHIPS = """tree => [...tree.querySelectorAll('.frame [data-step] [data-node]')].map(group => {
  const box = [...group.querySelectorAll('rect')].at(-1);
  return [Number(group.dataset.node), box.getAttribute('x'), box.getAttribute('y')];
})"""


def overlaps(boxes: list[list[float]], slack: float = 1.0) -> list[tuple[float, float]]:
    found = []
    for i, (one, left, top, right, bottom) in enumerate(boxes):
        for other, x, y, end, low in boxes[i + 1 :]:
            if left + slack < end and x + slack < right and top + slack < low and y + slack < bottom:
                found.append((one, other))
    return found


def test_nothing_overlaps_and_columns_stay_while_stepping(tree: Callable[..., Page]) -> None:
    page = tree()
    drawing = page.locator(".tree")
    first = {n: place for n, *place in drawing.evaluate(CHIPS)}
    for step in range(1, 16):
        page.get_by_role("slider", name="Step").evaluate(
            "(s, v) => { s.value = v; s.dispatchEvent(new Event('input')); }", step
        )
        assert overlaps(drawing.evaluate(BOXES)) == [], step
        assert drawing.evaluate(BEYOND, step) < -2, step
        assert {n: place for n, *place in drawing.evaluate(CHIPS)} == first, step
    page.get_by_role("button", name="every step").click()
    assert page.locator(".frame [data-node]").count() >= len(search(5, 15).beam)
    assert overlaps(drawing.evaluate(BOXES)) == []


@pytest.mark.parametrize("dropped", ["step", "all"])
def test_a_wide_and_long_search_is_laid_out_but_a_few_times(tree: Callable[..., Page], dropped: str) -> None:
    page = tree(10, 34)
    page.get_by_role("button", name="hidden").click()
    button = page.get_by_role("button", name={"step": "this step", "all": "every step"}[dropped])
    found = layouts(page, button.click)
    assert page.locator(".frame [data-node]").count() > (2500 if dropped == "all" else 250)
    assert found <= 5, "however many nodes there are"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light")])
def test_it_fits_its_frame(tree: Callable[..., Page], width: int, scheme: str) -> None:
    page = tree(viewport={"width": width, "height": 720}, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".frame").evaluate("f => f.scrollWidth > f.clientWidth")
    assert overlaps(page.locator(".tree").evaluate(BOXES)) == []
    page.locator('.frame [data-fate="kept"]').nth(2).click()
    box = page.locator(".card").bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= width


def test_click_a_node_see_the_new_branch_and_undo_it(new_page: Callable[..., Page], app: str) -> None:
    page = open_at(new_page(), f"{app}/beam?text=a+red+cat&model=dot")
    stamp = page.locator(".tree").get_attribute("data-stamp") or ""
    before = page.locator('.lines [data-line="winner"] .text').inner_text()
    page.get_by_role("button", name="First step").click()  # later steps are hidden
    page.get_by_role("button", name="Step forward").click()
    dropped = page.locator('.frame [data-dropped="2"] [data-node]').first
    dropped.click()
    page.get_by_role("button", name="Decode on from").click()
    expect(page.locator(".tree")).not_to_have_attribute("data-stamp", stamp)
    expect(page.locator(".whatif")).to_have_count(1)
    expect(page.locator(".whatif")).to_contain_text("decode on from")
    expect(page).to_have_url(re.compile(r"whatif=on\.\d+-\d+(&|$)"))
    expect(page.locator('.lines [data-line="before"] .text')).to_have_text(before)
    expect(page.locator('.frame [data-step="2"] [data-fate="kept"]')).to_have_count(1)

    other = open_at(new_page(), page.url)
    for said in (".whatif", '.lines [data-line="winner"] .text'):
        expect(other.locator(said)).to_have_text(page.locator(said).inner_text(), use_inner_text=True)

    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".tree")).to_have_attribute("data-stamp", stamp)
    expect(page.locator(".whatif")).to_have_count(0)
    not_addressed(page, "whatif")


def test_an_example_brings_its_own_penalties(new_page: Callable[..., Page], app: str) -> None:
    page = open_at(new_page(), f"{app}/beam?text=a+red+cat&model=dot")
    slide(page, "Length penalty", 2.0)
    addressed(page, "alpha=2")
    page.get_by_role("button", name="Try").click()
    page.get_by_role("menuitem", name="greedy is misled").first.click()
    expect(page.locator(".penalty output").first).to_have_text("0.60")
    not_addressed(page, "alpha")


def test_the_tree_stays_where_it_is_while_a_penalty_moves(new_page: Callable[..., Page], app: str) -> None:
    """On a phone the verdict on another winner has another number of lines."""
    page = open_at(new_page({"width": 390, "height": 844}), f"{app}/beam?text=a+red+cat&model=dot")
    frame, places = page.locator(".tree .frame"), set()
    for alpha in (0.0, 0.6, 1.0, 2.0):
        slide(page, "Length penalty", alpha)
        places.add(frame.evaluate("frame => frame.getBoundingClientRect().top"))
    assert len(places) == 1
    # Another winner would be said in more lines or fewer.
    lines = page.locator(".tree .verdict").evaluate("v => [v.offsetHeight, parseFloat(v.style.minHeight)]")
    assert lines[0] == lines[1]


def test_the_verdict_and_the_way_to_the_constraints_are_on_the_first_screen(page: Page, app: str) -> None:
    open_at(page, f"{app}/beam?text=a+red+cat&model=dot")
    expect(page.locator(".tree .verdict")).to_contain_text("Greedy")
    expect(page.locator(".tree .verdict")).to_be_in_viewport(ratio=1)
    slide(page, "Length penalty", 2.0)
    addressed(page, "alpha=2")
    page.get_by_label("Sentence to translate").fill("a dog")  # without Enter
    box = page.get_by_label("Words that the translation must contain")
    expect(box).not_to_be_in_viewport()
    page.get_by_role("link", name="force a word").click()
    expect(box).to_be_in_viewport()
    expect(page.get_by_label("First words of the translation")).to_be_focused()
    addressed(page, "text=a+dog")
    addressed(page, "alpha=2")
    assert "#" not in page.url
