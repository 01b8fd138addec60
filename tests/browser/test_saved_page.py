"""A picture saved from the app as a page: from the disk, without a network, it is the same to the pixel."""

import io
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import numpy as np
from PIL import Image
from playwright.sync_api import Locator, Page, Route

from tests.browser.conftest import drawn, save_as, visit

LARGEST = 400_000  # bytes of a page with four models
HOSTILE = "</script><!-- <b>cat</b>"


def saved(page: Page, path: Path) -> Path:
    with page.expect_download() as download:
        save_as(page, "html")
    download.value.save_as(path)
    return path


def pixels(view: Locator) -> np.ndarray:
    """The picture at a whole pixel of the window, in a font that every machine has: an app's own is its server's."""
    view.evaluate(
        """async (element) => {
          const place = "position: fixed; left: 260px; top: 80px; width: 960px; height: 560px; overflow: hidden";
          element.style.cssText += `; ${place}; background: white; z-index: 9; --st-font: "DejaVu Sans"`;
          element.querySelector(".foot").style.display = "none"; // it leads to other pages, which a file cannot
          await new Promise((done) => setTimeout(done, 400)); // drawn once more, at this width
        }"""
    )
    view.page.mouse.move(0, 0)
    shot = view.page.screenshot(animations="disabled", clip={"x": 260, "y": 80, "width": 960, "height": 560})
    return np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"))


def test_a_saved_page_is_the_picture_of_the_app(app: str, new_page: Callable[..., Page], tmp_path: Path) -> None:
    page = new_page()
    visit(page, f"{app}/?text={quote(HOSTILE)}&pick=1.t1&pick-view=words&beam=2")
    view = drawn(page, ".view.alignment")
    path = saved(page, tmp_path / "picture.html")
    assert path.stat().st_size < LARGEST
    before = pixels(view)

    file = new_page()
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    file.route("http*://**", refuse)
    file.goto(path.as_uri())
    after = pixels(drawn(file, ".view.alignment"))
    assert asked == []
    file.locator(".saving summary").dispatch_event("click")
    file.locator(".save[data-kind='svg']").wait_for(state="attached")
    assert file.locator(".save[data-kind='html']").count() == 0, "nobody has the page without data there"
    assert before.shape == after.shape
    assert not (before != after).any(), f"{(before != after).any(2).mean():.2%} of the pixels differ"
