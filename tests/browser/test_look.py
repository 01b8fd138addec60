"""The row of examples and links on all pages."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import eventually, visit


def middle(element: Locator) -> float:
    box = element.bounding_box()
    assert box
    return box["y"] + box["height"] / 2


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_every_example_is_one_click_away_and_read_whole(
    new_page: Callable[..., Page], app: str, width: int, height: int
) -> None:
    page = new_page({"width": width, "height": height})
    visit(page, f"{app}/beam?model=none")
    page.get_by_role("button", name="Try").click()
    examples = page.get_by_role("menuitem")
    expect(examples).to_have_count(7)

    def whole() -> None:
        for example in examples.all():
            box = example.bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
            assert example.evaluate("item => item.scrollWidth <= item.clientWidth + 1"), "cut at the right"
        sheet = page.get_by_test_id("stMenuButtonBody").bounding_box()
        assert sheet
        if width < 640:
            assert (sheet["x"], sheet["width"]) == (0, width) and abs(sheet["y"] + sheet["height"] - height) < 1

    eventually(page, whole)


def test_the_links_stand_beside_the_title_and_its_letters_are_those_of_pictures(page: Page, app: str) -> None:
    visit(page, f"{app}/beam?truth=un+chat", ".st-key-teacher-forcing .katex .mathnormal")
    page_letter, picture_letter = (
        page.locator(selector).first.evaluate("letter => getComputedStyle(letter).fontFamily.split(',')[0]")
        for selector in (".katex .mathnormal", ".ranking .formula i")
    )
    assert page_letter == picture_letter == "KaTeX_Math"
    link = page.get_by_role("button", name="Copy link")

    def beside() -> None:
        title, last = page.locator("h1").bounding_box(), link.bounding_box()
        assert title and last and abs(middle(link) - middle(page.locator("h1"))) < 20
        assert title["x"] + title["width"] <= last["x"]

    for width in (1280, 900):
        page.set_viewport_size({"width": width, "height": 720})
        eventually(page, beside)


def test_on_a_phone_a_translation_stands_below_its_numbers(phone: Page, app: str) -> None:
    last = visit(phone, f"{app}/beam?widths=shown", ".st-key-rows-widths tr:nth-child(2) td:last-child")
    first = phone.locator(".st-key-rows-widths tr:nth-child(2) td:first-child")

    def below() -> None:
        text, number = last.bounding_box(), first.bounding_box()
        assert text and number and text["width"] > 300 and text["y"] >= number["y"] + number["height"] - 1

    eventually(phone, below)
