"""A decode that the alignment component plays in a browser, step by step."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.alignment_page import marked, open_at
from tests.browser.conftest import addressed, not_addressed


def test_a_decode_is_played_without_the_server(page: Page, alignment: str) -> None:
    open_at(page, f"{alignment}/?case=play")
    expect(page.locator(".player .where")).to_have_text("all 7 steps")
    page.get_by_role("button", name="First step").click()
    expect(page.locator(".player .where")).to_have_text("step 1 of 7")
    for panel in (1, 2, 3):
        cells = page.locator(f'[data-panel="{panel}"] [data-cell]')
        assert {cell.split(",")[0] for cell in cells.evaluate_all("c => c.map(x => x.dataset.cell)")} == {"0"}
    assert marked(page, 1) == [0], "the word of the step is marked"
    before = page.locator('[data-panel="1"] .figure, [data-panel="1"]').first.bounding_box()
    page.get_by_role("button", name="Step forward").click()
    slider = page.get_by_label("Step of the decoding")
    slider.focus()
    slider.press("ArrowRight")
    expect(page.locator(".player .where")).to_have_text("step 3 of 7")
    assert [marked(page, panel) for panel in (1, 2, 3)] == [[2], [2], [2]], "each its own third word"
    addressed(page, "pick-step=3")
    assert page.locator('[data-panel="1"]').bounding_box() == before, "stepping does not make the page jump"
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".player .where")).to_have_text("all 7 steps")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.get_by_text("runs 1")).to_be_visible()
    not_addressed(page, "pick-step")


def test_a_link_reopens_the_step_and_one_beyond_the_end_shows_all(page: Page, alignment: str) -> None:
    open_at(page, f"{alignment}/?case=play&pick-step=2")
    expect(page.locator(".player .where")).to_have_text("step 2 of 7")
    open_at(page, f"{alignment}/?case=play&pick-step=70")
    expect(page.locator(".player .where")).to_have_text("all 7 steps")


def test_words_of_the_future_are_not_shown(page: Page, alignment: str) -> None:
    open_at(page, f"{alignment}/?case=causal&pick-step=2")
    unseen = page.locator('[data-panel="0"] g[visibility="hidden"] title')
    assert unseen.all_text_contents() == ["·b", "·b"]  # as a key and as a query
    assert page.locator("[data-cell]").evaluate_all("c => c.map(x => x.dataset.cell)") == ["0,0", "1,0", "1,1"]
    figure = page.locator('[data-panel="0"]')
    figure.press("End")
    assert marked(page, 0) == [1], "keys do not go beyond the step"
