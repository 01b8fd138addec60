"""The Transformer's pane of one layer in a browser: a piece, a part that goes off, before and after, all on again."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, drawn, not_addressed, visit


def test_a_part_of_a_layer_goes_off_and_comes_back(page: Page, app: str) -> None:
    visit(page, f"{app}/transformer?text=a+red+cat&pane=layer&piece=t0&layer=2")
    drawn(page, ".st-key-layer-rows .js-plotly-plot")
    expect(page.get_by_text("After, without")).to_have_count(0)
    switches = page.locator(".st-key-layer-switches")
    switches.get_by_text("feed-forward").click()
    addressed(page, "parts-off=decoder.2.feedforward")
    expect(page.get_by_text("After, without decoder layer 2 feed-forward")).to_be_visible()
    page.get_by_role("button", name="switch all on").click()
    not_addressed(page, "parts-off")
    expect(page.get_by_text("After, without")).to_have_count(0)
    page.locator(".st-key-layer-pieces-s").get_by_text("cat").first.click()
    addressed(page, "piece=s")
    expect(page.get_by_text("Encoder layer", exact=True)).to_be_visible()
    page.locator(".st-key-pane-tabs").get_by_text("All heads").click()
    not_addressed(page, "pane")
    drawn(page, ".thumbs .thumb")
