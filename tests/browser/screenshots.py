"""Screenshots of every page for README, light, 1280 x 720: `make screenshots` writes them to docs/."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from nmtcore.runs import run_folder
from tests.browser.conftest import FLAGS, ROOT, Server, chromium, visit

# The address of each page, at a place that shows what it is for.
PAGES = {
    "translate": "?pick-step=6",
    "no_attention": "no_attention?step=6",
    "additive": "additive?step=6.6",
    "dot": "dot?step=6.6",
    "transformer": "transformer",
    "layer": "transformer?pane=layer&layer=2",
    "masks": "transformer?pane=batch&row=2",
    "positions": "positions",
    "beam": "beam",
    "finetune": "finetune",
    "architectures": "architectures",
}
LOWER = {"layer": 230, "masks": 220}  # px that a page is scrolled, so that the picture is in the middle
SETTLE = 6000  # ms after the script has run: figures draw themselves in the browser
TRAINING = 300_000  # ms


def main() -> None:
    folder = ROOT / "docs"
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as runs:
        os.environ["ALIGNMENT_LAB_RUNS"] = runs
        with Server(ROOT / "app.py") as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
            page.set_default_timeout(120_000)
            for name, place in PAGES.items():
                visit(page, f"{address}/{place}")
                page.wait_for_timeout(SETTLE)
                if name == "finetune":
                    train(page, Path(runs))
                if name in LOWER:
                    page.mouse.move(640, 400)
                    page.mouse.wheel(0, LOWER[name])
                    page.wait_for_timeout(1000)
                keep(page.screenshot(), folder / f"{name}.png")
            browser.close()


def keep(screenshot: bytes, path: Path) -> None:
    """Write it with 256 colours, none far from what it was: a third of the size."""
    picture = Image.open(io.BytesIO(screenshot)).convert("RGB")
    few = picture.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=4, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def train(page: Page, runs: Path) -> None:
    """Run the exercise that the page opens with to its end."""
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name="Save under a name").wait_for(timeout=TRAINING)
    while any(run.alive() for run in run_folder.runs(runs)):
        page.wait_for_timeout(500)
    page.wait_for_timeout(SETTLE)


if __name__ == "__main__":
    main()
