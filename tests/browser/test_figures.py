"""The pages of figures as people use them: step with the keys, save a picture, share the link, read on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, settled, visit

SENTENCE = "the small cat sees a <b> red house ."


@pytest.fixture
def app(serve: Callable[[Path], str], model_folders: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ALIGNMENT_LAB_MODELS", str(model_folders))
    return serve(ROOT / "app.py")


def chart(page: Page, key: str) -> None:
    """Wait until a figure is drawn."""
    page.locator(f".st-key-figure-{key} svg.main-svg, .st-key-figure-{key} svg.marks").first.wait_for()


def save(page: Page, key: str, kind: str) -> tuple[str, str]:
    """The name and the text of what a figure's button saves."""
    with page.expect_download() as download:
        page.locator(f'.st-key-figure-{key} button[data-kind="{kind}"]').click()
    name = download.value.suggested_filename
    return name, download.value.path().read_text(encoding="utf-8", errors="replace")


def names_above(page: Page) -> list[str]:
    return page.locator(".st-key-figure-bottleneck .xtick text").all_text_contents()


def test_a_step_is_drawn_and_its_link_shows_the_same(new_page: Callable[..., Page], app: str) -> None:
    first = new_page()
    visit(first, f"{app}/no_attention?text={SENTENCE}&beam=1")
    chart(first, "bottleneck")
    before = names_above(first)
    handle = first.locator(".st-key-step").get_by_role("slider")
    handle.focus()
    handle.press("ArrowRight")
    first.wait_for_function("location.search.includes('step=2')")
    settled(first)
    expect(first.locator(".st-key-figure-bottleneck .xtick text")).to_have_count(len(before) + 1)
    second = new_page()
    visit(second, first.url)
    chart(second, "bottleneck")
    assert names_above(second) == names_above(first)
    assert "<" in "".join(names_above(first)).replace("<eos>", ""), "a typed tag is text"


def test_figures_are_saved_with_a_title(page: Page, app: str) -> None:
    visit(page, f"{app}/no_attention?text={SENTENCE}&beam=1")
    chart(page, "bottleneck")
    name, svg = save(page, "bottleneck", "svg")
    assert name.startswith("No-attention-step-1-the-small-cat") and name.endswith(".svg")
    assert "No attention, step 1: the small" in svg and "<image" in svg
    chart(page, "drops-none")
    _, csv = save(page, "drops-none", "csv")
    assert csv.lstrip("\ufeff").splitlines()[:2][0] == "word,loss"
    assert [row.split(",")[0] for row in csv.splitlines()[1:4]] == ["the", "small", "cat"]
    _, png = save(page, "candidates", "png")
    assert "PNG" in png[:10]


def test_positions_redraw_and_their_link_shows_the_same(new_page: Callable[..., Page], app: str) -> None:
    first = new_page()
    visit(first, f"{app}/positions?text={SENTENCE}&beam=1&i=3&shuffle=2")
    chart(first, "curves")
    handle = first.locator(".st-key-i").get_by_role("slider")
    handle.focus()
    handle.press("ArrowRight")
    first.wait_for_function("location.search.includes('i=4')")
    settled(first)
    expect(first.locator(".st-key-figure-matrix .annotation-text")).to_have_text("8, 9")
    second = new_page()
    visit(second, first.url)
    chart(second, "circle")
    expect(second.locator(".st-key-figure-matrix .annotation-text")).to_have_text("8, 9")
    assert save(second, "circle", "svg")[1].count("<path") > 4


@pytest.mark.parametrize("path", ["no_attention", "positions"])
def test_a_phone_reads_from_top_to_bottom(new_page: Callable[..., Page], app: str, path: str) -> None:
    phone = new_page(viewport={"width": 390, "height": 844})
    visit(phone, f"{app}/{path}?text={'the small cat ' * 12}&beam=1")
    phone.locator(".st-key-lesson").wait_for()
    chart(phone, "bottleneck" if path == "no_attention" else "curves")
    wide = phone.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= 390, "nothing but a figure scrolls sideways"
