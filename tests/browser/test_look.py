"""The row of examples and links that is on all pages."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import drawn, lettered, visit

NAMES = ".st-key-offered-examples [data-testid='stTooltipHoverTarget'] button"  # Streamlit hides another of each


def middle(element: Locator) -> float:
    box = element.bounding_box()
    assert box
    return box["y"] + box["height"] / 2


def test_the_model_with_most_examples_has_them_in_one_line_with_the_links(page: Page, app: str) -> None:
    visit(page, f"{app}/beam?model=none")
    names = page.locator(NAMES)
    expect(names).to_have_count(7)
    link = drawn(page, "button:text-is('copy link')")
    lettered(page)
    first = middle(names.first)
    for name in (*names.all()[1:], page.locator(".st-key-page-links [data-testid='stPopover']"), link):
        assert abs(middle(name) - first) < 6, f"{name.inner_text()} is on another line"


def test_links_have_their_line_where_examples_fill_several(new_page: Callable[..., Page], app: str) -> None:
    page = new_page({"width": 900, "height": 720})
    visit(page, f"{app}/beam?model=none")
    names = page.locator(NAMES)
    link = drawn(page, "button:text-is('copy link')")
    lettered(page)
    assert middle(names.last) > middle(names.first) + 10, "the window is not narrow enough"
    assert abs(middle(link) - middle(names.first)) < 6


def test_formulas_of_a_picture_have_the_letters_of_those_of_the_page(page: Page, app: str) -> None:
    visit(page, f"{app}/beam?truth=un+chat")
    drawn(page, ".st-key-teacher-forcing .katex .mathnormal")
    page_letter, picture_letter = (
        page.locator(selector).first.evaluate("letter => getComputedStyle(letter).fontFamily.split(',')[0]")
        for selector in (".katex .mathnormal", ".ranking .formula i")
    )
    assert page_letter == picture_letter == "KaTeX_Math"


def test_on_a_phone_a_translation_stands_below_its_numbers(new_page: Callable[..., Page], app: str) -> None:
    page = new_page({"width": 390, "height": 844})
    visit(page, f"{app}/beam?widths=shown")
    text = drawn(page, ".st-key-rows-widths tr:nth-child(2) td:last-child").bounding_box()
    number = page.locator(".st-key-rows-widths tr:nth-child(2) td:first-child").bounding_box()
    assert text and number and text["width"] > 300 and text["y"] >= number["y"] + number["height"] - 1
