"""The one vector in a browser: keys step without the server, links show the same, cells say what they are."""

from __future__ import annotations

import csv
import io
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, drawn, not_addressed, settled, visit

QUESTION = "?text=the+small+cat+sees+a+<b>+red+house+.&beam=1"


@pytest.fixture
def app(app: str) -> str:
    return f"{app}/no_attention{QUESTION}"


def open_at(page: Page, address: str) -> Page:
    visit(page, address)
    drawn(page, ".context-vector .states")
    return page


def at(page: Page) -> str:
    return page.locator(".context-vector").get_attribute("data-step") or ""


def names_above(page: Page) -> list[str]:
    """Those of what is there so far; the others are faint."""
    names = page.locator(".states [data-column]:not([data-later])")
    return names.evaluate_all("all => all.map(name => name.firstChild.data)")


def test_arrow_keys_step_without_the_server(page: Page, app: str) -> None:
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    open_at(page, app)
    before, opening = len(sent), names_above(page)
    assert at(page) == "1"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert at(page) == "3"
    expect(page).to_have_url(re.compile(r"[?&]step=3\b"))
    assert len(names_above(page)) == len(opening) + 2, "the words written so far have names"
    expect(page.locator(".formulas .letters").last).to_have_text("s3 = f(s2, e(y2))")
    expect(page.locator('.states [font-weight="700"]')).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    assert at(page) == "2"
    page.locator(".player input").focus()
    page.keyboard.press("End")
    steps = page.locator(".player input").get_attribute("max") or ""
    assert at(page) == str(int(steps) + 1)
    page.keyboard.press("Home")
    expect(page).not_to_have_url(re.compile(r"[?&]step="))
    assert len(sent) == before


def test_a_link_shows_the_same_step(new_page: Callable[..., Page], app: str) -> None:
    first = open_at(new_page(), app)
    first.keyboard.press("ArrowRight")
    expect(first).to_have_url(re.compile(r"[?&]step=2\b"))
    second = open_at(new_page(), first.url)
    assert at(second) == at(first) == "2"
    for part in (".where", ".formulas", ".wrote"):
        assert first.locator(part).inner_text() == second.locator(part).inner_text()
    assert names_above(first) == names_above(second)
    assert "<" in "".join(names_above(first)).replace("<eos>", ""), "a typed tag is text"
    first.get_by_role("button", name="What length does").click()
    first.locator(".st-key-clauses button").last.click()  # another run, which shows the clause in a sentence
    expect(first.get_by_test_id("stText").filter(has_text="tired of waiting.").first).to_be_visible()
    settled(first)
    assert at(first) == "2"
    expect(first).to_have_url(re.compile(r"[?&]step=2\b"))


@pytest.mark.parametrize(
    ("step", "place", "says"),
    [
        ("400", ".context-vector .note", "The link asked for 400; it can be 1 to "),
        ("<b>", '[class*="st-key-said-The-link"]', "The link asks for step '<b>'"),
    ],
    ids=["too far", "no number"],
)
def test_a_step_that_is_not_there_is_said(page: Page, app: str, step: str, place: str, says: str) -> None:
    open_at(page, f"{app}&step={step}")
    assert at(page) == "1"
    expect(page.locator(place)).to_contain_text(says)
    expect(page).not_to_have_url(re.compile(r"[?&]step="))


def test_a_cell_says_what_it_is(page: Page, app: str) -> None:
    open_at(page, app)
    image = page.locator(".states image").first
    expect(image).to_be_visible()
    box = image.bounding_box()
    assert box
    page.mouse.move(box["x"] + 3, box["y"] + 1)
    said = f"^“{names_above(page)[0]}”: component 1 of h₁ is \u2212?[01]\\.\\d{{3}}$"
    expect(page.locator(".tip")).to_have_text(re.compile(said))
    page.mouse.move(box["x"] + 3, box["y"] + box["height"] + 30)
    expect(page.locator(".tip")).to_be_hidden()
    page.locator(".context-vector summary").click()
    rows = page.locator(".context-vector table").last.locator("tbody tr")
    expect(rows).to_have_count(len(names_above(page)) + 1)  # and C


def test_saving_as_svg_png_and_csv(page: Page, app: str) -> None:
    open_at(page, f"{app}&step=2")

    def save(kind: str, figure: str) -> tuple[str, bytes]:
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save {kind}: {figure}").click()
        return download.value.suggested_filename, Path(download.value.path()).read_bytes()

    name, svg = save("SVG", "the states")
    assert name.startswith("No-attention-step-2-the-small-cat") and name.endswith(".svg")
    assert len(list(ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}image"))) == 3
    assert save("PNG", "the states")[1].startswith(b"\x89PNG")
    rows = list(csv.reader(io.StringIO(save("CSV", "the states")[1].decode("utf-8-sig"))))
    above = names_above(page)
    assert rows[0][:2] == ["component", f"h₁ {above[0]}"] and "C" in rows[0]
    sources = rows[0][1 : rows[0].index("C")]
    assert [head.partition(" ")[2] for head in sources] == above[: len(sources)], "with their dots"
    assert len(rows[0]) == 2 + page.locator(".states [data-column]").count()
    assert all(abs(float(value)) <= 1 for row in rows[1:] for value in row[1:])
    rows = list(csv.reader(io.StringIO(save("CSV", "The likeliest")[1].decode("utf-8-sig"))))
    assert rows[0] == ["step", "token", "probability"] and rows[1][0] == "1"


def test_it_keeps_its_size_while_it_steps(page: Page, app: str) -> None:
    open_at(page, app)
    boxes = set()
    for _step in range(6):
        boxes.add(str(page.locator(".context-vector").bounding_box()))
        page.keyboard.press("ArrowRight")
    assert len(boxes) == 1


def test_a_phone_has_room(new_page: Callable[..., Page], app: str) -> None:
    phone = open_at(new_page(viewport={"width": 390, "height": 844}), app.replace("house", "house and a " * 12))
    # Figures are drawn after their page, and may be wide until they know its width.
    phone.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollWidth <= 390")
    frame = phone.locator(".context-vector .frame")
    assert frame.evaluate("frame => frame.scrollWidth > frame.clientWidth")
    phone.locator(".player input").focus()
    phone.keyboard.press("End")
    assert frame.evaluate("frame => frame.scrollLeft") > 0, "the step stays in sight"


def test_another_measure_is_there_at_once(new_page: Callable[..., Page], app: str) -> None:
    first = new_page()
    visit(first, f"{app}&section=length")
    growth = {name: f".st-key-figure-growth-{name} svg.marks" for name in ("kept", "likelihood")}
    expect(first.locator(growth["kept"])).to_be_visible()
    expect(first.locator(growth["likelihood"])).to_be_hidden()
    first.locator(".switch").get_by_role("button", name="confidence").click()
    addressed(first, "measure=likelihood")
    second = new_page()
    visit(second, first.url)
    for page in (first, second):
        expect(page.locator(growth["likelihood"])).to_be_visible()
        expect(page.locator(growth["kept"])).to_be_hidden()


def test_a_click_on_a_state_shows_its_gates(page: Page, app: str) -> None:
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    open_at(page, app)
    before = len(sent)
    states = page.locator(".states image").nth(2)  # of the decoder
    box = states.bounding_box()
    steps = int(page.locator(".player input").get_attribute("max") or "") + 1
    assert box and steps > 3
    page.mouse.click(box["x"] + 2.5 * box["width"] / steps, box["y"] + 5)
    assert at(page) == "3"
    expect(page.locator(".gates .letters").last).to_have_text("s3 = (1 \u2212 z) n + z s2")
    sum_shown = page.locator(".gates .number").inner_text().replace("\u2212", "-")
    z, n, again, old, new = map(float, re.findall(r"-?\d\.\d+", sum_shown))
    assert z == again and abs((1 - z) * n + z * old - new) < 0.0052, "who works it out finds the number beside it"
    page.locator(".gates .curves [data-piece='0']").click()
    assert at(page) == "1"
    assert len(sent) == before, "all of it is in the browser"
    heights = set()
    for _step in range(4):
        heights.add(str(page.locator(".gates").bounding_box()))
        page.keyboard.press("ArrowRight")
    assert len(heights) == 1
    with page.expect_download() as download:
        page.get_by_role("button", name="Save CSV: the gates").click()
    rows = list(csv.reader(io.StringIO(Path(download.value.path()).read_bytes().decode("utf-8-sig"))))
    assert [row[2] for row in rows[1:6]] == ["before", "r", "z", "proposal", "after"] and len(rows) == 1 + 5 * steps
    names = page.locator(".states [data-column]").evaluate_all("all => all.map(name => name.firstChild.data)")
    assert [row[1] for row in rows[1::5]] == names[-steps:], "with their dots"


def test_the_gates_of_an_lstm_are_stepped_layer_by_layer(page: Page, app: str) -> None:
    open_at(page, f"{app}&lstm=1")
    gates = drawn(page, ".gates-by-layer .strips")
    picture = page.locator(".gates-by-layer")
    expect(picture.locator(".letters").first).to_have_text("x1 = [e(y0); C1]")
    picture.locator(".player .forward").click()
    picture.locator(".layers button").nth(3).click()
    addressed(page, "lstm-step=2")
    addressed(page, "lstm=4")
    expect(picture.locator(".layers button").nth(3)).to_be_focused()
    expect(picture.locator(".letters").first).to_have_text("x2 = [s2(2) + s2(3); C2]")
    number = r"\(?(\u2212?\d\.\d+)\)?"
    says = picture.locator(".number").inner_text()
    product = re.search(
        rf"{number} · {number} \+ {number} · {number} = {number}, {number} · tanh\({number}\) = {number}", says
    )
    assert product, says
    f, c, i, g, new, o, again, state = (float(part.replace("\u2212", "-")) for part in product.groups())
    assert f * c + i * g == pytest.approx(again, abs=3e-4)  # four digits
    assert new == pytest.approx(again, abs=0.0051)  # two
    assert state == pytest.approx(o * math.tanh(again), abs=0.0053)
    assert at(page) == "1", "the player above stays where it is"
    expect(gates).to_have_attribute("aria-label", re.compile("state of step 2"))
    again_there = page.url
    visit(page, again_there)
    drawn(page, ".gates-by-layer .strips")
    expect(picture).to_have_attribute("data-layer", "4")
    expect(picture).to_have_attribute("data-step", "2")
    page.get_by_role("button", name="Hide the LSTM").click()
    expect(picture).to_have_count(0)
    not_addressed(page, "lstm")
