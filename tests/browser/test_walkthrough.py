"""The stepper in a browser, on the additive and the dot page: bends, narrow screens."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Motion, addressed, eventually, goes_on, not_addressed, settled, visit

QUESTION = "?text=a+big+cat&beam=2"


@pytest.fixture
def additive(app: str) -> str:
    return f"{app}/additive{QUESTION}"


@pytest.fixture
def dot(app: str) -> str:
    return f"{app}/dot{QUESTION}"


def open_at(page: Page, address: str) -> Page:
    visit(page, address, ".walk .diagram")
    return page


def test_bending_shows_before_and_after_and_can_be_undone(page: Page, additive: str) -> None:
    open_at(page, f"{additive}&decoder-step=2.3")
    words = page.locator(".chip").all_text_contents()
    expect(page.get_by_role("button", name="instead")).to_have_count(0)
    page.locator('[data-source="1"]').click()
    page.get_by_role("button", name="instead").click()
    expect(page.locator(".outcome p").nth(1)).to_contain_text("Before")
    expect(page.locator(".outcome p").nth(2)).to_contain_text("After")
    expect(page.locator(".walk")).to_have_attribute("data-step", "2.3")
    addressed(page, "bend=2.s2.")
    expect(page.locator(".explain .says")).to_contain_text("You have put all weight on")
    values = page.locator("[data-source] > g:nth-of-type(3) text").all_text_contents()
    assert [float(v) for v in values] == [float(i == 1) for i in range(len(values))]
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".outcome")).to_have_count(0)
    expect(page.locator(".chip")).to_have_text(words)
    not_addressed(page, "bend")
    page.get_by_role("button", name="spread it evenly").click()
    expect(page.locator(".outcome .told")).to_contain_text("spread evenly")
    page.get_by_label("Sentence to translate").fill("the old dog")
    page.get_by_label("Sentence to translate").press("Enter")
    expect(page.locator(".outcome")).to_have_count(0)
    settled(page)
    not_addressed(page, "bend")
    expect(page.locator(".walk")).to_have_attribute("data-step", "1.6")


def test_a_click_on_a_number_shows_how_it_is_reckoned(page: Page, additive: str) -> None:
    """Nothing moves when the system asks for less."""
    open_at(page, additive)
    motions: tuple[tuple[Motion, set[str]], ...] = (("reduce", {"0s"}), ("no-preference", {"0.18s"}))
    for motion, seconds in motions:
        page.emulate_media(reduced_motion=motion)
        found = page.locator(".walk .bar").evaluate_all("all => all.map(s => getComputedStyle(s).transitionDuration)")
        assert {part.strip() for text in found for part in text.split(",")} == seconds
    walk, formula = page.locator(".walk"), page.locator(".walk .formula")
    expect(walk).to_have_attribute("data-step", "1.6")
    weight = page.locator('[data-source="1"] > g:nth-of-type(3) text')
    said = weight.text_content() or ""
    weight.click()
    expect(walk).to_have_attribute("data-step", "1.3")
    expect(formula).to_contain_text("exp(")
    expect(formula).to_contain_text(f"= {said}")
    page.locator('[data-source="0"] > g:nth-of-type(2) text').click()
    expect(walk).to_have_attribute("data-step", "1.3")  # it says what of each piece already
    for head, step in (("1", "1.2"), ("5", "1.6"), ("3", "1.4")):
        page.locator(f'.heading[data-head="{head}"] text:last-child').click()
        expect(walk).to_have_attribute("data-step", step)


@pytest.mark.parametrize(("width", "words"), [(390, 24), (800, 3)])
def test_a_narrow_screen_has_room(new_page: Callable[..., Page], dot: str, width: int, words: int) -> None:
    """A long sentence scrolls in its matrix."""
    address = dot.replace("a+big+cat", "+".join(["a", "big", "cat", "and"] * 6)) if words > 3 else dot
    page = open_at(new_page(viewport={"width": width, "height": 844}), f"{address}&decoder-step=2.6")
    page.wait_for_function("most => document.querySelector('[data-testid=stMain]').scrollWidth <= most", arg=width)
    names = page.locator(".diagram .above .heading text:not([text-anchor])")
    assert names.all_text_contents() == ["States", "Scores β", "Weights α", "α · h"]
    boxes = names.evaluate_all("all => all.map(name => name.getBoundingClientRect()).map(b => [b.left, b.right])")
    assert all(one[1] < other[0] for one, other in zip(boxes, boxes[1:], strict=False)), "titles stand apart"
    scrolls = page.locator(".matrix .scroll").evaluate("scroll => scroll.scrollWidth > scroll.clientWidth")
    right = page.locator(".walk svg").evaluate_all("all => Math.max(...all.map(s => s.getBoundingClientRect().right))")
    assert scrolls if words > 3 else right <= width


def test_every_column_of_a_lookup_has_its_name(page: Page, app: str) -> None:
    """Names lean, and the last ones reach beyond the figure."""
    visit(page, f"{app}/additive?text=a+red+cat&lookup=1")
    figure = page.locator(".st-key-figure-lookup-gradient .js-plotly-plot")
    names = figure.locator(".xaxislayer-above text, .xaxislayer-below text")
    expect(names.last).to_have_text("<eos>")
    hidden = "names => names.filter((name) => getComputedStyle(name).display === 'none').length"

    def whole() -> None:
        assert names.evaluate_all(hidden) == 0
        box, around = names.last.bounding_box(), figure.bounding_box()
        assert box and around and box["x"] + box["width"] <= around["x"] + around["width"] + 1

    eventually(page, whole)


def test_rows_out_of_sight_are_hinted_at_until_they_have_been_scrolled_to(page: Page, additive: str) -> None:
    address, _, _query = additive.partition("?")
    open_at(page, f"{address}?text={'a+red+cat+' * 8}")
    rows = page.locator(".rows")
    for top, on in (("0", True), ("rows.scrollHeight", False)):
        rows.evaluate(f"rows => {{ rows.scrollTop = {top}; }}")
        goes_on(rows, "below", on)
