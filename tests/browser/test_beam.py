"""The beam tree in a browser: what it draws and where, replaying, ranking again, what-ifs and the address."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from nmtcore.decoding.trace import Trace
from nmtcore.text.words import sentence_names
from tests.browser.conftest import ROOT, addressed, drawn, eventually, layouts, not_addressed, settled, visit
from tests.browser.tree_app import search

APP = Path(__file__).parent / "tree_app.py"


@pytest.fixture
def app(serve: Callable[[Path], str]) -> str:
    return serve(APP)


@pytest.fixture(scope="module")
def trace() -> Trace:
    return search(5, 15)


def open_at(page: Page, address: str) -> Page:
    visit(page, address)
    drawn(page, ".tree .frame svg")
    return page


def node(page: Page, trace: Trace, step: int, fate: str = "kept", nth: int = 0) -> Locator:
    found = [n.id for n in trace.beam if n.step == step and n.fate == fate]
    return page.locator(f'.frame [data-node="{found[nth]}"]')


def place(page: Page) -> str:
    return page.locator(".player .where").inner_text()


def runs(page: Page, count: int) -> None:
    expect(page.get_by_text(re.compile(rf"^runs {count}, "))).to_be_visible()


def ranked(page: Page) -> list[int]:
    """The n-best list: ids of its ends, best first."""
    return page.locator(".ranking [data-end]").evaluate_all("rows => rows.map(row => Number(row.dataset.end))")


def slide(page: Page, label: str, value: float) -> None:
    slider = page.get_by_role("slider", name=label)
    for event in ("input", "change"):
        slider.evaluate(f"(s, v) => {{ s.value = v; s.dispatchEvent(new Event('{event}')); }}", value)


# Boxes of all chips and of the numbers under them, for every step, and where columns stand.
BOXES = """tree => [...tree.querySelectorAll('.frame [data-node]')].flatMap(group =>
  [...group.querySelectorAll('text')].filter(text => text.textContent).map(text => {
    const shape = text.getAttribute('text-anchor') ? [...group.querySelectorAll('rect')].at(-1) : text;
    const box = shape.getBBox();
    return [Number(group.dataset.node), box.x, box.y, box.x + box.width, box.y + box.height];
  }))"""

# How far the numbers of the present step reach out of its frame: at most, in px.
BEYOND = """(tree, step) => {
  const { x, width } = tree.querySelector('.frame .present rect').getBBox();
  const boxes = [...tree.querySelectorAll(`.frame [data-step="${step}"] [data-node] text`)].map(text => text.getBBox());
  return Math.max(...boxes.flatMap(box => [x - box.x, box.x + box.width - x - width]));
}"""

CHIPS = """tree => [...tree.querySelectorAll('.frame [data-step] [data-node]')].map(group => {
  const box = [...group.querySelectorAll('rect')].at(-1);
  return [Number(group.dataset.node), box.getAttribute('x'), box.getAttribute('y')];
})"""


def overlaps(boxes: list[list[float]], slack: float = 1.0) -> list[tuple[float, float]]:
    found = []
    for i, (one, left, top, right, bottom) in enumerate(boxes):
        for other, x, y, end, low in boxes[i + 1 :]:
            if left + slack < end and x + slack < right and top + slack < low and y + slack < bottom:
                found.append((one, other))
    return found


def test_it_opens_with_the_whole_tree_and_both_results(page: Page, app: str, trace: Trace) -> None:
    open_at(page, app)
    chips = page.locator('.frame [data-fate="kept"], .frame [data-fate="finished"]')
    assert chips.count() == sum(n.fate in ("kept", "finished", "winner") for n in trace.beam)
    assert page.locator(".frame [data-on-best]").count() == len(trace.target) + 1
    expect(page.locator('.lines [data-line="winner"] .text')).to_have_text(trace.text)
    expect(page.locator('.lines [data-line="greedy"] .text')).not_to_have_text(trace.text)
    expect(page.locator('.parting[data-line="greedy"]')).to_contain_text("They diverge at step 1: greedy takes “vu”")
    assert page.locator(".frame b, .results b b").count() == 0, "a token became a tag"
    not_addressed(page, "step")
    not_addressed(page, "alpha")


def test_nothing_overlaps_and_columns_stay_while_stepping(page: Page, app: str) -> None:
    open_at(page, app)
    tree = page.locator(".tree")
    first = {n: place for n, *place in tree.evaluate(CHIPS)}
    for step in range(1, 16):
        page.get_by_role("slider", name="Step").evaluate(
            "(s, v) => { s.value = v; s.dispatchEvent(new Event('input')); }", step
        )
        assert overlaps(tree.evaluate(BOXES)) == [], step
        assert tree.evaluate(BEYOND, step) < -2, step
        assert {n: place for n, *place in tree.evaluate(CHIPS)} == first, step


def test_the_stepper_replays_without_the_server(page: Page, app: str) -> None:
    open_at(page, app)
    page.get_by_role("button", name="First step").click()
    assert place(page) == "step 1 of 15"
    assert page.locator('.frame g[data-step="2"]').get_attribute("opacity") is not None
    page.get_by_role("button", name="Step forward").click()
    page.get_by_role("button", name="Step forward").click()
    page.get_by_role("button", name="Step back").click()
    assert place(page) == "step 2 of 15"
    addressed(page, "step=2")
    assert page.locator('.frame g[data-step="2"]').get_attribute("opacity") is None
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    slider.press("ArrowRight")
    assert place(page) == "step 3 of 15"
    page.get_by_role("button", name="Last step").click()
    assert place(page) == "step 15 of 15"

    def in_sight() -> None:  # it scrolls softly
        box, frame = page.locator('.frame g[data-step="15"]').bounding_box(), page.locator(".frame").bounding_box()
        assert box and frame and frame["x"] < box["x"] and box["x"] + box["width"] < frame["x"] + frame["width"]

    eventually(page, in_sight)
    runs(page, 1)


def test_arrow_keys_step_before_the_tree_is_clicked(page: Page, app: str) -> None:
    open_at(page, f"{app}/?step=4")
    page.keyboard.press("ArrowRight")
    assert place(page) == "step 5 of 15"
    page.get_by_role("button", name="Step back").click()
    page.keyboard.press("ArrowLeft")
    assert place(page) == "step 3 of 15" and page.locator(".card").count() == 0
    page.get_by_role("slider", name="Length penalty").press("ArrowRight")  # these have a use of their own for the keys
    page.get_by_label("Truth").press("ArrowRight")
    page.locator(".frame").press("ArrowRight")
    assert place(page) == "step 3 of 15" and page.locator(".card").count() == 1


def test_play_moves_on_by_itself(page: Page, app: str) -> None:
    open_at(page, f"{app}/?step=13")
    page.get_by_label("Speed").select_option("2")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".player .where")).to_have_text("step 15 of 15")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_pointing_shows_the_arithmetic(page: Page, app: str, trace: Trace) -> None:
    open_at(page, f"{app}/?step=3&alpha=0.625&beta=0.5")
    node(page, trace, 3, nth=1).hover()
    assert page.locator(".card dt sup").inner_text() == "0.6250"
    expect(page.locator(".card dd").nth(2)).to_have_text(f"= {(8 / 6) ** 0.625:.4f}")
    open_at(page, f"{app}/?step=3&alpha=1&beta=0.5")
    found = [n for n in trace.beam if n.step == 3 and n.fate == "kept"][1]
    node(page, trace, 3, nth=1).hover()
    text = page.locator(".card").inner_text().replace("\u2212", "-")
    assert f"= {found.log_probability:.3f}, p = " in re.sub(r"\s+", " ", text)
    assert f"= {found.total:.2f}" in text
    exponent = page.locator(".card dt sup").inner_text()
    assert "lp = ((5 + 3) / 6)" in text and exponent == "1.00"
    assert f"cp = 0.50 · ({found.coverage:.3f})" in text
    quotient = re.search(r"= (-[\d.]+) / ([\d.]+) ([-+]) ([\d.]+) = (-[\d.]+)", text)
    assert quotient and quotient[2] == f"{8 / 6:.4f}"
    log_p, lp, cp, score = (float(quotient[k]) for k in (1, 2, 4, 5))
    assert log_p / lp - cp == pytest.approx(score, abs=0.006), "who works it out finds the score beside it"
    assert text.count(f"= {found.score(1.0, 0.5):.2f}") == 1
    assert f"rank {found.rank} at this step" in text
    dropped = min((n for n in trace.beam if n.step == 3 and n.fate == "pruned"), key=lambda n: n.rank)
    page.locator(f'.frame [data-node="{dropped.id}"]').hover()
    expect(page.locator(".card .why")).to_contain_text(f"Dropped: rank {dropped.rank} at this step")
    page.mouse.move(2, 2)
    expect(page.locator(".card")).to_have_count(0)
    runs(page, 1)


def test_alpha_and_beta_rank_the_recorded_search_again(page: Page, app: str, trace: Trace) -> None:
    open_at(page, app)
    orders = set()
    for alpha, beta in [(0.6, 0.0), (0.0, 0.0), (1.3, 0.0), (2.0, 0.0), (2.0, 0.2), (0.9, 1.6), (0.0, 2.0)]:
        slide(page, "Length penalty", alpha)
        slide(page, "Coverage penalty", beta)
        expected = trace.ranked(alpha, beta)
        assert ranked(page) == [n.id for n in expected]
        score = page.locator(".ranking [data-end] td:last-child").first.inner_text().replace("\u2212", "-")
        assert score == f"{expected[0].score(alpha, beta):.2f}"
        assert page.locator(f'.frame [data-node="{expected[0].id}"][data-on-best]').count() == 1
        orders.add(tuple(n.id for n in expected))
    assert len(orders) > 2
    addressed(page, "beta=2")
    addressed(page, "alpha=0&")
    runs(page, 1)


def test_a_link_reopens_the_screen(new_page: Callable[..., Page], app: str, trace: Trace) -> None:
    first = open_at(new_page(), app)
    slide(first, "Length penalty", 2.0)
    first.get_by_role("button", name="every step").click()
    first.locator('.frame text[data-head="6"]').click()
    for part in ("alpha=2", "dropped=all", "step=6"):
        addressed(first, part)
    second = open_at(new_page(), first.url)
    assert place(second) == "step 6 of 15"
    assert ranked(second) == ranked(first) == [n.id for n in trace.ranked(2.0, 0.0)]
    expect(second.get_by_role("button", name="every step")).to_have_attribute("aria-pressed", "true")
    assert second.locator('.frame g[data-step="9"]').get_attribute("opacity") is None


def test_the_address_keeps_the_step_when_a_widget_writes_its_own(page: Page, app: str) -> None:
    open_at(page, f"{app}/?step=4&alpha=1.5")
    page.get_by_label("Truth").fill("hello")
    page.get_by_label("Truth").press("Enter")
    runs(page, 2)
    settled(page)
    for part in ("truth=hello", "step=4", "alpha=1.5"):
        addressed(page, part)
    assert place(page) == "step 4 of 15"


def test_dropped_candidates_can_be_hidden_or_all_shown(page: Page, app: str, trace: Trace) -> None:
    open_at(page, f"{app}/?step=4")
    small = page.locator('.frame [data-dropped="4"] [data-node], .frame [data-step="4"] [data-fate="pruned"]')
    at_step = sum(n.step == 4 and n.fate == "pruned" for n in trace.beam)
    few = small.count()
    assert 3 <= few < at_step
    page.locator(".frame [data-more]").click()
    assert small.count() == at_step
    page.get_by_role("button", name="hidden").click()
    assert page.locator(".frame [data-dropped] [data-node]").count() == 0
    page.get_by_role("button", name="every step").click()
    assert page.locator(".frame [data-node]").count() >= len(trace.beam)
    assert overlaps(page.locator(".tree").evaluate(BOXES)) == []


def test_keys_move_along_the_tree(page: Page, app: str, trace: Trace) -> None:
    open_at(page, f"{app}/?step=2")
    frame = page.locator(".frame")
    frame.focus()
    best = [n for n in trace.path(trace.ranked(0.6, 0.0)[0])]
    frame.press("ArrowDown")
    frame.press("ArrowRight")
    expect(page.locator(".card .card-title")).to_contain_text("step 3")
    expect(page.locator(".unseen[aria-live]")).to_contain_text("rank")
    frame.press("ArrowLeft")
    frame.press("ArrowDown")
    expect(page.locator(".card .card-title")).to_contain_text("step 2")
    assert best[1].token.removeprefix("▁") not in page.locator(".card .card-title").inner_text()
    frame.press("Enter")
    expect(page.get_by_role("button", name="Decode on from")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Decode on from")).to_have_count(0)
    frame.press("Escape")
    expect(page.locator(".card")).to_have_count(0)
    frame.press("Home")
    assert place(page) == "step 1 of 15"


def test_a_click_asks_the_server_what_if(page: Page, app: str, trace: Trace) -> None:
    open_at(page, f"{app}/?step=2")
    found = [n for n in trace.beam if n.step == 2 and n.fate == "kept"][0]
    ids = "-".join(str(n.token_id) for n in trace.path(found))
    for name, asked in [
        ("Decode on from", f"{{'whatif': 'on.{ids}'}}"),
        ("Forbid", f"{{'whatif': 'not.2.{found.token_id}'}}"),
        ("Compare", f"'compare': '{ids}'}}"),
    ]:
        node(page, trace, 2).click()
        page.get_by_role("dialog").get_by_role("button", name=name).click()
        expect(page.get_by_text(re.compile(re.escape(asked)))).to_be_visible()


def test_the_table_has_every_candidate_of_the_step(page: Page, app: str, trace: Trace) -> None:
    open_at(page, f"{app}/?step=3")
    page.get_by_text("All candidates of this step as a table").click()
    rows = page.locator(".candidates tbody tr")
    expect(rows).to_have_count(sum(n.step == 3 for n in trace.beam))
    assert [r.split("\t")[0] for r in rows.all_inner_texts()[:5]] == ["1", "2", "3", "4", "5"]
    page.get_by_role("button", name="Step forward").click()
    expect(page.locator(".candidates caption")).to_have_text("Dot: the candidates of step 4")


def save(page: Page, kind: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save {kind}").click()
    step = "" if kind == "CSV" else "step-3-"  # the table has all steps
    assert download.value.suggested_filename == f"{step}the-little-house.{kind.lower()}"
    return Path(download.value.path()).read_bytes()


def test_saving(page: Page, app: str, trace: Trace) -> None:
    open_at(page, f"{app}/?step=3")
    root = ET.fromstring(save(page, "SVG"))
    whole = next(root.iter("{http://www.w3.org/2000/svg}title")).text
    assert whole == "the little house. Dot, beam of width 5, alpha 0.6, beta 0, step 3 of 15"
    texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:2] == ["the little house", "Dot, beam of width 5, alpha 0.6, beta 0, step 3 of 15"]
    assert {"<b>rouge</b>", "extraordinaire", "<eos>"} <= set(texts)
    assert save(page, "PNG").startswith(b"\x89PNG")
    rows = list(csv.DictReader(io.StringIO(save(page, "CSV").decode("utf-8-sig"))))
    for row, n in zip(rows, trace.beam, strict=False):
        before = trace.beam[n.parent].token if n.parent >= 0 else ""
        name = sentence_names([before, n.token])[1]
        assert (int(row["id"]), int(row["parent"]), row["token"]) == (n.id, n.parent, name)
        assert float(row["score"]) == pytest.approx(n.score(0.6, 0.0), rel=1e-6)
    assert not any("\u2581" in value for row in rows for value in row.values()), "pieces as people read them"


@pytest.mark.parametrize("dropped", ["step", "all"])
def test_a_wide_and_long_search_is_laid_out_but_a_few_times(page: Page, app: str, dropped: str) -> None:
    open_at(page, f"{app}/?width=10&steps=34&dropped=none")
    button = page.get_by_role("button", name={"step": "this step", "all": "every step"}[dropped])
    found = layouts(page, button.click)
    assert page.locator(".frame [data-node]").count() > (2500 if dropped == "all" else 250)
    assert found <= 5, "however many nodes there are"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light")])
def test_it_fits_its_frame(new_page: Callable[..., Page], app: str, width: int, scheme: str) -> None:
    page = open_at(new_page(viewport={"width": width, "height": 720}, color_scheme=scheme), app)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".frame").evaluate("f => f.scrollWidth > f.clientWidth")
    assert overlaps(page.locator(".tree").evaluate(BOXES)) == []
    page.locator(".frame [data-node]").nth(2).click()
    box = page.locator(".card").bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= width


@pytest.fixture
def real(serve: Callable[[Path], str], shelf: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ALIGNMENT_LAB_PRETRAINED", str(shelf))
    return f"{serve(ROOT / 'app.py')}/beam?text=a+red+cat&model=Dot"


def test_click_a_node_see_the_new_branch_and_undo_it(new_page: Callable[..., Page], real: str) -> None:
    page = open_at(new_page(), real)
    stamp = page.locator(".tree").get_attribute("data-stamp") or ""
    before = page.locator('.lines [data-line="winner"] .text').inner_text()
    page.get_by_role("button", name="First step").click()  # later steps become faint
    page.get_by_role("button", name="Step forward").click()
    dropped = page.locator('.frame [data-dropped="2"] [data-node]').first
    dropped.click()
    page.get_by_role("button", name="Decode on from").click()
    expect(page.locator(".tree")).not_to_have_attribute("data-stamp", stamp)
    expect(page.locator(".whatif")).to_have_count(1)
    expect(page.locator(".whatif")).to_contain_text("decode on from")
    expect(page).to_have_url(re.compile(r"whatif=on\.\d+-\d+(&|$)"))
    expect(page.locator('.lines [data-line="before"] .text')).to_have_text(before)
    assert page.locator('.frame [data-step="2"] [data-fate="kept"]').count() == 1

    other = open_at(new_page(), page.url)
    assert other.locator(".whatif").inner_text() == page.locator(".whatif").inner_text()
    assert (
        other.locator('.lines [data-line="winner"] .text').inner_text()
        == page.locator('.lines [data-line="winner"] .text').inner_text()
    )

    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".tree")).to_have_attribute("data-stamp", stamp)
    expect(page.locator(".whatif")).to_have_count(0)
    not_addressed(page, "whatif")


def test_an_example_brings_its_own_penalties(new_page: Callable[..., Page], real: str) -> None:
    page = open_at(new_page(), real)
    slide(page, "Length penalty", 2.0)
    addressed(page, "alpha=2")
    page.get_by_role("button", name="Try").click()
    page.get_by_role("button", name="greedy is misled").first.click()
    expect(page.locator(".penalty output").first).to_have_text("0.60")
    not_addressed(page, "alpha")


def test_the_sliders_say_what_they_do_and_where_the_winner_changes(page: Page, app: str, trace: Trace) -> None:
    open_at(page, app)
    expect(page.locator(".penalty .does")).to_have_text(["prefers longer", "covers every source word"])
    words = page.locator(".ranking .changes").inner_text()
    winners = {round(alpha / 100, 2): trace.ranked(alpha / 100, 0.0)[0] for alpha in range(201)}
    changed = [a for a in winners if a and winners[a].id != winners[round(a - 0.01, 2)].id]
    assert ("for every α" in words) == (page.locator(".penalty .ticks").first.locator("i").count() == 0)
    for alpha in changed[:1]:
        found = re.search(r"α (?:= |at |below )(\d+\.\d+)", words)
        assert found and float(found[1]) == pytest.approx(alpha, abs=0.011)
