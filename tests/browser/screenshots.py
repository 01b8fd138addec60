"""Screenshots of every page for README, light, 1280 x 720: `make screenshots` writes them to docs/."""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import FLAGS, ROOT, Server, visit

PAGES = ("translate", "no_attention", "additive", "dot", "transformer", "positions", "beam", "finetune")
SETTLE = 6000  # ms after the script has run: figures draw themselves in the browser


def main() -> None:
    folder = ROOT / "docs"
    folder.mkdir(exist_ok=True)
    with Server(ROOT / "app.py") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
        page.set_default_timeout(120_000)
        for name in PAGES:
            visit(page, f"{address}/{'' if name == 'translate' else name}")
            page.wait_for_timeout(SETTLE)
            page.screenshot(path=Path(folder, f"{name}.png"))
        browser.close()


if __name__ == "__main__":
    main()
