"""The guided tour: begun, walked and left; on a phone its link brings the step back, and another sentence keeps it."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, drawn, eventually, not_addressed, visit

Box = dict[str, float]


def box(page: Page, selector: str) -> Box:
    found = page.locator(selector).first.bounding_box()
    assert found
    return dict(found)


def framed(page: Page, selector: str, part: bool = False) -> None:
    """Wait until the frame lies around an element, or a part of it, above the bar and in the window."""

    def check() -> None:
        frame, target, bar = box(page, ".tour-frame"), box(page, selector), box(page, ".tour-bar")
        right, below = frame["x"] + frame["width"], frame["y"] + frame["height"]
        assert frame["y"] >= 0 and below <= bar["y"], "the bar covers what it points at"
        assert target["x"] - 5 <= frame["x"] and right <= target["x"] + target["width"] + 5
        assert target["y"] - 5 <= frame["y"]
        whole = abs(frame["width"] - target["width"] - 8) < 2
        assert whole != part

    expect(page.locator(".tour-frame")).to_be_visible()
    eventually(page, check)


def test_a_tour_is_begun_walked_and_left(new_page: Callable[..., Page], app: str) -> None:
    page = new_page()
    visit(page, app)
    drawn(page, '[data-panel="3"] svg')
    bar = page.locator(".tour-bar")
    expect(bar).to_be_hidden()
    page.get_by_role("button", name="Guided tour").click()
    expect(bar.locator(".tour-count")).to_have_text(re.compile(r"^1 of ([6-9]|10)$"))
    expect(bar.locator(".tour-says")).to_contain_text("“She bought a beautiful red dress.”")
    framed(page, ".st-key-text")
    addressed(page, "tour=1")
    first = bar.locator(".tour-says").inner_text()
    for _step in range(3):
        page.get_by_role("button", name="Next", exact=True).click()
    addressed(page, "tour=4")
    fourth = bar.locator(".tour-says").inner_text()
    weight = re.search(r"At step \d+ Additive wrote “.+”; .*, (\d\.\d\d), lies on “.+”\.", fourth)
    assert weight, fourth
    framed(page, '[data-panel="1"]', part=True)

    link = page.url
    page.get_by_role("button", name="Back", exact=True).click()
    addressed(page, "tour=3")
    page.keyboard.press("ArrowRight")
    addressed(page, "tour=3")
    page.keyboard.press("Escape")
    expect(bar).to_be_hidden()
    expect(page.locator(".tour-frame")).to_be_hidden()
    not_addressed(page, "tour")

    phone = new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    visit(phone, link)
    drawn(phone, '[data-panel="1"] svg')
    says = phone.locator(".tour-says")
    expect(says).to_have_text(fourth)
    framed(phone, '[data-panel="1"]', part=True)
    wide = box(phone, ".tour-bar")
    assert wide["x"] >= 0 and wide["x"] + wide["width"] <= 390 and wide["y"] + wide["height"] <= 844
    sentence = phone.get_by_label("Sentence to translate")
    sentence.fill("My shoes are too small.")
    sentence.press("Enter")
    expect(says).not_to_have_text(fourth)
    expect(says).to_contain_text("Additive wrote")
    addressed(phone, "tour=4")
    phone.get_by_role("button", name="Leave").click()
    expect(says).to_be_hidden()
    assert first != fourth
