"""The Transformer page in a browser: what is seen beside its heads, on a projector and on a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import drawn, eventually, visit

QUERY = "text=the+small+cat+sees+a+red+house+."


def open_page(page: Page, app: str, query: str = "") -> Page:
    visit(page, f"{app}/transformer?{QUERY}&{query}", ".heads .pane > *")
    drawn(page, '[data-panel="0"] [data-row]')
    return page


@pytest.mark.parametrize("pane", ["grid", "compare", "cell"])
def test_what_heads_off_do_is_seen_on_a_projector(page: Page, shipped: str, pane: str) -> None:
    """With the heads' names, which shipped models have, and below many words."""
    text = "text=She+bought+a+beautiful+red+dress+for+the+old+woman+who+lives+near+the+school."
    visit(page, f"{shipped}/transformer?pane={pane}&off=cross.2.4_cross.1.1_encoder.1.1&{text}")
    drawn(page, '[data-panel="0"] [data-row]')
    expect(page.locator(".effect:not(.waiting)")).to_contain_text("Off: ")

    def above() -> None:
        effect, foot = page.locator(".effect").bounding_box(), page.locator(".foot").bounding_box()
        assert effect and foot and effect["y"] + effect["height"] <= foot["y"] + 1

    eventually(page, above)
    if pane == "grid":
        mean = page.locator('[data-head="1.mean"] .enlarge')
        expect(mean).to_have_attribute("title", "Layer 2, mean of the heads, only those that are on")
    if pane == "compare":  # leaves room for a scroll bar of 15 px, which this browser hides
        expect(page.locator(".compare tbody .link").first).to_contain_text("aligned")
        wide = page.locator(".compare table").evaluate("t => { t.style.width = 'min-content'; return t.offsetWidth; }")
        assert wide + 15 <= page.locator(".compare").evaluate("c => c.clientWidth")


def test_what_scrolls_shows_its_bar(page: Page, app: str) -> None:
    """Streamlit's page has transparent bars, which everything on it inherits."""
    color = "node => getComputedStyle(node).scrollbarColor"
    for pane, places in (("compare", (".compare", ".panel .scroll")), ("cell", (".cell tbody",))):
        open_page(page, app, f"pane={pane}")
        for place in places:
            assert page.locator(place).first.evaluate(color) != "rgba(0, 0, 0, 0) rgba(0, 0, 0, 0)", place


def test_the_matrix_stays_where_it_is_whatever_it_shows(page: Page, app: str) -> None:
    open_page(page, app, "pane=cell&pick=0.t1s2")
    figure = page.locator(".panel .figure")
    before = figure.bounding_box()
    page.get_by_role("button", name="by contribution").click()
    expect(page.locator(".panel .caption")).to_contain_text("1 stands for the longest")
    assert figure.bounding_box() == before
    page.get_by_role("button", name="Encoder self").click()
    expect(page.locator(".panel .figure [data-row]").first).to_be_visible()

    def stays() -> None:
        after = figure.bounding_box()
        assert before and after and after["y"] == before["y"]

    eventually(page, stays)  # it is drawn anew


def test_a_tap_on_a_phone_shows_the_enlarged_head(new_page: Callable[..., Page], app: str) -> None:
    page = open_page(new_page(viewport={"width": 390, "height": 760}, reduced_motion="reduce"), app, "head=cross.1.1")
    page.locator('[data-head="2.1"] .enlarge').click()
    expect(page.locator(".panel h3").first).to_have_text("Layer 3, head 2")
    expect(page.locator(".panel h3").first).to_be_in_viewport()
    tops = """title => [title.getBoundingClientRect().top,
      document.querySelector('[data-testid="stHeader"]').getBoundingClientRect().bottom]"""
    top, bar = page.locator(".panel h3").first.evaluate(tops)
    assert top >= bar > 0, "the bar at the top of the window does not cover the title"
    expect(page.locator('[data-panel="0"] [data-row]').first).to_be_in_viewport()


def test_the_players_slider_gives_way_before_its_words_do(page: Page, app: str) -> None:
    """Text that is a tenth of a pixel too wide ends in an ellipsis, which costs three letters."""
    player = drawn(open_page(page, app), ".stage .player")
    slider, words, room = player.evaluate(
        """player => {
          player.style.width = `${player.getBoundingClientRect().width - 30}px`;
          const [slider, where] = ["input", ".where"].map(part => player.querySelector(part));
          const range = document.createRange();
          range.selectNodeContents(where);
          return [slider, range, where].map(part => part.getBoundingClientRect().width);
        }"""
    )
    assert slider < 6.5 * 16 and 0 < words <= room
