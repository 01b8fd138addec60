"""The turn of a pair of positions in a browser: sliders by key without the server, links, saving, a narrow screen."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import drawn, visit

QUESTION = "?text=a+big+cat&beam=1&section=distance"


@pytest.fixture
def address(app: str) -> str:
    return f"{app}/positions{QUESTION}"


def open_at(page: Page, address: str) -> Page:
    visit(page, address)
    drawn(page, ".rotation .waves")
    return page


def slider(page: Page, name: str) -> Locator:
    return page.locator(f".rotation label.{name} input")


def numbers(page: Page) -> list[float]:
    """Of the second line of the equation: the rotation down its columns, PE(p), PE(p + k); sine before cosine."""
    cells = page.locator(".rotation .equation .line").last.locator(".matrix > span").all_text_contents()
    return [float(cell.replace("\u2212", "-")) for cell in cells]


def test_keys_turn_without_the_server(page: Page, address: str) -> None:
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    open_at(page, f"{address}&i=0&position=1&k=2")
    before = len(sent)
    first = [math.cos(2), -math.sin(2), math.sin(2), math.cos(2), math.sin(1), math.cos(1), math.sin(3), math.cos(3)]
    assert numbers(page) == pytest.approx(first, abs=6e-4)
    a, b, c, d, sine, cosine, *after = numbers(page)
    assert [a * sine + c * cosine, b * sine + d * cosine] == pytest.approx(after, abs=7e-4), "worked out again"
    slider(page, "k").press("ArrowRight")
    assert numbers(page)[-2:] == pytest.approx([math.sin(4), math.cos(4)], abs=6e-4)
    slider(page, "position").press("ArrowRight")
    assert numbers(page)[-4:] == pytest.approx([math.sin(2), math.cos(2), math.sin(5), math.cos(5)], abs=6e-4)
    expect(page.locator(".rotation .says")).to_contain_text("To go 3 further is to turn by kω = 3.0000 radians")
    expect(page.locator(".rotation .circle")).to_have_attribute(
        "aria-label", re.compile("position 2 turns by 3.0000 to")
    )
    slider(page, "i").press("ArrowRight")
    expect(page).to_have_url(re.compile(r"[?&]i=1"))
    assert numbers(page)[-4] != pytest.approx(math.sin(2), abs=1e-3)
    says = page.locator(".rotation .says").inner_text()
    k, angle, rate, length = map(
        float, re.findall(r"To go (\d+) .+ kω = ([\d.]+) .+ω = ([\d.]+): after ([\d.]+)", says, re.S)[0]
    )
    assert k * rate == pytest.approx(angle, abs=6e-4) and 2 * math.pi / rate == pytest.approx(length, abs=0.06)
    assert len(sent) == before


def test_points_stand_on_the_circle_and_on_the_waves(page: Page, address: str) -> None:
    open_at(page, f"{address}&i=2&position=4&k=5")
    size = float(page.locator(".rotation .circle").get_attribute("width") or 0)
    ends = page.locator(".rotation .circle circle[r='6.5']").evaluate_all(
        "all => all.map(c => [+c.attributes.cx.value, +c.attributes.cy.value])"
    )
    *_, sin_p, cos_p, sin_q, cos_q = numbers(page)
    for (x, y), (sin, cos) in zip(ends, ((sin_p, cos_p), (sin_q, cos_q)), strict=True):
        assert (x - size / 2) / (0.36 * size) == pytest.approx(cos, abs=1e-3)
        assert (size / 2 - y) / (0.36 * size) == pytest.approx(sin, abs=1e-3)
    names = page.locator(".rotation .circle text[font-weight]").all_text_contents()
    assert [name.split()[0] for name in names] == ["4", "9"]


def test_a_link_reopens_the_turn(new_page: Callable[..., Page], address: str) -> None:
    first = open_at(new_page(), address)
    slider(first, "position").fill("6")
    slider(first, "k").fill("32")
    expect(first).to_have_url(re.compile("position=6&k=32"))
    second = open_at(new_page(), first.url)
    for part in (".sliders", ".equation", ".says"):
        assert first.locator(f".rotation {part}").inner_text() == second.locator(f".rotation {part}").inner_text()
    paths = "all => all.map(path => path.getAttribute('d'))"
    assert first.locator(".rotation path").evaluate_all(paths) == second.locator(".rotation path").evaluate_all(paths)


@pytest.mark.parametrize(
    ("name", "asked", "said"),
    [
        ("i", "999", "The link asked for i = 999; it can be 0 to"),
        ("k", "0", "The link asks for k '0', which is none of 1, 2, 3"),
        ("position", "<b>", "The link asks for position '<b>'"),
    ],
)
def test_what_a_link_cannot_have_is_said(page: Page, address: str, name: str, asked: str, said: str) -> None:
    open_at(page, f"{address}&{name}={asked}")
    expect(page.get_by_text(said)).to_be_visible()
    expect(page.locator(".rotation label.k output")).to_have_text("3")


def test_saving(page: Page, address: str) -> None:
    open_at(page, f"{address}&i=1")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save CSV: this turn").click()
    rows = list(csv.reader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8-sig"))))
    assert rows[0] == ["position", "token", "dimension 2", "dimension 3"]
    assert len(rows) == 1 + 64
    assert float(rows[1][2]) == 0 and float(rows[1][3]) == 1
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SVG: this turn").click()
    assert "Positional encodings as a turn" in Path(download.value.path()).read_text(encoding="utf-8")


def test_a_phone_has_room(new_page: Callable[..., Page], address: str) -> None:
    page = open_at(new_page(viewport={"width": 390, "height": 844}), f"{address}&position=31&k=32")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    right = page.locator(".rotation svg").evaluate_all(
        "all => Math.max(...all.map(s => s.getBoundingClientRect().right))"
    )
    assert right <= 390
    inside = """all => all.every(text => {
      const [own, outer] = [text, text.ownerSVGElement].map((node) => node.getBoundingClientRect());
      return own.left >= outer.left - 1 && own.right <= outer.right + 1;
    })"""
    assert page.locator(".rotation svg text[font-weight]").evaluate_all(inside)


def test_both_curves_are_named_in_ink_that_can_be_read(page: Page, address: str) -> None:
    """The names of the curves are no fainter than the words of the axis, whose contrast tests/views measures."""
    open_at(page, address)
    waves = page.locator(".rotation .waves")
    quiet = waves.get_by_text("position", exact=True).get_attribute("fill")
    assert quiet and waves.get_by_text("cos", exact=True).get_attribute("fill") == quiet
