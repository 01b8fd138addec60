"""The Transformer page in a browser: thumbnails, the enlarged head, heads off, one cell's arithmetic, and a link."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from nmtcore.analysis.arithmetic import head_row
from nmtcore.analysis.head_parts import recompute_head
from nmtcore.config import DecodingConfig
from nmtcore.decoding import decode
from nmtcore.decoding.trace import Trace
from nmtcore.models import checkpoint
from nmtcore.text.words import sentence_names
from tests.browser.conftest import addressed, choose, drawn, settled, visit

SENTENCE = "the small cat sees a red house ."
QUERY = "text=the+small+cat+sees+a+red+house+."


@pytest.fixture(scope="module")
def trace(model_folders: Path) -> Trace:
    model = checkpoint.load(model_folders / "en-fr" / "transformer")
    return decode.translate(model, SENTENCE, DecodingConfig(beam=5))


def open_page(page: Page, app: str, query: str = "", text: str = QUERY) -> Page:
    visit(page, f"{app}/transformer?{text}&{query}")
    drawn(page, ".heads .pane > *")
    drawn(page, '[data-panel="0"] [data-row]')
    return page


def title(page: Page) -> str:
    return page.locator(".panel h3").first.inner_text()


def thumb(page: Page, place: str):
    return page.locator(f'[data-head="{place}"] .enlarge')


def cells(page: Page) -> dict[str, str]:
    """The colour of every drawn cell of the enlarged matrix."""
    found = page.locator('[data-panel="0"] [data-cell]')
    return dict(found.evaluate_all("cells => cells.map(cell => [cell.dataset.cell, cell.getAttribute('fill')])"))


def away(page: Page) -> None:
    page.mouse.move(5, 5)


def answered(page: Page) -> None:
    """Wait until the server has answered about the heads that are off."""
    page.locator(".effect:not(.waiting)").wait_for()


def test_a_thumbnail_is_previewed_and_enlarged(page: Page, app: str, trace: Trace) -> None:
    open_page(page, app, "head=cross.1.1")
    assert page.locator(".thumb").count() == (3 + 1) * (2 + 1)
    assert title(page) == "Layer 1, head 1"
    drawn = cells(page)
    thumb(page, "1.1").hover()
    expect(page.locator(".panel h3").first).to_have_text("Layer 2, head 2")
    away(page)
    expect(page.locator(".panel h3").first).to_have_text("Layer 1, head 1")
    assert cells(page) == drawn, "leaving restores"
    thumb(page, "1.0").click()
    away(page)
    expect(page.locator(".panel h3").first).to_have_text("Layer 2, head 1")
    addressed(page, "head=cross.2.1")
    weights = np.round(trace.attention_of("cross").weights[1, 0] * 65535) / 65535
    assert set(cells(page)) == {f"{t},{s}" for (t, s), weight in np.ndenumerate(weights) if weight >= 0.004}
    thumb(page, "mean.1").click()
    away(page)
    expect(page.locator(".panel h3").first).to_have_text("Head 2, mean of the layers")


def test_the_arrow_keys_move_over_the_grid_and_the_matrix(page: Page, app: str) -> None:
    open_page(page, app, "head=cross.1.1")
    thumb(page, "0.0").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert title(page) == "Layer 2, head 2"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")  # no further: the mean is the last
    assert title(page) == "Layer 2, mean of the heads"
    figure = page.locator('[data-panel="0"]')
    figure.press("ArrowDown")
    figure.press("ArrowDown")
    figure.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"pick=0\.t1s\d+"))
    thumb(page, "0.0").focus()
    page.keyboard.press("Shift+Enter")
    expect(page.locator('[data-head="0.0"] [role="switch"]')).to_have_attribute("aria-checked", "false")
    answered(page)


def test_the_arrow_keys_step_where_nothing_else_needs_them(page: Page, app: str) -> None:
    open_page(page, app, "head=cross.1.1&pick-step=3")
    step = page.locator(".player .where")
    page.keyboard.press("ArrowRight")
    expect(step).to_contain_text("step 4 of")
    page.get_by_role("button", name="Step back").click()
    page.keyboard.press("ArrowLeft")
    expect(step).to_contain_text("step 2 of")
    thumb(page, "0.0").press("ArrowLeft")  # the first of its row: nowhere to go
    page.get_by_label("Sentence to translate").press("ArrowRight")
    page.locator('[data-panel="0"]').press("ArrowRight")
    expect(step).to_contain_text("step 2 of")


def test_hovering_a_token_tints_what_it_looks_at(page: Page, app: str) -> None:
    open_page(page, app, "head=cross.1.1&pick-view=both")
    page.locator('[data-panel="1"] g[data-row="1"] text').hover()
    assert page.locator('[data-panel="0"] rect[data-marked-row="1"]').count() == 1, "matrix and ribbons are one"
    groups = page.locator('[data-panel="1"] svg.ribbons > g[fill="none"]')
    lit = groups.nth(1).locator("path").evaluate_all("paths => paths.map(path => path.dataset.link)")
    assert lit and all(link.startswith("1,") for link in lit)
    assert page.locator('[data-panel="1"] [data-column] rect[data-tinted]').count() > 0
    expect(page.locator(".line")).to_contain_text("Layer 1, head 1 looks")
    away(page)
    assert groups.nth(1).locator("path").count() == 0


def test_the_future_mask_is_hatched(page: Page, app: str, trace: Trace) -> None:
    open_page(page, app)
    page.get_by_role("button", name="Decoder self").click()
    T = len(trace.target)
    expect(page.locator('[data-panel="0"] rect[data-masked]')).to_have_count(T - 1)
    assert all(int(s) <= int(t) for t, s in (cell.split(",") for cell in cells(page)))
    alpha = page.locator('[data-head="0.0"] canvas').evaluate(
        "c => [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data].filter((_, i) => i % 4 === 3)"
    )
    assert [a == 0 for a in alpha] == [s > t for t in range(T) for s in range(T)], "masked is transparent, not zero"


def test_a_head_is_switched_off_isolated_and_restored(page: Page, app: str) -> None:
    open_page(page, app, "head=cross.1.1")
    expect(page.locator(".effect")).to_contain_text("with all heads on")
    thumb(page, "1.0").click(modifiers=["Shift"])
    assert title(page) != ""
    addressed(page, "off=cross.2.1")
    answered(page)
    expect(page.locator(".effect")).to_contain_text("Off: cross layer 2 head 1.")
    expect(page.locator(".effect")).to_contain_text("log P goes from")
    assert "off" in (page.locator('[data-head="1.0"]').get_attribute("class") or "")
    page.locator('[data-head="1.0"] [role="switch"]').click()
    answered(page)
    expect(page.locator(".effect")).to_contain_text("with all heads on")
    old = cells(page)
    page.get_by_role("button", name="Switch off the other 5 heads of Cross attention").click()
    assert page.locator(".thumb.off").count() == 3 * 2 - 1
    answered(page)
    expect(page.locator(".effect")).to_contain_text("Off: 5 heads.")
    addressed(page, "off=cross.1.2")
    assert cells(page) != old, "the new translation's attention"
    page.get_by_role("button", name="all on", exact=True).click()
    addressed(page, "attention=before")
    assert cells(page) == old
    page.get_by_role("button", name="switch all on").click()
    assert page.locator(".thumb.off").count() == 0
    answered(page)


def test_a_head_alone_changes_nothing_in_the_model(page: Page, app: str) -> None:
    open_page(page, app, "head=cross.1.1")
    narrow = page.locator(".stage").bounding_box()
    thumb(page, "2.1").dblclick()
    away(page)
    addressed(page, "pane=head")
    expect(page.locator(".panel h3").first).to_have_text("Layer 3, head 2")
    expect(page.locator(".effect")).to_contain_text("with all heads on")
    expect(page).not_to_have_url(re.compile("off="))
    wide = page.locator(".stage").bounding_box()
    assert narrow and wide and wide["width"] > 1.5 * narrow["width"]
    page.get_by_role("button", name="All heads").click()
    assert page.locator(".thumb.off").count() == 0


@pytest.mark.parametrize("pane", ["grid", "compare", "cell"])
def test_what_heads_off_do_is_seen_on_a_projector(page: Page, app: str, pane: str) -> None:
    three, long = "off=cross.1.1_cross.2.1_encoder.1.1", "text=" + "the+small+cat+sees+a+red+house+" * 3
    for off, text in (("off=cross.1.1", QUERY), (three, long)):
        open_page(page, app, f"pane={pane}&{off}", text)
        answered(page)
        expect(page.locator(".effect")).to_contain_text("Off: ")
        effect, foot = page.locator(".effect").bounding_box(), page.locator(".foot").bounding_box()
        assert effect and foot and effect["y"] + effect["height"] <= foot["y"] + 1
        table = page.locator(".compare table")
        if table.count() and text == QUERY:  # a scroll bar of 15 px, which this browser hides, has room beside it
            wide = table.evaluate("t => { t.style.width = 'min-content'; return t.offsetWidth; }")
            assert wide + 15 <= page.locator(".compare").evaluate("c => c.clientWidth")


def test_the_table_ranks_and_sorts_the_heads(page: Page, app: str) -> None:
    open_page(page, app)
    page.get_by_role("button", name="Which heads matter?").click()
    first = page.locator(".compare td.change").first
    expect(first).not_to_contain_text("…")

    def column(selector: str) -> list[float]:
        texts = page.locator(f".compare tbody {selector}").all_inner_texts()
        return [float(text.replace("\u2212", "-")) for text in texts if text.strip()]

    expect(page.locator(".compare thead")).to_contain_text("on <eos>, <sos>")  # a decoder has no <eos>
    changes = column("td.change")
    assert changes == sorted(changes) and len(changes) == 16
    page.locator(".compare thead").get_by_role("button", name="entropy").click()
    entropies = column("td:nth-child(3)")
    assert entropies == sorted(entropies, reverse=True)
    page.locator(".compare tbody").get_by_role("button", name="Encoder L2 H1").click()
    expect(page.locator(".panel h3").first).to_have_text("Layer 2, head 1")
    addressed(page, "head=encoder.2.1")
    addressed(page, "pane=compare")


def test_what_scrolls_shows_its_bar(page: Page, app: str) -> None:
    """Streamlit's page has transparent ones, which everything on it inherits."""
    color = "node => getComputedStyle(node).scrollbarColor"
    for pane, places in (("compare", (".compare", ".panel .scroll")), ("cell", (".cell tbody",))):
        open_page(page, app, f"pane={pane}")
        for place in places:
            assert page.locator(place).first.evaluate(color) != "rgba(0, 0, 0, 0) rgba(0, 0, 0, 0)", place


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_all_thumbnails_have_their_whole_room(new_page: Callable[..., Page], app: str, width: int) -> None:
    page = open_page(new_page(viewport={"width": width, "height": 720}), app)
    grid = page.locator(".thumbs").bounding_box()
    last = page.locator(".thumb").last.bounding_box()
    assert grid and last and last["x"] + last["width"] <= grid["x"] + grid["width"]


def test_the_matrix_stays_where_it_is_whatever_it_shows(page: Page, app: str) -> None:
    open_page(page, app, "pane=cell&pick=0.t1s2")
    figure = page.locator(".panel .figure")
    before = figure.bounding_box()
    page.get_by_role("button", name="by what arrives").click()
    expect(page.locator(".panel .caption")).to_contain_text("1 stands for the longest")
    assert figure.bounding_box() == before
    page.get_by_role("button", name="Encoder self").click()
    expect(page.locator(".panel .figure [data-row]").first).to_be_visible()
    after = figure.bounding_box()
    assert before and after and after["y"] == before["y"]


def test_the_arithmetic_of_a_cell_is_the_models(page: Page, app: str, trace: Trace) -> None:
    open_page(page, app, "head=cross.3.2&pane=cell&pick=0.t2s3")
    row = head_row(trace, "cross", 2, 1, 2)
    lines = page.locator(".cell tbody tr")
    expect(lines).to_have_count(len(row.keys))

    def shown(selector: str) -> list[float]:
        return [float(t.replace("\u2212", "-")) for t in page.locator(f".cell tbody {selector}").all_inner_texts()]

    assert shown("td:nth-child(2)") == pytest.approx(row.products.tolist(), abs=0.0051)
    assert shown("td:nth-child(3)") == pytest.approx(row.scaled.tolist(), abs=0.0051)
    assert shown("td:nth-child(4)") == pytest.approx(row.weights.tolist(), abs=0.0051)
    assert not trace.source[3].startswith("▁")
    expect(page.locator(".cell tr[aria-current] th")).to_have_text(f"·{trace.source[3]}")  # goes on with a word

    def strip(letter: str) -> list[float]:
        cells = page.locator(f'.cell rect[data-letter="{letter}"]')
        return [float(v) for v in cells.evaluate_all("cells => cells.map(cell => cell.dataset.value)")]

    assert strip("q") == pytest.approx(row.query.tolist(), abs=1e-4)
    assert sum(strip("q\u2218k")) == pytest.approx(float(row.products[3]), abs=1e-3)
    assert strip("Σαv") == pytest.approx(row.output.tolist(), abs=1e-3)
    page.locator('[data-panel="0"] g[data-row="0"] text').hover()
    expect(page.locator(".cell .title")).to_contain_text(trace.target[0].removeprefix("▁"))
    expect(page.locator(".line")).not_to_contain_text("q·k")


def test_what_arrives_stands_beside_the_weights(page: Page, app: str, trace: Trace, model_folders: Path) -> None:
    """Lengths of what each word passes on, in the table and as the matrix; the address keeps which is shown."""
    open_page(page, app, "head=cross.3.2&pane=cell&pick=0.t2s3")
    parts = recompute_head(checkpoint.load(model_folders / "en-fr" / "transformer"), trace, "cross", 2, 1)
    shown = page.locator(".cell tbody td:nth-child(5)")
    expect(shown).to_have_count(len(trace.source))
    lengths = [float(text) for text in shown.all_inner_texts()]
    assert lengths == pytest.approx(parts.norms[2].tolist(), abs=0.0051)
    expect(page.locator(".cell .sums")).to_contain_text(f"|αf(x)| = {lengths[3]:.2f} arrives of")
    page.get_by_role("button", name="by what arrives").click()
    addressed(page, "by=norm")
    expect(page.locator(".panel .caption")).to_contain_text(f"stands for the longest, {parts.norms.max():.2f}")
    expect(page.locator(".line")).to_contain_text(f"is {parts.norms[2, 3] / parts.norms.max():.2f} of the longest")
    page.get_by_role("button", name="by weight α").click()
    expect(page.locator(".panel .caption")).to_contain_text("entropy")


def save(page: Page, kind: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save {kind}").click()
    return Path(download.value.path()).read_text(encoding="utf-8-sig")


def test_a_saved_figure_says_what_it_is(page: Page, app: str, trace: Trace) -> None:
    open_page(page, app, "head=cross.2.1&off=cross.1.1&pick-step=2")
    answered(page)
    root = ET.fromstring(save(page, "SVG"))
    texts = [re.sub(r"\s+", " ", "".join(text.itertext())) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    whole = " ".join(texts)
    assert texts[0].startswith(SENTENCE)
    assert "Transformer · Cross attention · Layer 2, head 1" in whole
    assert f"step 2 of {len(trace.target)}: " in whole and "Off: cross layer 1 head 1." in whole
    rows = list(csv.DictReader(io.StringIO(save(page, "CSV"))))
    assert {row["model"] for row in rows} == {"Transformer · Cross attention · Layer 2, head 1"}


def test_each_pane_saves_its_own_numbers(page: Page, app: str, trace: Trace) -> None:
    open_page(page, app, "head=cross.3.2&off=cross.1.1&pane=compare")
    expect(page.locator(".compare td.change").first).not_to_contain_text("…")
    heads = list(csv.DictReader(io.StringIO(save(page, "CSV"))))
    assert len(heads) == 16 and [row["on"] for row in heads].count("0") == 1
    changes = sorted(float(row["Δ log P"]) for row in heads)
    shown = [float(t.replace("\u2212", "-")) for t in page.locator(".compare td.change").all_inner_texts()]
    assert shown == pytest.approx(changes, abs=0.0051)

    open_page(page, app, "head=cross.3.2&pane=cell&pick=0.t2s3")
    expect(page.locator(".cell tbody tr")).to_have_count(len(trace.source))
    row = head_row(trace, "cross", 2, 1, 2)
    cell = list(csv.DictReader(io.StringIO(save(page, "CSV"))))
    parts = [r for r in cell if r["component"]]
    assert [float(r["q"]) for r in parts] == pytest.approx(row.query.tolist(), abs=1e-4)
    assert [float(r["Σαv"]) for r in parts] == pytest.approx(row.output.tolist(), abs=1e-3)
    weights = [float(r["softmax"]) for r in cell if not r["component"]]
    assert weights == pytest.approx(row.weights.tolist(), abs=1e-4)
    assert {r["key"] for r in parts} == {sentence_names(trace.source)[3]}
    assert {r["query"] for r in cell} == {sentence_names(trace.target)[2]}


def test_a_link_shows_the_same_in_another_browser(new_page: Callable[..., Page], app: str) -> None:
    first = open_page(new_page(), app)
    first.get_by_role("button", name="Encoder self").click()
    thumb(first, "1.1").click()
    thumb(first, "0.1").click(modifiers=["Shift"])
    answered(first)
    choose(first, "Ribbons")
    first.get_by_label("Threshold of the ribbons").fill("40")
    first.locator('[data-panel="0"] g[data-row="2"] text').click()
    away(first)
    for part in ("head=encoder.2.2", "off=encoder.1.2", "pick=0.t2", "pick-view=ribbons"):
        addressed(first, part)
    second = new_page()
    visit(second, first.url)
    second.locator(".thumb").first.wait_for()
    answered(second)
    for page in (first, second):
        expect(page.locator(".panel h3").first).to_have_text("Layer 2, head 2")
        expect(page.get_by_role("button", name="Encoder self")).to_have_attribute("aria-pressed", "true")
        expect(page.locator('[data-head="0.1"] [role="switch"]')).to_have_attribute("aria-checked", "false")
        expect(page.locator('[data-panel="0"] g[data-row="2"]')).to_have_attribute("data-marked", "")
        expect(page.locator(".note")).to_contain_text("until 40% of its weight")
        expect(page.locator(".effect")).to_contain_text("Off: encoder layer 1 head 2.")
        assert page.get_by_label("Sentence to translate").input_value() == SENTENCE
    shown = [page.locator("svg.ribbons").inner_html() for page in (first, second)]
    assert shown[0] == shown[1]


def test_another_sentence_keeps_the_head_and_drops_the_pick(page: Page, app: str) -> None:
    open_page(page, app, "head=cross.mean.1&pick=0.t0s5")
    before = page.locator('[data-panel="0"] [data-column]').count()
    box = page.get_by_label("Sentence to translate")
    box.fill("a red dog .")
    box.press("Enter")
    page.wait_for_function("() => location.search.includes('a+red+dog')")
    settled(page)
    expect(page.locator('[data-panel="0"] [data-column]')).not_to_have_count(before)
    expect(page.locator(".panel h3").first).to_have_text("Head 1, mean of the layers")
    expect(page).to_have_url(re.compile("head=cross.mean.1"))
    expect(page).not_to_have_url(re.compile("pick="))


def test_a_tap_on_a_phone_shows_the_enlarged_head(new_page: Callable[..., Page], app: str) -> None:
    page = open_page(new_page(viewport={"width": 390, "height": 760}, reduced_motion="reduce"), app, "head=cross.1.1")
    thumb(page, "2.1").click()
    expect(page.locator(".panel h3").first).to_have_text("Layer 3, head 2")
    expect(page.locator(".panel h3").first).to_be_in_viewport()
    tops = """title => [title.getBoundingClientRect().top,
      document.querySelector('[data-testid="stHeader"]').getBoundingClientRect().bottom]"""
    top, bar = page.locator(".panel h3").first.evaluate(tops)
    assert top >= bar > 0, "the bar at the top of the window does not cover the title"
    expect(page.locator('[data-panel="0"] [data-row]').first).to_be_in_viewport()


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_window(new_page: Callable[..., Page], app: str, width: int) -> None:
    page = open_page(new_page(viewport={"width": width, "height": 760}), app)
    for pane in ("All heads", "Which heads matter?", "One cell"):
        page.get_by_role("button", name=pane).click()
        settled(page)
        page.wait_for_function(f"() => document.documentElement.scrollWidth <= {width}")


def test_the_players_slider_gives_way_before_its_words_do(page: Page, app: str) -> None:
    """Words that want a tenth of a pixel more than they get end in an ellipsis, which costs them three letters."""
    player = drawn(open_page(page, app), ".stage .player")
    slider, words, room = player.evaluate(
        """player => {
          player.style.width = `${player.getBoundingClientRect().width - 30}px`;
          const [slider, where] = ["input", ".where"].map(part => player.querySelector(part));
          const range = document.createRange();
          range.selectNodeContents(where);
          return [slider, range, where].map(part => part.getBoundingClientRect().width);
        }"""
    )
    assert slider < 6.5 * 16 and 0 < words <= room
