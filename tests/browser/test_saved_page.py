"""Pictures saved from the app as pages: from disk, without a network, they are identical pixel by pixel."""

import io
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Route

from tests.browser.conftest import drawn, save_as, visit

LARGEST = 400_000  # bytes of a page with four models
HOSTILE = "</script><!-- <b>cat</b>"


def saved(view: Locator, path: Path) -> Path:
    with view.page.expect_download() as download:
        save_as(view, "html")
    download.value.save_as(path)
    return path


def pixels(view: Locator) -> np.ndarray:
    """The picture at a whole pixel of the window, in a font that every machine has: an app's own is its server's."""
    view.evaluate(
        """async (element) => {
          const place = "position: fixed; left: 260px; top: 80px; width: 960px; height: 560px; overflow: hidden";
          element.style.cssText += `; ${place}; background: white; z-index: 9; --st-font: "DejaVu Sans"`;
          // It leads to other pages, which a file cannot.
          for (const foot of element.querySelectorAll(".foot")) foot.style.display = "none";
          await new Promise((done) => setTimeout(done, 400)); // drawn once more, at this width
        }"""
    )
    view.page.mouse.move(0, 0)
    shot = view.page.screenshot(animations="disabled", clip={"x": 260, "y": 80, "width": 960, "height": 560})
    return np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"))


LONG = "She bought a beautiful red dress for the old woman who lives near the school."  # 15 words
PICTURES = {
    "hostile": ("app", f"/?text={quote(HOSTILE)}&pick=1.t1&pick-view=words&beam=2", ".view.alignment"),
    "four models that ship": ("shipped", f"/?text={quote(LONG)}&pick=2.t3", ".view.alignment"),
}


@pytest.mark.parametrize("case", PICTURES)
def test_a_saved_page_is_the_picture_of_the_app(
    request: pytest.FixtureRequest, new_page: Callable[..., Page], tmp_path: Path, case: str
) -> None:
    server, link, selector = PICTURES[case]
    page = new_page()
    view = visit(page, f"{request.getfixturevalue(server)}{link}", selector)
    path = saved(view, tmp_path / "picture.html")
    assert path.stat().st_size < LARGEST
    before = pixels(view)

    file = new_page()
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    file.route("http*://**", refuse)
    file.goto(path.as_uri())
    after = pixels(drawn(file, selector))
    assert asked == []
    file.locator(".saving summary").first.dispatch_event("click")
    file.locator(".save[data-kind='svg']").first.wait_for(state="attached")
    assert file.locator(".save[data-kind='html']").count() == 0, "nobody has the page without data there"
    assert before.shape == after.shape
    assert not (before != after).any(), f"{(before != after).any(2).mean():.2%} of the pixels differ"
