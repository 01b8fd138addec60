"""What each design costs: the Architectures page's table as Markdown, and a picture of its charts of time by length.

    python -m tests.benchmarks.architectures [--picture docs/lengths.png]

With them come the sentences about where the lines cross. All is read from the page, in headless Chromium, for the
sentence that it opens with and on this machine.
"""

from playwright.sync_api import Page

from tests.benchmarks.machine import headless, machine, options
from tests.browser.conftest import Server, visit
from tests.browser.screenshots import SETTLE, keep
from tests.paths import ROOT

PATIENCE = 300_000  # ms for all measurements
TIMED = "() => !(document.querySelector('.costs')?.textContent ?? '…').includes('…')"  # no time is missing
# For every row of the table's head and body: its cells' texts, with small type after a space.
ROWS = "rows => rows.map(row => [...row.cells].map(cell => [...cell.childNodes].map(n => n.textContent).join(' ')))"


def table(page: Page) -> str:
    """The table of costs as Markdown."""
    costs = page.locator(".costs table")
    (head,) = costs.locator("thead tr:not(.group)").evaluate_all(ROWS)
    body = costs.locator("tbody tr").evaluate_all(ROWS)
    rows = [["model", *head[1:]], ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> None:
    picture = options(__doc__, picture=ROOT / "docs" / "lengths.png").picture
    print(f"{machine()}\n")
    with Server(ROOT / "app.py") as address, headless() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
        page.set_default_timeout(PATIENCE)
        for query in ("?text=Two+cats+sleep.", "?text=It+rains+today.", ""):  # the first decodes of a server are slower
            visit(page, f"{address}/architectures{query}")
            page.wait_for_function(TIMED)
            page.wait_for_timeout(SETTLE)
        print(table(page))
        page.get_by_role("button", name="Measure the models").click()
        page.get_by_role("button", name="Measure again").wait_for()
        page.wait_for_timeout(SETTLE)
        says = page.locator(".st-key-time-by-length p").all_inner_texts()
        print("", *(sentence for sentence in says if "measured:" in sentence), sep="\n")
        keep(page.locator(".st-key-time-by-length").screenshot(), picture)


if __name__ == "__main__":
    main()
