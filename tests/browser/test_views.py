"""Every picture in a plain browser, on docs/dev.html: it is drawn, fits a phone, is saved, and keeps its size."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Page

from tests.browser.conftest import SIZE, Scheme, drawn, hosted, layouts, lettered, save_as
from tests.paths import ROOT
from tests.pictures.records import MADE

# Pictures that are stepped by key, and how many steps they have that show as much as the first.
STEPPED = {"alignment": 4, "beam_tree": 5, "context_vector": 3, "walkthrough": 12, "walkthrough-dot": 12}


@pytest.fixture(scope="module")
def static() -> Iterator[str]:
    """The address of docs/dev.html."""
    with hosted(ROOT) as (address, _close):
        yield f"{address}/docs/dev.html"


def open_at(page: Page, address: str) -> Page:
    page.goto(address)
    page.locator("body[data-drawn]").wait_for()
    lettered(page)
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_picture_is_drawn_without_streamlit(new_page: Callable[..., Page], static: str, scheme: Scheme) -> None:
    page, errors = new_page(color_scheme=scheme), list[str]()

    def listen(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            errors.append(message.text)

    page.on("console", listen)
    open_at(page, static)
    page.remove_listener("console", listen)
    assert page.locator("main > section").evaluate_all("all => all.map(one => one.dataset.drawn)") == list(MADE)
    for section in page.locator("main > section").all():
        box = section.locator(".view").bounding_box()
        assert box and box["height"] > 50 and section.locator(".view svg").count(), section.inner_text()
    assert errors == []


@pytest.mark.parametrize("name", MADE)
def test_a_picture_fits_a_phone_and_a_projector_and_is_saved_as_png(
    new_page: Callable[..., Page], static: str, name: str
) -> None:
    page = open_at(new_page(), f"{static}?picture={name}")
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZE["width"]
    with page.expect_download() as download:
        save_as(page, "png")
    saved = Path(download.value.path()).read_bytes()
    assert download.value.suggested_filename.endswith(".png")
    assert saved.startswith(b"\x89PNG") and len(saved) > 2000
    page.set_viewport_size({"width": 390, "height": 720})
    page.wait_for_function("innerWidth === 390 && document.documentElement.scrollWidth <= 390")  # it is drawn anew


@pytest.mark.parametrize("name", STEPPED)
def test_a_picture_keeps_its_size_and_is_laid_out_but_a_few_times_while_it_steps(
    new_page: Callable[..., Page], static: str, name: str
) -> None:
    """Without motion: a growing bar is laid out in each frame, and a busy machine has more frames in a step."""
    page = open_at(new_page(reduced_motion="reduce"), f"{static}?picture={name}")
    view = drawn(page, ".view")
    page.locator(".player .first").first.dispatch_event("click")
    boxes, counts = set(), []
    for _step in range(STEPPED[name]):
        boxes.add(str(view.bounding_box()))
        counts.append(layouts(page, lambda: page.keyboard.press("ArrowRight")))
    assert len(boxes) == 1
    assert max(counts) <= 4, f"{counts}: what is measured after each change is laid out each time"


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_all_thumbnails_have_their_whole_room(new_page: Callable[..., Page], static: str, width: int) -> None:
    page = open_at(new_page({"width": width, "height": 720}), f"{static}?picture=heads")
    grid = drawn(page, ".thumbs").bounding_box()
    last = page.locator(".thumb").last.bounding_box()
    assert grid and last and last["x"] + last["width"] <= grid["x"] + grid["width"]


def test_the_names_of_a_turn_stand_inside_its_picture_on_a_phone(new_page: Callable[..., Page], static: str) -> None:
    page = open_at(new_page({"width": 390, "height": 844}), f"{static}?picture=rotation&position=7&k=4")
    inside = """all => all.length > 2 && all.every(text => {
      const [own, outer] = [text, text.ownerSVGElement].map((node) => node.getBoundingClientRect());
      return own.left >= outer.left - 1 && own.right <= outer.right + 1;
    })"""
    assert page.locator(".rotation svg text[font-weight]").evaluate_all(inside)
