"""Checks of every page and pane: the content policy, accessibility (axe-core), fit on a phone."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Page, expect

from pages.common.registry import PAGES, PageEntry
from tests.browser.conftest import drawn, eventually, settled, visit

SENTENCE = "the+small+cat+sees+a+big+red+house+and+an+old+dog"
# Parts that a page shows only if the address asks for them.
OPENED = {
    "no_attention": "&lstm=1&vectors=s1",
    "additive": "&lookup=1",
    "dot": "&general=shown",
    "beam": "&widths=shown&truth=un+chat",
    "architectures": "&larger=shown",
}


def options(page: PageEntry, name: str) -> list[str]:
    """The values of a parameter of the page, or none."""
    return [value for one in page.state.parameters().values() if one.name == name for value in one.to_json()["options"]]


# Each page, or each of its panes: the address and the entry.
PLACES = {
    place: page
    for page in PAGES
    for place in [f"{page.name}?pane={pane}" for pane in options(page, "pane")] or [page.name]
}
# Charts on the screen are drawn: those of a section are, once it is shown.
CHARTS = """() => {
  const charts = [...document.querySelectorAll('[data-testid="stVegaLiteChart"], [data-testid="stPlotlyChart"]')];
  return charts.every((chart) => !chart.checkVisibility() || chart.querySelector("svg, canvas"));
}"""
NAMES = "label-content-name-mismatch"  # a rule that axe-core skips by default: a name that differs from its label
# Streamlit's own boxes around a formula and around a figure, which it makes scroll where they are wider than a column.
STREAMLITS = ('class="katex-display"', 'data-testid="stElementContainer"')
# Buttons without words: the small components of a page get theirs after it has run.
UNNAMED = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((e) => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
  const words = (e) => e.textContent.trim() || e.getAttribute("aria-label") || e.getAttribute("title");
  const unnamed = all(document).filter((e) => e.matches("button") && !words(e));
  return unnamed.map((e) => e.getRootNode().host?.parentElement.className ?? e.outerHTML);
}"""
COLORS = ["color-contrast", "link-in-text-block"]  # the rules of axe-core that another theme can break
# axe-core cannot judge the contrast of words in SVG: after a long search it calls each "incomplete", never a violation.
# tests/views/test_contrast.py judges their colours.
PREPARE = """axe.configure({ rules: [{ id: "color-contrast", selector: ":not(svg *)" }] })"""
# Tables for screen readers have thousands of cells, and axe-core examines each; rows after these are made alike.
FEW_ROWS = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((e) => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
  const later = all(document).filter((e) => e.matches(":is(.unseen, .figure-unseen) tbody tr:nth-child(n + 4)"));
  later.forEach((row) => row.remove());
}"""


@pytest.fixture
def broken(page: Page) -> Iterator[list[str]]:
    """What breaks the content policy in the page: Chromium says so in its console."""
    found: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            found.append(message.text)

    page.on("console", listen)
    yield found
    page.remove_listener("console", listen)


def violations(page: Page, rules: list[str] | None = None) -> list[str]:
    """The violations that axe-core finds: the rule, the elements, and the fault of each."""
    options: dict[str, Any] = {"resultTypes": ["violations"], "rules": {NAMES: {"enabled": True}}}
    if rules:
        options["runOnly"] = rules
    page.evaluate(FEW_ROWS)
    found = page.evaluate("options => axe.run(options)", options)["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]} {node['target']} {node['failureSummary'][:300]}"
        for rule in found
        for node in rule["nodes"]
        if not (rule["id"] == "scrollable-region-focusable" and any(part in node["html"] for part in STREAMLITS))
    ]


def unnamed(page: Page) -> None:
    assert page.evaluate(UNNAMED) == []


def accessible(page: Page, rules: list[str] | None = None) -> None:
    """Call it until it passes: while a page is drawn, or fades in, axe-core finds transient faults."""
    assert violations(page, rules) == []


def sections(page: Page, count: int) -> Iterator[None]:
    """Show one section of the page after another: all are there, and its switch shows another without a run."""
    buttons = page.get_by_role("group", name="Sections of this page").get_by_role("button")
    expect(buttons).to_have_count(count)
    for number in range(count):
        buttons.nth(number).click()
        expect(buttons.nth(number)).to_have_attribute("aria-pressed", "true")
        page.wait_for_function(CHARTS)
        yield
    if not count:
        yield


@pytest.mark.parametrize("place", PLACES)
def test_a_page_keeps_the_policy_is_accessible_and_fits_a_phone(
    page: Page, app: str, broken: list[str], place: str
) -> None:
    name, _, query = place.partition("?")
    count = len(options(PLACES[place], "section")) if name != "finetune" else 0  # there only a run has sections
    visit(page, f"{app}/{name}?text={SENTENCE}&beam=2{OPENED.get(name, '')}&{query}")
    drawn(page, '[data-testid="stMain"] :is(svg, td, button):visible')
    page.wait_for_load_state("networkidle")
    settled(page)
    page.evaluate(f"{Axe().axe_script}; {PREPARE}")
    for _section in sections(page, count):
        eventually(page, lambda: unnamed(page))
        eventually(page, lambda: accessible(page))
    start = page.get_by_role("button", name="Start", exact=True)  # on Fine-tune: it has other colours under the pointer
    if name == "finetune":
        start.hover()
        eventually(page, lambda: accessible(page, COLORS))
    assert broken == []
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => getComputedStyle(document.querySelector('.stApp')).colorScheme.includes('dark')")
    for _section in sections(page, count):
        eventually(page, lambda: accessible(page, COLORS))
    if name == "finetune":
        page.mouse.move(0, 0)
        eventually(page, lambda: accessible(page, COLORS))
    page.set_viewport_size({"width": 390, "height": 844})
    for _section in sections(page, count):
        # Figures are drawn after their page, and may be wide until they know its width.
        page.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollWidth <= 390")
    # Where scrollbars take room, unlike here, one of them came and went for ever with figures as wide as the page.
    expect(page.get_by_test_id("stMain")).to_have_css("scrollbar-gutter", "stable")
