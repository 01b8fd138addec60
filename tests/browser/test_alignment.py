"""The alignment component in a browser: what it draws, links, picks, merges and writes into the address."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.alignment_page import labels, marked, open_at, table, token
from tests.browser.conftest import addressed, choose, eventually, not_addressed, settled

SHOWN = ["the", "red", "red", "ta", "ble", "<s>", ".", "<eos>"]


def test_four_panels_with_the_right_labels_and_colours(page: Page, alignment: str) -> None:
    open_at(page, alignment)
    expect(page.locator(".panel h3")).to_have_text(["No attention", "Additive", "Dot", "Transformer"])
    for panel in range(1, 4):
        assert labels(page, panel, "column") == SHOWN  # repeated tokens keep their columns
    assert labels(page, 0, "column") == ["·ble" if name == "ble" else name for name in SHOWN]
    assert labels(page, 1, "row") == ["la", "table", "rouge", "<b>", "<s>", ".", "<eos>"]
    assert labels(page, 3, "row") == ["une", "ta", "ble", "rouge", "␣", "<eos>"]
    assert page.locator('[data-panel="0"] rect[data-value]').count() == 32
    tops = {round(box["y"]) for box in (p.bounding_box() for p in page.locator(".figure").all()) if box}
    assert len(tops) == 1, "four across at 1280 px"
    # Weights are coloured on a fixed scale.
    cell = page.locator('[data-panel="1"] [data-cell="1,3"]').get_attribute("fill")
    assert cell == f"rgb({','.join(str(round(255 + (v - 255) * 0.79)) for v in (0xE6, 0x9F, 0x00))})"
    assert page.locator('[data-panel="3"] [data-cell="1,3"]').get_attribute("fill") == "rgb(125,183,216)"  # 0.51


def test_a_piece_that_goes_on_with_a_word_has_a_dot(page: Page, alignment: str) -> None:
    open_at(page, alignment)
    for axis, label in (("column", "ble"), ("row", "ble")):
        dots = page.locator(f'[data-panel="3"] [data-{axis}]:has(circle[data-goes-on]) text')
        assert [text.strip() for text in dots.all_text_contents()] == [label]
        dots.first.hover()
        expect(page.locator(".line")).to_contain_text("·ble")
    choose(page, "Words")
    expect(page.locator("circle[data-goes-on]")).to_have_count(0)


def test_masked_cells_are_not_drawn_as_zero(page: Page, alignment: str) -> None:
    open_at(page, f"{alignment}/?case=causal")
    drawn = page.locator("[data-cell]").evaluate_all("cells => cells.map(cell => cell.dataset.cell)")
    assert sorted(drawn) == ["0,0", "1,0", "1,1", "2,0", "2,2"]
    rows = table(page, 0)
    assert rows[1] == ["<sos>", "1.00", "", ""] and rows[3] == ["·b", "0.50", "0.00", "0.50"]
    lines = page.locator("svg.body path[stroke]").get_attribute("d") or ""
    assert lines.count("v") == 2 + 3 + 4  # the grid ends where the mask begins
    hatched = page.locator("svg.body rect[data-masked]")
    assert [float(bar.get_attribute("x") or 0) > 0 for bar in hatched.all()] == [True, True]  # <sos> and a


def test_pointing_marks_the_same_source_words_everywhere(page: Page, alignment: str) -> None:
    open_at(page, alignment)
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


def test_each_panel_is_tinted_by_its_own_weights_in_its_own_colour(page: Page, alignment: str) -> None:
    open_at(page, alignment)
    token(page, 2, row=3).hover()  # rouge: Dot looks 0.65 at the first "red", the Transformer 0.51
    backs = [page.locator(f'[data-panel="{panel}"] [data-column="1"] rect') for panel in (1, 2, 3)]
    cells = [page.locator(f'[data-panel="{panel}"] [data-cell="{row},1"]') for panel, row in ((1, 2), (2, 3), (3, 3))]
    fills = [back.get_attribute("fill") for back in backs]
    assert fills == [cell.get_attribute("fill") for cell in cells] and len(set(fills)) == 3
    assert page.locator('[data-panel="0"] [data-tinted]').count() == 0, "the model without attention looks at no word"


def test_pointing_dims_all_but_the_rows_that_look_there(page: Page, alignment: str) -> None:
    open_at(page, alignment)
    veils = [page.locator(f'[data-panel="{panel}"] path[data-dimmed]') for panel in (1, 2, 3)]
    token(page, 1, row=1).hover()
    for veil, rows in zip(veils, (7, 7, 6), strict=True):
        assert (veil.get_attribute("d") or "").count("M") == rows - 1
    token(page, 1, column=0).hover()
    assert (veils[2].get_attribute("d") or "").count("M") == 6, "a bar of each row, beside the first column"
    page.mouse.move(5, 5)
    assert [veil.count() for veil in veils] == [0, 0, 0]


def test_the_sentence_names_what_a_row_really_looks_at(page: Page, alignment: str) -> None:
    open_at(page, f"{alignment}/?case=apart")
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


def test_picking_stays_without_the_server(page: Page, alignment: str) -> None:
    open_at(page, alignment)
    token(page, 2, row=3).click()
    page.mouse.move(5, 5)
    expect(page.locator(".line")).to_contain_text("Picked: rouge.")
    assert marked(page, 2) == [3] and marked(page, 1) == [2] and marked(page, 3) == [3]
    addressed(page, "pick=2.t3")
    expect(page.get_by_text("runs 1")).to_be_visible()
    token(page, 2, row=3).click()
    page.mouse.move(5, 5)
    assert marked(page, 2) == []
    not_addressed(page, "pick")


def test_a_link_reopens_the_pick_and_the_switches(new_page: Callable[..., Page], alignment: str) -> None:
    first = open_at(new_page(), alignment)
    choose(first, "Words")
    token(first, 1, row=1).click()
    addressed(first, "pick=1.t1")
    second = open_at(new_page(), first.url)
    assert labels(second, 1, "column") == ["the", "red", "red", "table", "<s>", ".", "<eos>"]
    expect(second.locator(".line")).to_contain_text("Picked: table.")
    assert marked(second, 1) == [1]
    expect(second.get_by_text("runs 1")).to_be_visible()


def test_the_address_keeps_the_pick_when_a_widget_writes_its_own(page: Page, alignment: str) -> None:
    open_at(page, alignment)
    token(page, 1, row=1).click()
    page.get_by_label("Sentence").fill("hello")
    page.get_by_label("Sentence").press("Enter")
    expect(page.get_by_text("runs 2")).to_be_visible()
    addressed(page, "text=hello")
    addressed(page, "pick=1.t1")
    token(page, 1, row=2).click()
    page.get_by_label("Sentence").fill("again")
    page.get_by_label("Sentence").press("Enter")
    expect(page.get_by_text("runs 3")).to_be_visible()
    settled(page)
    addressed(page, "text=again")
    addressed(page, "pick=1.t2")
    assert marked(page, 1) == [2]


@pytest.mark.parametrize("pick", ["9.t1", "1.t99", "%3Cscript%3E", "1.t1s99"])
def test_a_pick_that_is_not_there_is_ignored(page: Page, alignment: str, pick: str) -> None:
    open_at(page, f"{alignment}/?pick={pick}")
    expect(page.get_by_text("runs 1")).to_be_visible()
    expect(page.locator(".panel h3")).to_have_count(4)
    not_addressed(page, "pick")


def test_keys_move_the_pick(page: Page, alignment: str) -> None:
    open_at(page, alignment)
    figure = page.locator('[data-panel="1"]')
    figure.focus()
    keys = ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowLeft", "End"]
    for key, code in zip(keys, ["1.t0", "1.t1", "1.t1s3", "1.t1s2", "1.t6s2"], strict=True):
        figure.press(key)
        assert page.locator(".alignment").get_attribute("data-picked") == code
    expect(page.locator(".unseen[aria-live]")).to_contain_text("Picked: <eos>.")
    figure.press("Escape")
    assert page.locator(".alignment").get_attribute("data-picked") is None


def test_words_sum_sources_and_average_targets(page: Page, alignment: str) -> None:
    open_at(page, alignment)
    choose(page, "Words")
    expect(page.locator(".note")).to_contain_text("summed over source pieces and averaged over target pieces")

    def merged() -> None:
        rows = table(page, 1)  # dot: t + able -> table, looking at ta + ble
        assert rows[0] == ["", "the", "red", "red", "table", "<s>", ".", "<eos>"]
        assert rows[2][0] == "table"
        assert [float(w) for w in rows[2][1:]] == pytest.approx([0.05, 0.05, 0.05, 0.70, 0.05, 0.05, 0.05], abs=0.011)

    eventually(page, merged)


def test_hiding_scales_what_is_left(page: Page, alignment: str) -> None:
    open_at(page, alignment)
    choose(page, "Hide")
    expect(page.locator(".note")).to_contain_text("scaled to sum to one")
    assert labels(page, 1, "column") == ["the", "red", "red", "ta", "ble", "<s>"]
    assert labels(page, 1, "row") == ["la", "table", "rouge", "<b>", "<s>"]

    def scaled() -> None:
        row = [float(w) for w in table(page, 0)[2][1:]]
        assert row == pytest.approx([0.03 / 0.94] * 3 + [0.79 / 0.94] + [0.03 / 0.94] * 2, abs=0.006)

    eventually(page, scaled)


def test_hiding_leaves_punctuation_within_words(page: Page, alignment: str) -> None:
    open_at(page, f"{alignment}/?case=clock&pick-view=words.hide")
    assert labels(page, 0, "column") == ["9:45", "p.m"]
    assert labels(page, 0, "row") == ["J'ai"]
    weights = [float(w) for w in table(page, 0)[1][1:]]  # of all three pieces: J and ' look at 9:45, ai looks at p.m
    clock, afternoon = (2 * 0.75 + 0.15) / 3, (2 * 0.15 + 0.75) / 3
    assert weights == pytest.approx([clock / (clock + afternoon), afternoon / (clock + afternoon)], abs=0.006)
    choose(page, "Pieces")
    assert labels(page, 0, "column") == ["9", "45", "p", "m"]
