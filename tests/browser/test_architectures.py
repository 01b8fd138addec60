"""Architectures in a browser: times are measured on a press, two models stand in the link, a phone has room."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, drawn, visit

QUESTION = "architectures?text=the+small+cat+sees+a+red+house+."


def test_times_are_measured_on_a_press_and_two_models_stand_in_the_link(page: Page, app: str) -> None:
    question = f"{app}/architectures?pair=zh-en&text=红色的房子很大。&left-model=none"
    visit(page, question)
    expect(page.locator(".costs tbody tr").first).to_contain_text("No attention")
    page.get_by_role("button", name="Compare two").click()
    panels = page.locator(".panels .panel")
    expect(panels).to_have_count(2)
    page.get_by_role("button", name="What length costs").click()
    page.get_by_role("button", name="Measure the models").click()
    for part in ("encode", "decode"):
        expect(page.locator(f".st-key-figure-speed-{part} svg.marks")).to_be_visible()
    expect(page.get_by_text(re.compile("One layer of No attention .* and one of Transformer"))).to_be_visible()
    visit(page, f"{question}&right-model=dot&section=two")
    expect(page.locator(".panels")).to_contain_text("Dot")


def test_the_table_is_sorted_and_divided_without_the_server(page: Page, app: str) -> None:
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    visit(page, f"{app}/{QUESTION}")
    rows = page.locator(".st-key-cost-table tr[data-code]")
    weights = rows.locator("td:nth-child(2)")
    opening = rows.locator("td:first-child").all_text_contents()
    before, shown = len(sent), weights.all_text_contents()
    page.get_by_role("button", name="weights, millions").click()
    addressed(page, "sort=weights")
    values = [float(value) for value in weights.evaluate_all("cells => cells.map(cell => cell.dataset.value)")]
    assert values == sorted(values) and len(set(values)) > 2
    page.get_by_role("button", name="weights, millions").click()
    addressed(page, "sort=-weights")
    assert weights.first.get_attribute("data-value") == f"{max(values):.6g}"
    page.get_by_role("button", name="Dot", exact=True).click()
    addressed(page, "against=dot")
    dot, most = page.locator('.st-key-cost-table tr[data-code="dot"] td').nth(1), max(values)
    own = dot.get_attribute("data-value")
    assert own and dot.text_content() in shown, "its own figures stay"
    expect(weights.first).to_have_text(f"× {most / float(own):.2g}")
    assert len(sent) == before
    link = page.url
    page.get_by_role("button", name="weights, millions").click()
    expect(rows.locator("td:first-child")).to_have_text(opening)
    visit(page, link)
    expect(weights.first).to_have_text(f"× {most / float(own):.2g}")


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
