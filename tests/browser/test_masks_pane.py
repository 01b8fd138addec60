"""The pane of masks in Chromium: another head without the server, which the other panes then show, too."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, drawn, visit


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

    # In the same instant another head and another pane, whose run knows nothing of the head.
    page.locator(".masks .head button").first.evaluate(
        """button => {
          button.click();
          [...document.querySelectorAll('[role="radio"]')].find((tab) => tab.textContent === "All heads").click();
        }"""
    )
    drawn(page, ".heads .thumbs .thumb")
    expect(page.locator(".panel h3, .panel h4").first).to_contain_text("head 1")
    addressed(page, "head=encoder.1.1")
    expect(page).to_have_url(re.compile("row=2"))
    page.get_by_role("button", name="Masks and batches").click()
    drawn(page, ".masks .matrices .body")
    expect(page.locator(".masks .row [aria-pressed=true]")).to_contain_text("2")
    expect(page.locator(".masks .which")).to_contain_text("encoder, layer 1, head 1")


def test_pointing_says_the_numbers_of_a_cell(page: Page, app: str) -> None:
    visit(page, f"{app}/transformer?pane=batch&text=a+red+dog&head=decoder.1.1")
    drawn(page, ".masks figure.allowed .body").hover(position={"x": 10, "y": 10})
    tip = page.locator(".masks .tip")
    expect(tip).to_contain_text("<sos> → <sos>: 1 × 1 = 1")
    expect(tip).to_contain_text("and 1.0000 with them")
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
