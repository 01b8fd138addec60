"""The Corpus page in a browser: a file is given, translated, and listed in a table whose cells are never executed."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import drawn, eventually, visit


def test_the_table_is_saved_by_our_own_button_alone_and_projected_whole(page: Page, app: str, tmp_path: Path) -> None:
    """Streamlit's download would write a sentence that begins with = as a formula of a spreadsheet."""
    (tmp_path / "pairs.tsv").write_text(
        "the small cat\tle petit chat\na red house\tune maison rouge\n", encoding="utf-8"
    )
    visit(page, f"{app}/corpus")
    page.locator(".st-key-corpus-settings button").first.click()
    page.locator('input[type="file"]').set_input_files(tmp_path / "pairs.tsv")
    translate = page.get_by_role("button", name="Translate 2 sentences")
    translate.wait_for()
    page.keyboard.press("Escape")
    translate.click()
    table = drawn(page, ".st-key-corpus-table [data-testid=stDataFrame]")
    table.hover()
    tools = page.locator(".st-key-corpus-table").get_by_test_id("stElementToolbarButton").get_by_role("button")
    expect(tools.first).to_be_visible()
    labels = tools.evaluate_all("all => all.map((button) => button.getAttribute('aria-label'))")
    assert "Search" in labels and not any("Download" in label for label in labels)
    expect(page.get_by_role("button", name="Save as TSV")).to_be_visible()
    page.keyboard.press("p")

    def within() -> None:
        box = table.bounding_box()
        assert table.evaluate("node => node.currentCSSZoom") > 1
        assert box and 1200 < box["x"] + box["width"] <= 1280

    eventually(page, within)
