"""The pane of masks in Chromium: another head without the server, which learns of it when somebody turns away."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, drawn, eventually, settled, visit


def test_another_head_is_shown_at_once_and_kept(page: Page, app: str) -> None:
    visit(page, f"{app}/transformer?pane=batch&text=a+red+dog")
    drawn(page, ".masks .matrices .body")
    weights = page.locator(".masks figure.weights .body")
    before = weights.inner_html()
    runs = page.evaluate(
        """() => {
          window.runs = 0;
          const app = document.querySelector('[data-testid="stApp"]');
          new MutationObserver(() => (window.runs += 1)).observe(app, { attributeFilter: ["data-test-script-state"] });
          return window.runs;
        }"""
    )
    page.locator(".masks .head button").nth(1).click()
    addressed(page, "head=decoder.1.2")
    assert weights.inner_html() != before
    page.locator(".masks .kind button").filter(has_text="encoder").click()
    addressed(page, "head=encoder.1.2")
    expect(page.locator(".masks figure.future figcaption")).to_contain_text("no future mask")
    page.locator(".masks .row button").nth(1).click()
    addressed(page, "row=2")
    assert page.evaluate("window.runs") == runs, "no run of the page"
    expect(page.locator(".masks .unseen table")).to_have_count(6)

    page.mouse.move(5, 5)  # away from the picture: now the server learns of it
    eventually(page, lambda: expect_runs(page, 2))
    settled(page)
    page.get_by_role("radio", name="All heads").click()
    drawn(page, ".heads")
    addressed(page, "head=encoder.1.2")
    expect(page).to_have_url(re.compile("row=2"))


def expect_runs(page: Page, count: int) -> None:
    """A run of the page begins and ends: two changes of its state."""
    assert page.evaluate("window.runs") >= count


def test_pointing_says_the_numbers_of_a_cell(page: Page, app: str) -> None:
    visit(page, f"{app}/transformer?pane=batch&text=a+red+dog&head=decoder.1.1")
    drawn(page, ".masks figure.allowed .body").hover(position={"x": 10, "y": 10})
    tip = page.locator(".masks .tip")
    expect(tip).to_contain_text("<sos> → <sos>: 1 × 1 = 1")
    expect(tip).to_contain_text("and 1.0000 with them")
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
