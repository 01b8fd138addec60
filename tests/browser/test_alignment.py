"""The alignment component in a browser: what it draws, links, merges, saves and writes into the address."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import eventually, settled, visit

APP = Path(__file__).parent / "alignment_app.py"
SHOWN = ["the", "red", "red", "ta", "ble", "<s>", ".", "<eos>"]


@pytest.fixture
def app(serve: Callable[[Path], str]) -> str:
    return serve(APP)


def open_at(page: Page, address: str) -> Page:
    visit(page, address)
    page.locator(".panel").first.wait_for()
    return page


def labels(page: Page, panel: int, axis: str) -> list[str]:
    texts = page.locator(f'[data-panel="{panel}"] [data-{axis}] text')
    return [text.strip() for text in texts.all_text_contents()]


def token(page: Page, panel: int, row: int | None = None, column: int | None = None):
    axis, at = ("row", row) if row is not None else ("column", column)
    return page.locator(f'[data-panel="{panel}"] g[data-{axis}="{at}"] text')


def marked(page: Page, panel: int, axis: str = "row") -> list[int]:
    bars = page.locator(f'[data-panel="{panel}"] rect[data-marked-{axis}]')
    return [int(bar.get_attribute(f"data-marked-{axis}") or -1) for bar in bars.all()]


def table(page: Page, panel: int) -> list[list[str]]:
    """The hidden table of one matrix, heads included; it is filled in after the figures."""
    rows = page.locator(".unseen table").nth(panel).locator("tr")
    rows.first.wait_for(state="attached")
    return rows.evaluate_all("rows => rows.map(row => [...row.cells].map(cell => cell.textContent))")


def test_four_panels_with_the_right_labels(page: Page, app: str) -> None:
    open_at(page, app)
    expect(page.locator(".panel h3")).to_have_text(["No attention", "Additive", "Dot", "Transformer"])
    for panel in range(4):
        assert labels(page, panel, "column") == SHOWN  # repeated tokens keep their columns
    assert labels(page, 1, "row") == ["la", "table", "rouge", "<b>", "<s>", ".", "<eos>"]
    assert labels(page, 3, "row") == ["une", "ta", "ble", "rouge", "␣", "<eos>"]
    assert page.locator('[data-panel="0"] rect[data-value]').count() == 32
    tops = {round(box["y"]) for box in (p.bounding_box() for p in page.locator(".figure").all()) if box}
    assert len(tops) == 1, "four across at 1280 px"


def test_weights_are_coloured_on_a_fixed_scale(page: Page, app: str) -> None:
    open_at(page, app)
    cell = page.locator('[data-panel="1"] [data-cell="1,3"]').get_attribute("fill")
    assert cell == f"rgb({','.join(str(round(255 + (v - 255) * 0.79)) for v in (0xE6, 0x9F, 0x00))})"
    assert page.locator('[data-panel="3"] [data-cell="1,3"]').get_attribute("fill") == "rgb(125,183,216)"  # 0.51


def test_masked_cells_are_not_drawn_as_zero(page: Page, app: str) -> None:
    open_at(page, f"{app}/?case=causal")
    drawn = page.locator("[data-cell]").evaluate_all("cells => cells.map(cell => cell.dataset.cell)")
    assert sorted(drawn) == ["0,0", "1,0", "1,1", "2,0", "2,2"]
    rows = table(page, 0)
    assert rows[1] == ["<sos>", "1.00", "", ""] and rows[3] == ["b", "0.50", "0.00", "0.50"]
    lines = page.locator("svg.body path[stroke]").get_attribute("d") or ""
    assert lines.count("v") == 2 + 3 + 4  # the grid ends where the mask begins
    hatched = page.locator("svg.body rect[data-masked]")
    assert [float(bar.get_attribute("x") or 0) > 0 for bar in hatched.all()] == [True, True]  # <sos> and a


def test_pointing_marks_the_same_source_words_everywhere(page: Page, app: str) -> None:
    open_at(page, app)
    token(page, 1, row=1).hover()  # table -> ta
    expect(page.locator(".line")).to_contain_text("Additive looks 0.79 at ta for table.")
    expect(page.locator(".line")).to_contain_text("Dot looks 0.65 at ta for t.")
    expect(page.locator(".line")).to_contain_text("The model without attention has one vector")
    assert [marked(page, p) for p in (1, 2, 3)] == [[1], [1], [1]]
    for panel in (1, 2, 3):
        back = page.locator(f'[data-panel="{panel}"] [data-column="3"] rect')
        assert back.get_attribute("data-tinted") is not None
    token(page, 2, column=2).hover()  # the second "red", not the first
    assert [marked(page, p, "column") for p in (1, 2, 3)] == [[2], [2], [2]]
    page.mouse.move(5, 5)
    expect(page.locator(".line")).to_contain_text("Point at a word")
    assert marked(page, 1) == []


def test_each_panel_is_tinted_by_its_own_weights_in_its_own_colour(page: Page, app: str) -> None:
    open_at(page, app)
    token(page, 2, row=3).hover()  # rouge: Dot looks 0.65 at the first "red", the Transformer 0.51
    backs = [page.locator(f'[data-panel="{panel}"] [data-column="1"] rect') for panel in (1, 2, 3)]
    cells = [page.locator(f'[data-panel="{panel}"] [data-cell="{row},1"]') for panel, row in ((1, 2), (2, 3), (3, 3))]
    fills = [back.get_attribute("fill") for back in backs]
    assert fills == [cell.get_attribute("fill") for cell in cells] and len(set(fills)) == 3
    assert page.locator('[data-panel="0"] [data-tinted]').count() == 0, "the model without attention looks at no word"


def test_pointing_dims_all_but_the_rows_that_look_there(page: Page, app: str) -> None:
    open_at(page, app)
    veils = [page.locator(f'[data-panel="{panel}"] path[data-dimmed]') for panel in (1, 2, 3)]
    token(page, 1, row=1).hover()
    for veil, rows in zip(veils, (7, 7, 6), strict=True):
        assert (veil.get_attribute("d") or "").count("M") == rows - 1
    token(page, 1, column=0).hover()
    assert (veils[2].get_attribute("d") or "").count("M") == 6, "a bar of each row, beside the first column"
    page.mouse.move(5, 5)
    assert [veil.count() for veil in veils] == [0, 0, 0]


def test_the_sentence_names_what_a_row_really_looks_at(page: Page, app: str) -> None:
    open_at(page, f"{app}/?case=apart")
    line = page.locator(".line")
    token(page, 0, row=0).hover()
    expect(line).to_have_text("Additive looks 0.60 at did for avez. Transformer looks at did for no word.")
    assert marked(page, 1) == [] and page.locator('[data-panel="1"] [data-tinted]').count() == 0
    token(page, 1, row=0).hover()  # the Transformer's own word for the same "you"
    expect(line).to_have_text("Transformer looks 0.90 at you for as. Additive looks 0.80 at you for vous.")
    assert marked(page, 0) == [1]
    token(page, 0, row=1).hover()
    expect(line).to_have_text("Additive looks 0.80 at you for vous. Transformer looks 0.96 at you for vous.")
    token(page, 0, column=0).hover()
    expect(line).to_have_text("Additive looks 0.60 at did for avez. Transformer looks at did for no word.")


def test_picking_stays_without_the_server(page: Page, app: str) -> None:
    open_at(page, app)
    token(page, 2, row=3).click()
    page.mouse.move(5, 5)
    expect(page.locator(".line")).to_contain_text("Picked: rouge.")
    assert marked(page, 2) == [3] and marked(page, 1) == [2] and marked(page, 3) == [3]
    assert "pick=2.t3" in page.url
    expect(page.get_by_text("runs 1")).to_be_visible()
    token(page, 2, row=3).click()
    page.mouse.move(5, 5)
    assert marked(page, 2) == [] and "pick=" not in page.url


def test_a_link_reopens_the_pick_and_the_switches(new_page: Callable[..., Page], app: str) -> None:
    first = open_at(new_page(), app)
    first.get_by_role("button", name="Words").click()
    token(first, 1, row=1).click()
    second = open_at(new_page(), first.url)
    assert labels(second, 1, "column") == ["the", "red", "red", "table", "<s>", ".", "<eos>"]
    expect(second.locator(".line")).to_contain_text("Picked: table.")
    assert marked(second, 1) == [1]
    expect(second.get_by_text("runs 1")).to_be_visible()


def test_the_address_keeps_the_pick_when_a_widget_writes_its_own(page: Page, app: str) -> None:
    open_at(page, app)
    token(page, 1, row=1).click()
    page.get_by_label("Sentence").fill("hello")
    page.get_by_label("Sentence").press("Enter")
    expect(page.get_by_text("runs 2")).to_be_visible()
    assert "text=hello" in page.url and "pick=1.t1" in page.url
    token(page, 1, row=2).click()
    page.get_by_label("Sentence").fill("again")
    page.get_by_label("Sentence").press("Enter")
    expect(page.get_by_text("runs 3")).to_be_visible()
    settled(page)
    assert "text=again" in page.url and "pick=1.t2" in page.url and marked(page, 1) == [2]


@pytest.mark.parametrize("pick", ["9.t1", "1.t99", "1.", "t1", "-1.s1", "%3Cscript%3E", "1.t1s99"])
def test_a_pick_that_is_not_there_is_ignored(page: Page, app: str, pick: str) -> None:
    open_at(page, f"{app}/?pick={pick}")
    expect(page.get_by_text("runs 1")).to_be_visible()
    expect(page.locator(".panel h3")).to_have_count(4)
    assert "pick=" not in page.url


def test_keys_move_the_pick(page: Page, app: str) -> None:
    open_at(page, app)
    figure = page.locator('[data-panel="1"]')
    figure.focus()
    keys = ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowLeft", "End"]
    for key, code in zip(keys, ["1.t0", "1.t1", "1.t1s3", "1.t1s2", "1.t6s2"], strict=True):
        figure.press(key)
        assert page.locator(".alignment").get_attribute("data-picked") == code
    expect(page.locator(".unseen[aria-live]")).to_contain_text("Picked: <eos>.")
    figure.press("Escape")
    assert page.locator(".alignment").get_attribute("data-picked") is None


def test_words_sum_sources_and_average_targets(page: Page, app: str) -> None:
    open_at(page, app)
    page.get_by_role("button", name="Words").click()
    expect(page.locator(".note")).to_contain_text("summed over source pieces and averaged over target pieces")

    def merged() -> None:
        rows = table(page, 1)  # dot: t + able -> table, looking at ta + ble
        assert rows[0] == ["", "the", "red", "red", "table", "<s>", ".", "<eos>"]
        assert rows[2][0] == "table"
        assert [float(w) for w in rows[2][1:]] == pytest.approx([0.05, 0.05, 0.05, 0.70, 0.05, 0.05, 0.05], abs=0.011)

    eventually(page, merged)


def test_hiding_scales_what_is_left(page: Page, app: str) -> None:
    open_at(page, app)
    page.get_by_role("button", name="Hide").click()
    expect(page.locator(".note")).to_contain_text("scaled to sum to one")
    assert labels(page, 1, "column") == ["the", "red", "red", "ta", "ble", "<s>"]
    assert labels(page, 1, "row") == ["la", "table", "rouge", "<b>", "<s>"]

    def scaled() -> None:
        row = [float(w) for w in table(page, 0)[2][1:]]
        assert row == pytest.approx([0.03 / 0.94] * 3 + [0.79 / 0.94] + [0.03 / 0.94] * 2, abs=0.006)

    eventually(page, scaled)


def test_hiding_leaves_punctuation_within_words(page: Page, app: str) -> None:
    open_at(page, f"{app}/?case=clock&pick-view=words.hide")
    assert labels(page, 0, "column") == ["9:45", "p.m"]
    assert labels(page, 0, "row") == ["J'ai"]
    weights = [float(w) for w in table(page, 0)[1][1:]]  # of all three pieces: J and ' look at 9:45, ai looks at p.m
    clock, afternoon = (2 * 0.75 + 0.15) / 3, (2 * 0.15 + 0.75) / 3
    assert weights == pytest.approx([clock / (clock + afternoon), afternoon / (clock + afternoon)], abs=0.006)
    page.get_by_role("button", name="Pieces").click()
    assert labels(page, 0, "column") == ["9", "45", "p", "m"]


def shown(page: Page, panel: int) -> set[str]:
    groups = page.locator(f'[data-panel="{panel}"] svg.ribbons > g[fill="none"]')
    return set(groups.nth(0).locator("path").evaluate_all("paths => paths.map(path => path.dataset.link)"))


def lit(page: Page, panel: int) -> set[str]:
    groups = page.locator(f'[data-panel="{panel}"] svg.ribbons > g[fill="none"]')
    return set(groups.nth(1).locator("path").evaluate_all("paths => paths.map(path => path.dataset.link)"))


def test_ribbons_show_the_strongest_links(page: Page, app: str) -> None:
    open_at(page, app)
    page.get_by_role("button", name="Ribbons").click()
    # Additive has 0.79 on one source piece of each row: more than 70%. Transformer has 0.51 and 0.07 on each other.
    assert shown(page, 1) == {"0,0", "1,3", "2,1", "3,5", "4,5", "5,6", "6,7"}
    assert len(shown(page, 3)) == 6 * 4  # 0.51 + 3 * 0.07 is the first sum of at least 0.7
    expect(page.locator(".note")).to_contain_text("until 70% of its weight")
    page.get_by_label("Which ribbons are shown").select_option("least")
    assert len(shown(page, 3)) == 6  # of at least 10%
    expect(page.locator(".note")).to_contain_text("at least 10%")
    assert "pick-view=ribbons.least10" in page.url
    page.get_by_label("Threshold of the ribbons").fill("5")
    assert len(shown(page, 3)) == 6 * 8
    page.get_by_label("Threshold of the ribbons").fill("60")
    assert len(shown(page, 3)) == 0


def test_pointing_at_a_ribbon_view_dims_all_but_its_links(page: Page, app: str) -> None:
    open_at(page, f"{app}/?pick-view=ribbons.top100")
    token(page, 1, row=3).hover()
    assert lit(page, 1) == {f"3,{column}" for column in range(8)}
    assert float(page.locator('[data-panel="1"] svg.ribbons > g').first.get_attribute("opacity") or 1) < 0.3
    back = page.locator('[data-panel="1"] [data-column="5"] rect')
    assert back.get_attribute("data-tinted") is not None
    token(page, 1, column=5).hover()
    assert lit(page, 1) == {f"{row},5" for row in range(7)}
    assert page.locator('[data-panel="1"] [data-row="3"] rect').get_attribute("data-tinted") is not None
    token(page, 1, column=5).click()
    page.mouse.move(5, 5)
    assert lit(page, 1) == {f"{row},5" for row in range(7)}, "a click locks"
    token(page, 1, column=5).click()
    page.mouse.move(5, 5)
    assert lit(page, 1) == set()
    assert page.locator('[data-panel="1"] svg.ribbons > g').first.get_attribute("opacity") is None


def test_masked_cells_have_no_ribbon(page: Page, app: str) -> None:
    open_at(page, f"{app}/?case=causal&pick-view=ribbons.top100")
    assert shown(page, 0) == {"0,0", "1,0", "1,1", "2,0", "2,2"}


def test_ribbons_can_be_saved(page: Page, app: str) -> None:
    open_at(page, f"{app}/?pick-view=ribbons")
    root = ET.fromstring(save(page, "SVG"))
    paths = [path.get("data-link") for path in root.iter("{http://www.w3.org/2000/svg}path")]
    assert paths.count("1,3") >= 2


def test_a_decode_is_played_without_the_server(page: Page, app: str) -> None:
    open_at(page, f"{app}/?case=play")
    expect(page.locator(".player .where")).to_have_text("all 7 steps")
    page.get_by_role("button", name="First step").click()
    expect(page.locator(".player .where")).to_have_text("step 1 of 7: la")
    for panel in (1, 2, 3):
        cells = page.locator(f'[data-panel="{panel}"] [data-cell]')
        assert {cell.split(",")[0] for cell in cells.evaluate_all("c => c.map(x => x.dataset.cell)")} == {"0"}
    assert marked(page, 1) == [0], "the word of the step is marked"
    before = page.locator('[data-panel="1"] .figure, [data-panel="1"]').first.bounding_box()
    page.get_by_role("button", name="Step forward").click()
    slider = page.get_by_label("Step of the decoding")
    slider.focus()
    slider.press("ArrowRight")
    expect(page.locator(".player .where")).to_have_text("step 3 of 7: rouge")
    assert "pick-step=3" in page.url
    assert page.locator('[data-panel="1"]').bounding_box() == before, "stepping does not make the page jump"
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".player .where")).to_have_text("all 7 steps")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.get_by_text("runs 1")).to_be_visible()
    assert "pick-step" not in page.url


def test_a_link_reopens_the_step_and_one_beyond_the_end_shows_all(page: Page, app: str) -> None:
    open_at(page, f"{app}/?case=play&pick-step=2")
    expect(page.locator(".player .where")).to_have_text("step 2 of 7: table")
    open_at(page, f"{app}/?case=play&pick-step=70")
    expect(page.locator(".player .where")).to_have_text("all 7 steps")


def test_words_of_the_future_are_not_shown(page: Page, app: str) -> None:
    open_at(page, f"{app}/?case=causal&pick-step=2")
    unseen = page.locator('[data-panel="0"] g[visibility="hidden"] title')
    assert unseen.all_text_contents() == ["b", "b"]  # as a key and as a query
    assert page.locator("[data-cell]").evaluate_all("c => c.map(x => x.dataset.cell)") == ["0,0", "1,0", "1,1"]
    figure = page.locator('[data-panel="0"]')
    figure.press("End")
    assert marked(page, 0) == [1], "keys do not go beyond the step"


def save(page: Page, kind: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save {kind}").click()
    assert download.value.suggested_filename == f"the-red-red-table.{kind.lower()}"
    return Path(download.value.path()).read_bytes()


def test_saving_as_svg_png_and_csv(page: Page, app: str) -> None:
    open_at(page, app)
    root = ET.fromstring(save(page, "SVG"))
    texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0].strip() == "the red red table" and {"No attention", "Additive", "Dot", "Transformer"} <= set(texts)
    assert texts.count("red") == 8 and "<b>" in texts
    assert save(page, "PNG").startswith(b"\x89PNG")
    rows = list(csv.DictReader(io.StringIO(save(page, "CSV").decode("utf-8-sig"))))
    assert sum(row["model"] == "Additive" for row in rows) == 7 * 8
    row = next(row for row in rows if (row["model"], row["target"], row["source"]) == ("Dot", "t", "ta"))
    assert float(row["weight"]) == pytest.approx(0.65) and row["caption"] == "log P \u22121.25 · layer 1, head 1"


@pytest.mark.parametrize(("width", "across"), [(1280, 4), (800, 2), (390, 1)])
def test_panels_stand_side_by_side_where_they_fit(
    new_page: Callable[..., Page], app: str, width: int, across: int
) -> None:
    page = open_at(new_page(viewport={"width": width, "height": 720}), app)
    tops = [box["y"] for box in (p.bounding_box() for p in page.locator(".panel").all()) if box]
    assert tops.count(tops[0]) == across
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width


OVERLAPS = """figure => {
  const axis = name => [...figure.querySelectorAll(`g[data-${name}]`)].map(g => g.querySelector('text'));
  const cell = figure.querySelector('svg.body').clientHeight / figure.querySelectorAll('g[data-row]').length;
  const rows = axis('row').map(text => text.getBoundingClientRect());
  const tall = rows.some((box, i) => i && box.top < rows[i - 1].top + cell * 0.9);
  const heads = axis('column').map(text => ({ high: text.getBBox().height, g: text.parentNode.getCTM() }));
  const pitch = heads.slice(1).map((head, i) => Math.abs((head.g.e - heads[i].g.e) * head.g.b));
  const clipped = axis('row').some(text => text.getBBox().x < 0) || axis('column').some(text => {
    const box = text.getBoundingClientRect();
    const frame = text.ownerSVGElement.getBoundingClientRect();
    return box.top < frame.top - 1 || box.right > frame.right + 1;
  });
  const size = parseFloat(axis('column')[0].getAttribute('font-size'));
  return JSON.stringify({ cell, tall, clipped, pitch: Math.min(...pitch), size });
}"""


def test_a_long_sentence_scrolls_and_its_labels_stay_apart(page: Page, app: str) -> None:
    open_at(page, f"{app}/?case=long")
    figure = page.locator('[data-panel="1"]')
    found = json.loads(figure.evaluate(OVERLAPS))
    assert 14 <= found["cell"] < 14.1 and not found["tall"] and not found["clipped"]
    assert found["pitch"] >= found["size"]
    scroll = figure.locator(".scroll")
    assert scroll.evaluate("node => node.scrollWidth > node.clientWidth"), "sideways in itself"
    assert scroll.evaluate("node => node.scrollHeight <= node.clientHeight"), "all rows, down with the page"
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_the_vector_of_a_long_sentence_is_seen_at_first_sight(page: Page, app: str) -> None:
    open_at(page, f"{app}/?case=long")
    figure = page.locator('[data-panel="0"]')
    legend = figure.locator("text", has_text="32 numbers")
    foot = (page.locator(".foot").bounding_box() or {})["y"]
    for node in (legend, figure.locator("rect[data-value]").first, figure.locator("rect[data-value]").last):
        box = node.bounding_box() or {}
        assert box["y"] + box["height"] < min(foot, 720)
    expect(legend).to_be_in_viewport()


def test_words_of_mandarin_are_said_to_be_pieces(page: Page, app: str) -> None:
    said = "Mandarin has no spaces between words: there every piece counts as a word."
    open_at(page, f"{app}/?case=chinese&pick-view=words")
    expect(page.locator(".note")).to_contain_text(said)
    page.get_by_role("button", name="Pieces").click()
    expect(page.locator(".note")).not_to_contain_text(said)
    open_at(page, f"{app}/?pick-view=words")
    expect(page.locator(".note")).to_contain_text("Pieces are merged to words")
    expect(page.locator(".note")).not_to_contain_text(said)


def test_chinese_words_among_leaning_labels_are_written_downwards(page: Page, app: str) -> None:
    open_at(page, f"{app}/?case=chinese")
    columns = page.locator('[data-panel="0"] g[data-column]')
    upright = [columns.nth(i).get_attribute("transform") is None for i in range(columns.count())]
    assert upright == [True, True, True, True, False, False]  # the blank before them too
    heights = (columns.nth(1).locator("text").get_attribute("y") or "").split()
    assert len(heights) == 3 and list(map(float, heights)) == sorted(map(float, heights))
    boxes = (
        "all => all.map(g => { const b = g.querySelector('text').getBoundingClientRect(); return [b.left, b.right]; })"
    )
    places = columns.evaluate_all(boxes)
    assert all(left[1] <= right[0] + 1 for left, right in zip(places[1:3], places[2:4], strict=True))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SVG").click()
    assert "长颈鹿" in Path(download.value.path()).read_text(encoding="utf-8")


def test_the_dark_theme_starts_its_scale_at_a_dark_background(new_page: Callable[..., Page], app: str) -> None:
    page = open_at(new_page(color_scheme="dark"), app)
    low = page.locator('[data-panel="1"] [data-cell="1,0"]').get_attribute("fill") or ""
    assert max(int(v) for v in low[4:-1].split(",")) < 60


HOVER = """async figure => {
  const rows = [...figure.querySelectorAll('g[data-row] text')];
  const times = [];
  for (let i = 0; i < 40; i += 1) {
    const begin = performance.now();
    const move = new PointerEvent('pointermove', { bubbles: true, composed: true, pointerType: 'mouse' });
    rows[i % rows.length].dispatchEvent(move);
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b)[20];
}"""


@pytest.mark.parametrize("case", ["four", "long"])
def test_pointing_answers_within_50_ms(page: Page, app: str, case: str) -> None:
    open_at(page, f"{app}/?case={case}")

    def quick() -> None:  # once what the page does when it opens is done
        median = page.locator('[data-panel="1"]').evaluate(HOVER)
        print(f"hover to painted marks, {case}: {median:.0f} ms (median of 40)")
        assert median < 50

    eventually(page, quick)
