"""The stepper in a browser, on the additive and the dot page: keys, slider, play, links, bends, saving."""

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

from tests.browser.conftest import addressed, drawn, layouts, not_addressed, settled, visit

QUESTION = "?text=a+big+cat&beam=2"


@pytest.fixture
def additive(app: str) -> str:
    return f"{app}/additive{QUESTION}"


@pytest.fixture
def dot(app: str) -> str:
    return f"{app}/dot{QUESTION}"


def open_at(page: Page, address: str) -> Page:
    visit(page, address)
    drawn(page, ".walk .diagram")
    return page


def at(page: Page) -> str:
    return page.locator(".walk").get_attribute("data-step") or ""


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_arrow_keys_walk_without_the_server(page: Page, additive: str) -> None:
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    open_at(page, additive)
    assert at(page) == "1.1"
    not_addressed(page, "step")
    before = len(sent)
    press(page, "ArrowRight", "ArrowRight", "ArrowLeft")
    assert at(page) == "1.2"
    addressed(page, "step=1.2")
    expect(page.locator(".explain .says")).to_contain_text("2. A score for every state.")
    expect(page.locator(".where")).to_have_text("Word 1 of " + page.locator(".where").inner_text().split(" of ", 1)[1])
    page.get_by_role("button", name="Forward").click()
    assert at(page) == "1.3"
    press(page, "ArrowDown", "ArrowDown", "ArrowUp")  # from word to word, while the stepper has the keys
    assert at(page) == "2.3"
    press(page, "Home")
    assert at(page) == "1.1"
    press(page, "ArrowLeft")
    assert at(page) == "1.1"
    press(page, "End")
    words = page.locator(".chip").count()
    assert at(page) == f"{words}.6"
    assert len(sent) == before


def test_arrow_keys_walk_after_a_click_on_a_link_and_stay_in_the_sentence(page: Page, additive: str) -> None:
    open_at(page, additive)
    page.get_by_label("Sentence to translate").focus()
    press(page, "ArrowRight")
    assert at(page) == "1.1"
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<a id=there href=#>there</a>')")
    page.locator("#there").focus()
    press(page, "ArrowRight")
    assert at(page) == "1.2"


def test_the_slider_and_the_words_jump(page: Page, additive: str) -> None:
    open_at(page, additive)
    slider = page.locator(".player input")
    slider.fill("14")
    assert at(page) == "3.3"
    slider.focus()
    press(page, "ArrowRight")
    assert at(page) == "3.4"
    page.locator(".chip").nth(1).click()
    assert at(page) == "2.4"
    expect(page.locator(".chip[aria-current]")).to_have_count(1)
    page.locator('.matrix [data-row="3"] text').click()
    assert at(page) == "4.4"


def test_later_steps_are_faint_and_the_matrix_grows(page: Page, additive: str) -> None:
    open_at(page, f"{additive}&step=2.2")
    bars = page.locator('.sources [data-source="0"] > g')
    opacity = [float(bars.nth(k).get_attribute("opacity") or 1) for k in range(bars.count())]
    assert opacity == [1, 1, 0.66, 0.66]  # states (a strip), score, weight, weighted state
    known = page.locator(".matrix svg.body")
    assert known.get_attribute("data-known") == "1"
    press(page, "ArrowRight")
    assert known.get_attribute("data-known") == "2"
    expect(page.locator('.heading[data-head="2"] text').last).to_have_attribute("font-weight", "700")


def test_the_last_step_shows_what_the_word_is_made_of(page: Page, additive: str) -> None:
    open_at(page, f"{additive}&step=2.6")
    names = page.locator(".next .strip + text").all_text_contents()
    assert names == ["s2", "h\u03032"]  # Bahdanau: C goes into s, then both with e(y) into h~
    expect(page.locator(".next .others")).to_have_text("+ C2, e(y1)")
    numbers = page.locator(".explain .numbers").inner_text()
    found = re.search(r"= (\S+) / (\S+) = (\S+), +log P = \u2212([\d.]+)", numbers)
    assert found and numbers.startswith("h\u0303₂ = ("), numbers
    top, bottom, share, log = (written(number) for number in found.groups())
    assert top / bottom == pytest.approx(share, rel=2e-3), "who works it out finds the number beside it"
    assert -math.log(share) == pytest.approx(log, abs=0.008)


def test_a_weighted_state_is_the_product_beside_it(page: Page, additive: str) -> None:
    open_at(page, f"{additive}&step=2.4")
    numbers = page.locator(".explain .numbers").inner_text().replace("\u2212", "-")
    weight, *values = map(float, re.findall(r"-?\d+\.\d+", numbers))
    assert len(values) == 6
    for state, product in zip(values[:3], values[3:], strict=True):
        assert weight * state == pytest.approx(product, abs=0.006)


def written(number: str) -> float:
    """1.317·10⁵ as a number."""
    digits, _, power = number.partition("·10")
    return float(digits) * 10.0 ** int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or 0)


def test_luong_joins_the_context_with_the_state(page: Page, dot: str) -> None:
    open_at(page, f"{dot}&step=2.6")
    assert page.locator(".next .strip + text").all_text_contents() == ["h\u03032"]
    expect(page.locator(".next .others")).to_have_text("+ s2")


def test_a_figure_keeps_its_size(page: Page, additive: str) -> None:
    open_at(page, additive)
    page.get_by_role("button", name="Forward").focus()
    boxes = set()
    for _step in range(18):
        boxes.add(str(page.locator(".grid").bounding_box()))
        press(page, "ArrowRight")
    assert len(boxes) == 1


def walks_to(page: Page, word: int) -> None:
    """Wait until the walk is at `word`."""
    page.locator(f'.walk[data-step^="{word}."]').wait_for(state="attached")


def test_play_walks_on_its_own(page: Page, additive: str) -> None:
    open_at(page, additive)
    page.get_by_label("Steps a second").select_option("4")
    page.get_by_role("button", name="Play").click()
    walks_to(page, 2)
    page.get_by_role("button", name="Pause").click()
    stopped = at(page)
    page.wait_for_timeout(800)  # three steps' time: that nothing happens can only be seen by waiting
    assert at(page) == stopped
    press(page, "End")
    assert at(page) != stopped
    page.get_by_role("button", name="Play").click()  # from the end it begins again
    walks_to(page, 1)


SAID = '[class*="st-key-said-The-link"]'


@pytest.mark.parametrize(
    ("step", "place", "says"),
    [
        ("999.1", ".walk .note", "The link asks for step 999.1, but this translation has"),
        ("0.1", ".walk .note", "The link asks for step 0.1, but this translation has"),
        ("<b>", SAID, "The link asks for step '<b>'"),
    ],
)
def test_a_step_beyond_the_end_is_said(page: Page, additive: str, step: str, place: str, says: str) -> None:
    open_at(page, f"{additive}&step={step}")
    assert at(page) == "1.1"
    not_addressed(page, "step")
    expect(page.locator(place)).to_contain_text(says)


def test_a_link_reopens_the_screen(new_page: Callable[..., Page], dot: str) -> None:
    first = open_at(new_page(), dot)
    press(first, *["ArrowRight"] * 8)
    first.get_by_role("button", name="τ = √d").click()
    first.locator('[data-source="2"]').click()
    first.get_by_role("button", name="instead").click()
    expect(first.locator(".outcome")).to_be_visible()
    settled(first)
    second = open_at(new_page(), first.url)
    for page in (first, second):
        assert at(page) == "2.3"
        addressed(page, "temperature=4.24")
        addressed(page, "bend=2.s3.")
        expect(page.locator(".outcome .told")).to_contain_text("Word 2 was made to look at")
    for part in (".where", ".chips", ".outcome", ".explain", ".lab"):
        assert first.locator(part).inner_text() == second.locator(part).inner_text()
    widths = "all => all.map(bar => bar.getAttribute('width'))"
    assert first.locator(".bar").evaluate_all(widths) == second.locator(".bar").evaluate_all(widths)


def test_bending_shows_before_and_after_and_can_be_undone(page: Page, additive: str) -> None:
    open_at(page, f"{additive}&step=2.3")
    words = page.locator(".chip").all_text_contents()
    expect(page.get_by_role("button", name="instead")).to_have_count(0)
    page.locator('[data-source="1"]').click()
    page.get_by_role("button", name="instead").click()
    expect(page.locator(".outcome p").nth(1)).to_contain_text("Before")
    expect(page.locator(".outcome p").nth(2)).to_contain_text("After")
    assert at(page) == "2.3"
    addressed(page, "bend=2.s2.")
    expect(page.locator(".explain .says")).to_contain_text("You have put all weight on")
    values = page.locator("[data-source] > g:nth-of-type(3) text").all_text_contents()
    assert [float(v) for v in values] == [float(i == 1) for i in range(len(values))]
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".outcome")).to_have_count(0)
    assert page.locator(".chip").all_text_contents() == words
    not_addressed(page, "bend")
    page.get_by_role("button", name="look everywhere alike").click()
    expect(page.locator(".outcome .told")).to_contain_text("everywhere alike")
    page.get_by_label("Sentence to translate").fill("the old dog")
    page.get_by_label("Sentence to translate").press("Enter")
    expect(page.locator(".outcome")).to_have_count(0)
    settled(page)
    not_addressed(page, "bend")
    assert at(page) == "1.1"


def test_source_words_can_be_chosen_by_key(page: Page, additive: str) -> None:
    open_at(page, f"{additive}&step=1.4")
    page.locator(".rows").focus()
    press(page, "ArrowDown", "ArrowDown", "ArrowUp")
    assert page.locator('[data-source][aria-selected="true"]').count() == 1
    named = page.locator(".rows").get_attribute("aria-activedescendant")
    assert page.locator(f"#{named}").get_attribute("aria-selected") == "true"
    press(page, "ArrowRight")
    assert at(page) == "1.5"


def test_numpy_gives_the_same_and_every_number_is_there(page: Page, additive: str) -> None:
    open_at(page, f"{additive}&step=3.3")
    expect(page.locator(".proof")).to_contain_text("The same in plain NumPy")
    page.locator(".proofs summary").click()
    rows = page.locator(".proofs table").first.locator("tbody tr")
    rows.first.wait_for()  # the tables are made once they are open
    found = rows.evaluate_all("rows => rows.map(row => [...row.cells].map(cell => cell.textContent))")
    shown = page.locator("[data-source] > g:nth-of-type(2) text").all_text_contents()
    assert len(found) == len(shown) + 1  # and the sum
    for (_i, _word, score, again, weight, repeated), printed in zip(found, shown, strict=False):
        number = float(score.replace("\u2212", "-"))
        assert number == pytest.approx(float(again.replace("\u2212", "-")), abs=2e-5)
        assert number == pytest.approx(float(printed.replace("\u2212", "-")), abs=0.0051)
        assert float(weight) == pytest.approx(float(repeated), abs=2e-5)
    assert float(found[-1][4]) == pytest.approx(1, abs=1e-4)
    expect(page.locator(".proofs pre")).to_contain_text("np.tanh(W @ s + h @ U.T) @ v")
    press(page, "ArrowRight")
    assert page.locator(".proofs details").get_attribute("open") is not None


def test_temperature_sharpens_and_evens_out(page: Page, dot: str) -> None:
    open_at(page, f"{dot}&step=2.3&temperature=64")
    entropy = page.locator(".temperature .told b").first
    even = float(entropy.inner_text())
    rows = page.locator("[data-source]").count()
    assert even == pytest.approx(rows.bit_length(), abs=1) and even > 1
    page.locator(".heat input").fill("-3")
    addressed(page, "temperature=0.13")
    assert float(entropy.inner_text()) < even
    page.get_by_role("button", name="τ = 1").click()
    not_addressed(page, "temperature")
    expect(page.locator(".lab h3")).to_have_count(3)
    expect(page.locator(".lab")).to_contain_text("same vocabulary")


@pytest.mark.parametrize("temperature", ["65", "hot"])
def test_a_temperature_out_of_range_is_said(page: Page, dot: str, temperature: str) -> None:
    open_at(page, f"{dot}&temperature={temperature}")
    expect(page.locator(SAID)).to_contain_text(f"The link asks for the temperature {temperature};")
    expect(page.locator(".heat .value")).to_have_text("τ = 1")


def test_saving_as_svg_png_and_csv(page: Page, dot: str) -> None:
    open_at(page, f"{dot}&step=2.6")

    def save(kind: str, figure: str) -> bytes:
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save {kind}: {figure}").click()
        if figure == "this step":
            step = "" if kind == "CSV" else "2-6-"  # the numbers are those of all steps
            assert download.value.suggested_filename == f"{step}en-fr-dot-a-big-cat.{kind.lower()}"
        return Path(download.value.path()).read_bytes()

    root = ET.fromstring(save("SVG", "this step"))
    texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "en-fr/dot: a big cat" and texts[1].startswith("Word 2 of ")
    assert save("PNG", "this step").startswith(b"\x89PNG")
    rows = list(csv.DictReader(io.StringIO(save("CSV", "this step").decode("utf-8-sig"))))
    assert len(rows) == page.locator("[data-source]").count() * page.locator(".chip").count()
    assert sum(float(row["weight"]) for row in rows if row["target position"] == "1") == pytest.approx(1, abs=1e-4)
    for figure in ("One query", "How sharp", "Why divide"):
        saved, table = save("SVG", figure), save("CSV", figure)
        assert saved.startswith(b"<?xml") and table.startswith(b"\xef\xbb\xbf")
        named = [row.get("source") for row in csv.DictReader(io.StringIO(table.decode("utf-8-sig")))]
        sources = [row["source"] for row in rows if row["target position"] == "1"]
        assert named[: len(sources)] == sources or figure == "Why divide", "with their dots"
        texts = ["".join(text.itertext()) for text in ET.fromstring(saved).iter("{http://www.w3.org/2000/svg}text")]
        name = re.sub(r"\s+", " ", " ".join(texts))
        assert re.search(r"[^?.][?.] (Word 2 of \d+: .+ · step 6 of 6\. )?en-fr/dot: a big cat", name), name
        assert ("Word 2" in name) == (figure != "Why divide"), "that one is of the whole sentence"


@pytest.mark.parametrize("width", [390, 800])
def test_a_narrow_screen_has_room(new_page: Callable[..., Page], dot: str, width: int) -> None:
    page = open_at(new_page(viewport={"width": width, "height": 844}), f"{dot}&step=2.6")
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth") <= width
    right = page.locator(".walk svg").evaluate_all("all => Math.max(...all.map(s => s.getBoundingClientRect().right))")
    names = page.locator(".diagram .above .heading text:not([text-anchor])")
    assert names.all_text_contents() == ["States", "Scores β", "Weights α", "α · h"]
    boxes = names.evaluate_all("all => all.map(name => name.getBoundingClientRect()).map(b => [b.left, b.right])")
    assert all(one[1] < other[0] for one, other in zip(boxes, boxes[1:], strict=False)), "titles stand apart"
    inner = page.locator(".matrix .scroll")
    scrolls = inner.evaluate("scroll => scroll.scrollWidth > scroll.clientWidth")
    assert right <= width or scrolls


def test_a_long_sentence_scrolls_in_its_matrix_on_a_phone(new_page: Callable[..., Page], dot: str) -> None:
    address = dot.replace("a+big+cat", "+".join(["a", "big", "cat", "and"] * 6))
    phone = open_at(new_page(viewport={"width": 390, "height": 844}), f"{address}&step=2.6")
    inner = phone.locator(".matrix .scroll")
    assert inner.evaluate("scroll => scroll.scrollWidth > scroll.clientWidth")
    assert phone.get_by_test_id("stMain").evaluate("main => main.scrollWidth") <= 390


def test_nothing_moves_when_the_system_asks_for_less(new_page: Callable[..., Page], additive: str) -> None:
    for motion, seconds in (("reduce", {"0s"}), ("no-preference", {"0.18s"})):
        page = open_at(new_page(reduced_motion=motion), additive)
        found = page.locator(".walk .bar").evaluate_all("all => all.map(s => getComputedStyle(s).transitionDuration)")
        assert {part.strip() for text in found for part in text.split(",")} == seconds


STEP = """async steps => {
  const button = steps.querySelector('.player .forward');
  for (let i = 0; i < 30; i += 1) {
    button.click();
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  }
}"""


@pytest.mark.parametrize("name", ["additive", "dot"])
def test_a_step_is_laid_out_twice_at_most(page: Page, name: str, request: pytest.FixtureRequest) -> None:
    open_at(page, request.getfixturevalue(name))
    press(page, "Home")
    assert layouts(page, lambda: page.locator(".walk").evaluate(STEP)) < 30 * 3


def test_every_column_of_a_lookup_has_its_name(page: Page, app: str) -> None:
    """Names lean, and the last ones reach beyond the figure."""
    visit(page, f"{app}/additive?text=a+red+cat&lookup=1")
    figures = page.locator(".js-plotly-plot")
    for figure in (figures.first, figures.last):
        names = figure.locator(".xaxislayer-above text, .xaxislayer-below text")
        expect(names.last).to_have_text("<eos>")
        hidden = "names => names.filter((name) => getComputedStyle(name).display === 'none').length"
        assert names.evaluate_all(hidden) == 0
        box, around = names.last.bounding_box(), figure.bounding_box()
        assert box and around and box["x"] + box["width"] <= around["x"] + around["width"] + 1


def test_rows_out_of_sight_are_hinted_at_until_they_have_been_scrolled_to(page: Page, additive: str) -> None:
    address, _, _query = additive.partition("?")
    open_at(page, f"{address}?text={'a+red+cat+' * 8}")
    rows, edge = page.locator(".rows"), page.locator(".rows .edge")
    for top, shade in (("0", "1"), ("rows.scrollHeight", "0")):
        rows.evaluate(f"rows => {{ rows.scrollTop = {top}; }}")
        expect(edge).to_have_css("opacity", shade)
