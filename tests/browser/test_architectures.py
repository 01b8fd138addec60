"""Architectures in a browser: times are measured on a press, two models stand in the link, a phone has room."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import drawn, visit

QUESTION = "architectures?text=the+small+cat+sees+a+red+house+."


def test_times_are_measured_on_a_press_and_two_models_stand_in_the_link(page: Page, app: str) -> None:
    question = f"{app}/architectures?pair=zh-en&text=红色的房子很大。&left=none"
    visit(page, question)
    expect(page.locator(".costs tbody tr").first).to_contain_text("No attention")
    panels = page.locator(".panels .panel")
    expect(panels).to_have_count(2)
    page.get_by_role("button", name="Measure the models").click()
    for part in ("encode", "decode"):
        expect(page.locator(f".st-key-figure-speed-{part} svg.marks")).to_be_visible()
    expect(page.get_by_text(re.compile("One layer of No attention .* and one of Transformer"))).to_be_visible()
    visit(page, f"{question}&right=dot")
    expect(page.locator(".panels")).to_contain_text("Dot")


def test_on_a_phone_the_table_scrolls_and_the_page_does_not(new_page: Callable[..., Page], app: str) -> None:
    phone = new_page(viewport={"width": 390, "height": 844})
    visit(phone, f"{app}/{QUESTION}")
    table = drawn(phone, ".costs")
    # Figures are drawn after their page, and may be wide until they know its width.
    phone.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollWidth <= 390")
    assert table.evaluate("table => table.scrollWidth > table.clientWidth")
    phone.get_by_text("How did it come to this").click()
    expect(phone.get_by_text("RNNSearch")).to_be_visible()
    tables = phone.locator(".st-key-history table")
    ends = tables.evaluate_all("tables => tables.map(table => table.getBoundingClientRect().right)")
    assert len(ends) == 2 and max(ends) <= 390
