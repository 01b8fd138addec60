"""An order of one's own in a browser: pieces are dragged, or moved by key; the link holds the order."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import eventually, visit

QUESTION = "?text=a+big+cat&beam=1&shuffle=0"


@pytest.fixture
def opened(page: Page, app: str) -> Page:
    visit(page, f"{app}/positions{QUESTION}", ".own-order button")
    return page


def order(page: Page) -> list[str]:
    return page.locator(".own-order button").evaluate_all("all => all.map(chip => chip.dataset.piece)")


def ordered(page: Page, *pieces: str) -> None:
    """Wait until the pieces stand in this order."""

    def check() -> None:
        assert order(page) == [*pieces]

    eventually(page, check)


def test_a_piece_is_dragged_to_another_place(opened: Page) -> None:
    before = order(opened)
    chips = opened.locator(".own-order button")
    last, first = chips.last.bounding_box(), chips.first.bounding_box()
    assert last and first
    opened.mouse.move(last["x"] + 5, last["y"] + 5)
    opened.mouse.down()
    opened.mouse.move(first["x"] + 3, first["y"] + 5, steps=4)
    opened.mouse.up()
    ordered(opened, before[-1], *before[:-1])
    expect(opened).to_have_url(re.compile(rf"[?&]order={len(before)}(&|$)"))
    sentences = opened.get_by_test_id("stText")
    pieces = sentences.first.inner_text().split()
    expect(sentences.nth(1)).to_have_text(" ".join([pieces[-1], *pieces[:-1]]))


def test_arrow_keys_move_a_piece_and_back(opened: Page) -> None:
    before = order(opened)
    opened.locator(".own-order button").first.focus()
    opened.keyboard.press("ArrowRight")
    ordered(opened, before[1], before[0], *before[2:])
    expect(opened).to_have_url(re.compile(r"[?&]order=2(&|$)"))
    expect(opened.locator(".own-order button").nth(1)).to_be_focused()
    opened.keyboard.press("ArrowLeft")
    expect(opened).not_to_have_url(re.compile(r"[?&]order="))
    ordered(opened, *before)
