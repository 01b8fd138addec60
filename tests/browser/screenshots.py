"""Screenshots of every page, light, 1280 x 720, and of every picture: `make screenshots` writes them to docs/."""

import io
import os
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import nmtcore as nmt
from nmtcore.config import CORE
from nmtcore.runs import run_folder
from tests.browser.conftest import FLAGS, ROOT, Server, chromium, visit

# The address of each page, at a place that shows its purpose.
PAGES = {
    "translate": "?pick-step=6",
    "no_attention": "no_attention?decoder-step=6",
    "additive": "additive?decoder-step=6.6",
    "dot": "dot?decoder-step=6.6",
    "transformer": "transformer",
    "layer": "transformer?pane=layer&layer=2",
    "masks": "transformer?pane=batch&batch-row=2",
    "positions": "positions",
    "beam": "beam",
    "finetune": "finetune",
    "architectures": "architectures",
}
SENTENCE = "She bought a beautiful red dress."
# The model and the options of each picture in docs/pictures.md.
PICTURES = {
    "alignment": ("en-fr/dot", {}),
    "heads": ("en-fr/transformer", {}),
    "walkthrough": ("en-fr/additive", {}),
    "beam_tree": ("en-fr/dot", {"beam": 4}),
    "context_vector": ("en-fr/none", {}),
    "layer": ("en-fr/transformer", {}),
    "masks": ("en-fr/transformer", {}),
    "mask_predict": ("en-fr/mask-predict", {}),
    "embeddings": ("en-fr/dot", {}),
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
            draw_pictures(page, folder / "pictures")
            browser.close()


def draw_pictures(page: Page, folder: Path) -> None:
    """Every picture for notebooks and files, as wide as a notebook."""
    drawn = {name: nmt.show(model, SENTENCE, name, **options) for name, (model, options) in PICTURES.items()}
    four = [nmt.translate(f"en-fr/{architecture}", SENTENCE) for architecture in CORE]
    drawn["compare"] = nmt.views.compare(four)
    weights = [[0.1, 0.8, 0.1, 0], [0.7, 0.1, 0.1, 0.1], [0.05, 0.05, 0.2, 0.7]]
    drawn["matrix"] = nmt.views.matrix(weights, ["il", "pleut", "."], ["it", "rains", "today", "."])
    page.set_viewport_size({"width": 1000, "height": 600})
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as files:
        for name, picture in drawn.items():
            page.goto(picture.save(Path(files) / f"{name}.html").as_uri())
            page.wait_for_timeout(1000)
            keep(page.screenshot(full_page=True), folder / f"{name}.png")


def keep(screenshot: bytes, path: Path) -> None:
    """Write it with 256 colours, each close to the original: a third of the size."""
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
