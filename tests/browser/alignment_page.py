"""What the browser tests of the alignment component ask of its page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.browser.conftest import drawn, visit


def open_at(page: Page, address: str) -> Page:
    visit(page, address)
    drawn(page, ".panel")
    return page


def labels(page: Page, panel: int, axis: str) -> list[str]:
    texts = page.locator(f'[data-panel="{panel}"] [data-{axis}] text')
    return [text.strip() for text in texts.all_text_contents()]


def token(page: Page, panel: int, row: int | None = None, column: int | None = None):
    axis, at = ("row", row) if row is not None else ("column", column)
    return page.locator(f'[data-panel="{panel}"] g[data-{axis}="{at}"] text')


def marked(page: Page, panel: int, axis: str = "row") -> list[int]:
    bars = page.locator(f'[data-panel="{panel}"] rect[data-marked-{axis}]')
    return [int(bar.get_attribute(f"data-marked-{axis}") or -1) for bar in bars.all()]


def table(page: Page, panel: int) -> list[list[str]]:
    """The hidden table of one matrix, heads included; it is filled in after the figures."""
    rows = page.locator(".unseen table").nth(panel).locator("tr")
    rows.first.wait_for(state="attached")
    return rows.evaluate_all("rows => rows.map(row => [...row.cells].map(cell => cell.textContent))")


def shown(page: Page, panel: int) -> set[str]:
    groups = page.locator(f'[data-panel="{panel}"] svg.ribbons > g[fill="none"]')
    return set(groups.nth(0).locator("path").evaluate_all("paths => paths.map(path => path.dataset.link)"))


def lit(page: Page, panel: int) -> set[str]:
    groups = page.locator(f'[data-panel="{panel}"] svg.ribbons > g[fill="none"]')
    return set(groups.nth(1).locator("path").evaluate_all("paths => paths.map(path => path.dataset.link)"))


def save(page: Page, kind: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save {kind}").click()
    assert download.value.suggested_filename == f"the-red-red-table.{kind.lower()}"
    return Path(download.value.path()).read_bytes()
