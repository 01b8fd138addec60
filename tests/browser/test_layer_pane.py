"""The Transformer's pane of one layer in a browser: a piece, a part off and on again, neighbours of what it says."""

from __future__ import annotations

import re

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
    page.locator(".st-key-layer-pieces-s").get_by_text("·t").click()  # the last letter of cat
    addressed(page, "piece=s6")
    expect(page.get_by_text("Encoder layer", exact=True)).to_be_visible()
    for _ in range(2):  # the same piece again opens the section again
        drawn(page, ".st-key-layer-says .heatmap-label text >> nth=3").click(force=True)
        addressed(page, "vectors=s.")
        expect(page.get_by_role("heading", name="The words as vectors")).to_be_in_viewport()
        page.get_by_role("button", name="Hide the vectors").click()
        not_addressed(page, "vectors")
    first = page.locator(".st-key-figure-layer-says .figure-cells [tabindex='0']")
    first.focus()
    for key in ("ArrowUp", "ArrowLeft", "ArrowRight", "ArrowDown"):  # at an edge it stays
        page.keyboard.press(key)
    cell = page.locator(".figure-cells [data-place='1,1']")
    expect(cell).to_be_focused()
    expect(cell).to_have_attribute("aria-label", re.compile(r"layer 1 self-attention, 2: .+: \d\.\d{4}"))
    over, plot = cell.bounding_box(), page.locator(".st-key-layer-says .nsewdrag").first.bounding_box()
    assert over and plot and abs(over["y"] - plot["y"] - plot["height"] / 5) < 1, "it lies over the second row"
    page.keyboard.press("Enter")
    addressed(page, f"vectors=s.{cell.get_attribute('data-pick')}")
    expect(page.get_by_role("heading", name="The words as vectors")).to_be_in_viewport()
    page.locator(".st-key-pane-tabs").get_by_text("All heads").click()
    not_addressed(page, "pane")
    drawn(page, ".thumbs .thumb")
