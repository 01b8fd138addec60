"""The alignment component's ribbons in a browser: the strongest links, pointing, saving."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from playwright.sync_api import Page, expect

from tests.browser.alignment_page import lit, open_at, save, shown, token
from tests.browser.conftest import addressed, choose


def test_ribbons_show_the_strongest_links(page: Page, alignment: str) -> None:
    open_at(page, alignment)
    choose(page, "Ribbons")
    # Additive has 0.79 on one source piece of each row: more than 70%. Transformer has 0.51 and 0.07 on each other.
    assert shown(page, 1) == {"0,0", "1,3", "2,1", "3,5", "4,5", "5,6", "6,7"}
    assert len(shown(page, 3)) == 6 * 4  # 0.51 + 3 * 0.07 is the first sum of at least 0.7
    expect(page.locator(".note")).to_contain_text("until 70% of its weight")
    page.locator(".fold summary").first.click()
    page.get_by_label("Which ribbons are shown").select_option("least")
    assert len(shown(page, 3)) == 6  # of at least 10%
    expect(page.locator(".note")).to_contain_text("at least 10%")
    addressed(page, "pick-view=ribbons.least10")
    page.get_by_label("Threshold of the ribbons").fill("5")
    assert len(shown(page, 3)) == 6 * 8
    page.get_by_label("Threshold of the ribbons").fill("60")
    assert len(shown(page, 3)) == 0


def test_the_caption_covers_no_ribbon(page: Page, alignment: str) -> None:
    open_at(page, f"{alignment}/?case=long&pick-view=ribbons")
    foot = page.locator(".foot").bounding_box()
    for figure in page.locator("svg.ribbons").all():
        box = figure.locator("..").bounding_box()  # it may scroll in itself
        assert foot and box and box["y"] + box["height"] <= foot["y"] + 1


def test_pointing_at_a_ribbon_view_dims_all_but_its_links(page: Page, alignment: str) -> None:
    open_at(page, f"{alignment}/?pick-view=ribbons.top100")
    token(page, 1, row=3).hover()
    assert lit(page, 1) == {f"3,{column}" for column in range(8)}
    assert float(page.locator('[data-panel="1"] svg.ribbons > g').first.get_attribute("opacity") or 1) < 0.3
    back = page.locator('[data-panel="1"] [data-column="5"] rect')
    assert back.get_attribute("data-tinted") is not None
    token(page, 1, column=5).hover()
    assert lit(page, 1) == {f"{row},5" for row in range(7)}
    assert page.locator('[data-panel="1"] [data-row="3"] rect').get_attribute("data-tinted") is not None
    token(page, 1, column=5).click()
    page.mouse.move(5, 5)
    assert lit(page, 1) == {f"{row},5" for row in range(7)}, "a click locks"
    token(page, 1, column=5).click()
    page.mouse.move(5, 5)
    assert lit(page, 1) == set()
    assert page.locator('[data-panel="1"] svg.ribbons > g').first.get_attribute("opacity") is None


def test_masked_cells_have_no_ribbon(page: Page, alignment: str) -> None:
    open_at(page, f"{alignment}/?case=causal&pick-view=ribbons.top100")
    assert shown(page, 0) == {"0,0", "1,0", "1,1", "2,0", "2,2"}


def test_ribbons_can_be_saved(page: Page, alignment: str) -> None:
    open_at(page, f"{alignment}/?pick-view=ribbons")
    root = ET.fromstring(save(page, "SVG"))
    paths = [path.get("data-link") for path in root.iter("{http://www.w3.org/2000/svg}path")]
    assert paths.count("1,3") >= 2
