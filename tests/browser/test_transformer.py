"""The Transformer page in a browser: heads off, layout, another sentence."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, drawn, eventually, settled, visit

QUERY = "text=the+small+cat+sees+a+red+house+."


def open_page(page: Page, app: str, query: str = "") -> Page:
    visit(page, f"{app}/transformer?{QUERY}&{query}", ".heads .pane > *")
    drawn(page, '[data-panel="0"] [data-row]')
    return page


def thumb(page: Page, place: str):
    return page.locator(f'[data-head="{place}"] .enlarge')


def answered(page: Page) -> None:
    """Wait until the server has answered about the heads that are off."""
    page.locator(".effect:not(.waiting)").wait_for()


def test_a_head_is_switched_off_isolated_and_restored(page: Page, app: str) -> None:
    open_page(page, app, "head=cross.1.1")
    expect(page.locator(".effect")).to_contain_text("with all heads on")
    thumb(page, "1.0").click(modifiers=["Shift"])
    expect(page.locator(".panel h3").first).to_have_text("Layer 2, head 1, switched off")  # and enlarged
    expect(thumb(page, "1.0")).to_have_attribute("title", "Layer 2, head 1, switched off")
    addressed(page, "off=cross.2.1")
    answered(page)
    expect(thumb(page, "1.mean")).to_have_attribute("title", "Layer 2, mean of the heads, only those that are on")
    expect(thumb(page, "0.mean")).to_have_attribute("title", "Layer 1, mean of the heads")
    expect(page.locator(".effect")).to_contain_text("Off: cross layer 2 head 1.")
    expect(page.locator(".effect")).to_contain_text("log P goes from")
    assert "off" in (page.locator('[data-head="1.0"]').get_attribute("class") or "")
    page.locator('[data-head="1.0"] [role="switch"]').click()
    answered(page)
    expect(page.locator(".effect")).to_contain_text("with all heads on")
    page.get_by_role("button", name="Switch off all heads of this kind but cross layer 2 head 1").click()
    expect(page.locator(".thumb.off")).to_have_count(3 * 2 - 1)
    answered(page)
    expect(page.locator(".effect")).to_contain_text("Off: 5 heads.")


@pytest.mark.parametrize("pane", ["grid", "compare", "cell"])
def test_what_heads_off_do_is_seen_on_a_projector(page: Page, shipped: str, pane: str) -> None:
    """With the heads' names, which shipped models have, and below many words."""
    text = "text=She+bought+a+beautiful+red+dress+for+the+old+woman+who+lives+near+the+school."
    visit(page, f"{shipped}/transformer?pane={pane}&off=cross.2.4_cross.1.1_encoder.1.1&{text}")
    drawn(page, '[data-panel="0"] [data-row]')
    answered(page)
    expect(page.locator(".effect")).to_contain_text("Off: ")

    def above() -> None:
        effect, foot = page.locator(".effect").bounding_box(), page.locator(".foot").bounding_box()
        assert effect and foot and effect["y"] + effect["height"] <= foot["y"] + 1

    eventually(page, above)
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


def test_another_sentence_keeps_the_head_and_drops_the_pick(page: Page, app: str) -> None:
    open_page(page, app, "head=cross.mean.1&pick=0.t0s5")
    before = page.locator('[data-panel="0"] [data-column]').count()
    box = page.get_by_label("Sentence to translate")
    box.fill("a red dog .")
    box.press("Enter")
    page.wait_for_function("() => location.search.includes('a+red+dog')")
    settled(page)
    expect(page.locator('[data-panel="0"] [data-column]')).not_to_have_count(before)
    expect(page.locator(".panel h3").first).to_have_text("Head 1, mean of the layers")
    expect(page).to_have_url(re.compile("head=cross.mean.1"))
    expect(page).not_to_have_url(re.compile("pick="))


def test_a_tap_on_a_phone_shows_the_enlarged_head(new_page: Callable[..., Page], app: str) -> None:
    page = open_page(new_page(viewport={"width": 390, "height": 760}, reduced_motion="reduce"), app, "head=cross.1.1")
    thumb(page, "2.1").click()
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
