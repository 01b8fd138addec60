"""The Transformer's pane of one layer in a browser: a piece, a part off and on again, neighbours of what it says."""

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
    for _ in range(2):  # the same piece again opens the section again
        drawn(page, ".st-key-layer-says .heatmap-label text >> nth=3").click(force=True)
        addressed(page, "vectors=s.")
        expect(page.get_by_role("heading", name="The words as vectors")).to_be_in_viewport()
        page.get_by_role("button", name="Hide the vectors").click()
        not_addressed(page, "vectors")
    page.locator(".st-key-pane-tabs").get_by_text("All heads").click()
    not_addressed(page, "pane")
    drawn(page, ".thumbs .thumb")
