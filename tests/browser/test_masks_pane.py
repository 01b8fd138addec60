"""The pane of masks in Chromium: another head without the server, which the other panes then show too."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, drawn, goes_on, visit


def test_another_head_is_shown_at_once_and_kept(page: Page, app: str) -> None:
    visit(page, f"{app}/transformer?pane=batch&text=a+red+dog", ".masks .matrices .body")
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
    addressed(page, "batch-row=2")
    assert page.evaluate("window.runs") == runs, "no run of the page"
    expect(page.locator(".masks .unseen table")).to_have_count(6)

    # Another head and, at the same moment, another pane, whose run does not know about the head.
    page.locator(".masks .head button").first.evaluate(
        """button => {
          button.click();
          [...document.querySelectorAll('[role="radio"]')].find((tab) => tab.textContent === "All heads").click();
        }"""
    )
    drawn(page, ".heads .thumbs .thumb")
    expect(page.locator(".panel h3, .panel h4").first).to_contain_text("head 1")
    addressed(page, "head=encoder.1.1")
    expect(page).to_have_url(re.compile("batch-row=2"))
    page.get_by_role("button", name="Masks and batches").click()
    drawn(page, ".masks .matrices .body")
    expect(page.locator(".masks .row [aria-pressed=true]")).to_contain_text("2")
    expect(page.locator(".masks .which")).to_contain_text("encoder, layer 1, head 1")


def test_a_long_sentence_fits_on_a_phone_and_much_padding_is_one_column(phone: Page, app: str) -> None:
    visit(phone, f"{app}/transformer?pane=batch&text=We+like+tea+and+the+sea+here.&head=encoder.1.1")
    drawn(phone, ".masks .matrices .body")
    for row in (0, 1):  # the typed sentence, then the shorter one; the longer one has too many pieces here to fit
        button = phone.locator(".masks .row button").nth(row)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        for part in phone.locator(".masks .matrices .scroll").all():
            assert part.evaluate("part => part.scrollWidth <= part.clientWidth + 1"), "nothing is scrolled sideways"
    names = phone.locator(".masks figure.padding [data-column]").all_text_contents()
    joined = [name for name in names if "<pad> ×" in name]
    count = int(re.findall(r"× (\d+)", joined[0])[0])
    assert len(joined) == 1 and count > 3 and not any(name == "<pad>" for name in names)
    expect(phone.locator(".masks .batch")).to_contain_text(f"<pad> × {count}")
    body = phone.locator(".masks figure.unmasked .body")
    rows = phone.locator(".masks figure.unmasked [data-row]").count()
    cell = body.evaluate("body => body.getBoundingClientRect().height - 2") / rows
    body.hover(position={"x": (len(names) - 0.5) * cell, "y": cell / 2})
    expect(phone.locator(".masks .tip")).to_contain_text("all of these together: weight 0.")


def test_the_words_of_a_batch_are_readable_on_a_phone(phone: Page, app: str) -> None:
    visit(phone, f"{app}/transformer?pane=batch&text=My+old+teacher+bought+seven+green+apples.&head=encoder.1.1")
    batch = drawn(phone, ".masks .batch")
    assert batch.evaluate("part => part.scrollWidth > part.clientWidth + 20"), "it scrolls sideways"
    goes_on(batch, "right")
    cells = batch.locator("rect:has(title)")
    assert cells.count() == batch.locator('text:not([text-anchor="end"])').filter(has_not_text="<pad>").count() > 6
    batch.evaluate("part => (part.scrollLeft = part.scrollWidth)")
    goes_on(batch, "right", False)
    phone.wait_for_function("() => document.documentElement.scrollWidth <= 390")
