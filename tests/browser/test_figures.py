"""Figures of the pages are saved."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.conftest import visit

SENTENCE = "the small cat sees a <b> red house ."


def chart(page: Page, key: str) -> None:
    """Wait until a figure is drawn."""
    page.locator(f".st-key-figure-{key} svg.main-svg, .st-key-figure-{key} svg.marks").first.wait_for()


def save(page: Page, key: str, kind: str) -> tuple[str, str]:
    """The name and the text of what a figure's button saves."""
    with page.expect_download() as download:
        page.locator(f'.st-key-figure-{key} button[data-kind="{kind}"]').click()
    name = download.value.suggested_filename
    return name, download.value.path().read_text(encoding="utf-8", errors="replace")


def test_figures_are_saved_with_a_title(page: Page, app: str) -> None:
    visit(page, f"{app}/no_attention?text={SENTENCE}&beam=1&section=words")
    chart(page, "drops-none")
    name, svg = save(page, "drops-none", "svg")
    assert name.startswith("No-attention-loss-of-log-P-without-each-word") and name.endswith(".svg")
    assert "No attention, loss of" in svg  # and on other lines the rest
    _, csv = save(page, "drops-none", "csv")
    assert csv.lstrip("\ufeff").splitlines()[:2][0] == "word,loss"
    assert [row.split(",")[0] for row in csv.splitlines()[1:4]] == ["the", "small", "cat"]
    _, png = save(page, "drops-none", "png")
    assert "PNG" in png[:10]
