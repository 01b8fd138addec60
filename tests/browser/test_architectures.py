"""Architectures in a browser: its table is sorted and rescaled without the server, and fits a phone."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, eventually, visit

QUESTION = "architectures?text=the+small+cat+sees+a+red+house+."


def test_the_table_is_sorted_and_divided_without_the_server(page: Page, app: str) -> None:
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    visit(page, f"{app}/{QUESTION}")
    rows = page.locator(".st-key-cost-table tr[data-code]")
    weights = rows.locator("td:nth-child(2)")
    opening = rows.locator("td:first-child").all_text_contents()
    before, shown = len(sent), weights.all_text_contents()
    page.get_by_label("Sort the models by").select_option(label="weights, millions ↑")
    addressed(page, "sort=weights")
    values = [float(value) for value in weights.evaluate_all("cells => cells.map(cell => cell.dataset.value)")]
    assert values == sorted(values) and len(set(values)) > 2
    page.locator('.st-key-cost-table th[data-column="weights"]').click()
    addressed(page, "sort=-weights")
    expect(page.get_by_label("Sort the models by")).to_have_value("-weights")
    assert weights.first.get_attribute("data-value") == f"{max(values):.6g}"
    page.get_by_label("Figures relative to").select_option("dot")
    addressed(page, "against=dot")
    dot, most = page.locator('.st-key-cost-table tr[data-code="dot"] td').nth(1), max(values)
    own = dot.get_attribute("data-value")
    assert own and dot.text_content() in shown, "its own figures stay"
    expect(weights.first).to_have_text(f"× {most / float(own):.2g}")
    assert len(sent) == before
    link = page.url
    page.locator('.st-key-cost-table th[data-column="weights"]').click()
    page.locator('.st-key-cost-table tr[data-code="dot"] .name').click()
    expect(weights).to_have_text(shown)
    expect(rows.locator("td:first-child")).to_have_text(opening)
    visit(page, link)
    expect(weights.first).to_have_text(f"× {most / float(own):.2g}")


def test_on_a_phone_the_table_scrolls_and_the_page_does_not(phone: Page, app: str) -> None:
    table = visit(phone, f"{app}/{QUESTION}", ".costs")
    # Figures are drawn after their page, and may be wide until they know its width.
    phone.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollWidth <= 390")
    assert table.evaluate("table => table.scrollWidth > table.clientWidth")
    phone.get_by_text("How did we get here").click()
    expect(phone.get_by_text("RNNSearch")).to_be_visible()
    tables = phone.locator(".st-key-history table")
    expect(tables).to_have_count(2)

    def within() -> None:
        assert max(tables.evaluate_all("tables => tables.map(table => table.getBoundingClientRect().right)")) <= 390

    eventually(phone, within)


# Of each underlined word of a translation's last row: whether its line is seen, below that row and above the figure.
LINES = """words => words.flatMap((word) => {
  const { left, right, bottom } = [...word.getClientRects()].at(-1);
  const row = word.closest(".translation").getBoundingClientRect().bottom;
  return bottom > row ? [word.getRootNode().elementFromPoint((left + right) / 2, bottom - 1) === word] : [];
})"""


def test_no_figure_covers_the_lines_under_the_last_row_of_its_translation(page: Page, app: str) -> None:
    visit(page, f"{app}/{QUESTION}&section=two", ".panel .underlined")
    page.locator(".panels").scroll_into_view_if_needed()
    seen = page.locator(".panel .underlined").evaluate_all(LINES)
    assert seen and all(seen)
