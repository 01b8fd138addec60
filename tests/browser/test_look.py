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
