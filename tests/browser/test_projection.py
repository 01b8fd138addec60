"""Projection: opened by a link, stepped by keys, left by Escape; a pinned picture beside the present one."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, drawn, eventually, not_addressed, visit

SENTENCES = {
    6: "The black cat drinks warm milk.",
    12: "My grandmother is responsible for the beautiful old furniture in the apartment.",
    20: "The old teacher of my little sister reads a long story to the tired children in the quiet garden today.",
}


def zoom(page: Page) -> float:
    return float(page.locator(".st-key-steps").evaluate("node => node.currentCSSZoom"))


def test_a_link_opens_projected_keys_step_and_escape_leaves(new_page: Callable[..., Page], app: str) -> None:
    page = new_page(viewport={"width": 1920, "height": 1080})
    page.goto(f"{app}/additive?projection=on&decoder-step=1.6")
    walk = page.locator(".walk.projected")
    expect(walk).to_have_attribute("data-step", "1.6")
    expect(page.locator(".projection-caption")).to_contain_text("Additive attention · She bought")
    for hidden in (walk.locator(".player"), page.get_by_label("Sentence to translate"), page.get_by_text("Try:")):
        expect(hidden).to_be_hidden()

    def fills() -> None:
        box = page.locator(".st-key-steps").bounding_box()
        assert box and box["x"] == 0 and abs(box["width"] - 1920) < 1 and abs(box["y"] + box["height"] - 1080) < 1
        assert zoom(page) > 1.3

    eventually(page, fills)
    page.keyboard.press("ArrowRight")
    expect(walk).to_have_attribute("data-step", "2.1")
    addressed(page, "decoder-step=2.1")
    addressed(page, "projection=on")
    # A click counts in the picture's own px, whatever it is enlarged by: on the last row of the sources.
    row = walk.locator("[data-source]").last
    row.click()
    expect(row).to_have_attribute("aria-selected", "true")
    cells = walk.locator(".matrix svg.body")
    cell = float(cells.get_attribute("height") or 0) / walk.locator(".matrix [data-row]").count()
    cells.click(position={"x": 4, "y": 2.5 * cell * zoom(page)})  # the third row
    expect(walk).to_have_attribute("data-step", "3.3")
    addressed(page, "decoder-step=3.3")
    page.keyboard.press("Escape")
    not_addressed(page, "projection")
    expect(page.get_by_label("Sentence to translate")).to_be_visible()
    expect(page.locator(".walk .player")).to_be_visible()
    assert zoom(page) == 1
    addressed(page, "decoder-step=3.3")

    page.keyboard.press("p")
    addressed(page, "projection=on")
    page.mouse.move(300, 300)
    page.get_by_role("button", name="Leave the projection (Esc)").click()
    not_addressed(page, "projection")
    sentence = page.get_by_label("Sentence to translate")
    sentence.press("End")
    sentence.press("p")
    expect(sentence).to_have_value("She bought a beautiful red dress.p")
    not_addressed(page, "projection")


# What is seen first of a page that a link opens projected: its title, or its picture.
FIRST_SEEN = """() => new Promise((done) => {
  let since = null;
  const look = () => {
    if (document.documentElement.hasAttribute("data-projected")) return done("the picture");
    const title = document.querySelector('[data-testid="stMain"] h1');
    if (document.querySelector('[data-testid="stApp"]')) since ??= performance.now();
    const seen = title?.checkVisibility({ visibilityProperty: true });
    if (seen) return done(performance.now() - since < 4000 ? "the page" : "the page, late");
    requestAnimationFrame(look);
  };
  look();
})"""


def test_the_page_is_not_seen_before_its_projected_picture(page: Page, app: str) -> None:
    page.goto(f"{app}/dot?projection=on&text=a+red+cat", wait_until="commit")
    assert page.evaluate(FIRST_SEEN) != "the page"
    drawn(page, ".walk.projected .diagram")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    # Without a picture the page is shown after a while.
    page.goto(f"{app}/corpus?projection=on", wait_until="commit")
    assert page.evaluate(FIRST_SEEN) == "the page, late"


def test_the_pane_of_a_layer_is_enlarged_without_its_controls(new_page: Callable[..., Page], app: str) -> None:
    page = new_page(viewport={"width": 1920, "height": 1080})
    page.goto(f"{app}/transformer?pane=layer&projection=on&text=a+red+cat")
    rows = drawn(page, ".residual-stream.projected .rows svg")
    picture = page.locator(".st-key-residual-stream")

    def whole() -> None:
        box, place = rows.bounding_box(), picture.bounding_box()
        assert box and place and box["height"] > 1.2 * float(rows.get_attribute("height") or 0)
        assert box["x"] + box["width"] <= place["width"] and box["y"] + box["height"] <= 1080

    eventually(page, whole)
    expect(page.get_by_text("Decoder layer 1.", exact=True)).to_be_visible()  # whose buttons are hidden
    for hidden in (".choices", ".lens", ".saving"):
        expect(page.locator(f".residual-stream {hidden}").first).to_be_hidden()
    # A window too low for it shows that it goes on, and turns it over by the keys of presenters.
    page.set_viewport_size({"width": 1280, "height": 240})
    expect(page.locator(".projection-more[data-seen]")).to_have_count(1)
    page.keyboard.press("PageDown")

    def scrolled() -> None:
        assert picture.evaluate("node => node.scrollTop") > 0

    eventually(page, scrolled)


def test_escape_lets_go_of_a_pick_before_it_leaves(page: Page, app: str) -> None:
    visit(page, app)
    drawn(page, '[data-panel="1"] svg')
    page.get_by_role("button", name="Project", exact=True).click()
    addressed(page, "projection=on")
    page.locator('[data-panel="1"] [data-row="0"]').click()
    addressed(page, "pick=1.t0")
    page.keyboard.press("Escape")
    not_addressed(page, "pick")
    addressed(page, "projection=on")
    page.keyboard.press("Escape")
    not_addressed(page, "projection")


def test_a_picture_is_pinned_and_stands_beside_another_head(page: Page, app: str) -> None:
    visit(page, f"{app}/transformer?head=cross.1.2&text=a+red+cat")
    title = drawn(page, ".panel h3")
    expect(title).to_have_text("Layer 1, head 2")
    page.get_by_role("button", name="Pin", exact=True).click()
    beside = page.get_by_role("button", name="Side by side")
    expect(beside).to_be_visible()
    addressed(page, "pin=transformer")
    page.locator('.thumb[data-head="1.0"] .enlarge').click()
    expect(title).to_have_text("Layer 2, head 1")
    beside.click()
    addressed(page, "projection=beside")
    frame = page.frame_locator(".projection-pinned iframe")
    expect(frame.locator(".panel h3")).to_have_text("Cross attention · Layer 1, head 2")
    expect(frame.locator(".projection-caption")).to_contain_text("Transformer · a red cat")
    expect(title).to_have_text("Cross attention · Layer 2, head 1")

    def halves() -> None:
        left, right = page.locator(".projection-pinned").bounding_box(), page.locator(".st-key-heads").bounding_box()
        assert left and right and left["x"] == 0 and abs(left["width"] - right["x"]) < 1 and abs(right["x"] - 640) < 1

    eventually(page, halves)

    def alike() -> None:
        """Both pictures have as many pieces: neither stays smaller because it was measured before it was drawn anew."""
        left, right = (one.locator(".st-key-heads").evaluate("node => node.currentCSSZoom") for one in (frame, page))
        assert left == right > 1

    eventually(page, alike)
    frame.locator(".panel h3").click()
    page.keyboard.press("Escape")  # in the frame: both pictures go
    not_addressed(page, "projection")
    page.get_by_role("button", name="Unpin").click()
    expect(beside).to_have_count(0)
    not_addressed(page, "pin")


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720)])
@pytest.mark.parametrize("words", [6, 20])
def test_four_models_fill_the_window_in_large_type(
    new_page: Callable[..., Page], shipped: str, width: int, height: int, words: int
) -> None:
    page = new_page({"width": width, "height": height})
    page.goto(f"{shipped}/?projection=on&text={SENTENCES[words].replace(' ', '+')}")
    drawn(page, ".alignment.projected .panel:nth-child(4) .figure .body")

    def fills() -> None:
        boxes = [box for figure in page.locator(".panel .figure").all() if (box := figure.bounding_box())]
        assert len(boxes) == 4 and max(box["y"] for box in boxes) - min(box["y"] for box in boxes) < 2
        assert all(box["height"] > 0.5 * height and box["y"] + box["height"] < height for box in boxes)
        sizes = page.locator(".figure svg:not(.vector) text").evaluate_all(
            "all => all.map((t) => parseFloat(getComputedStyle(t).fontSize) * t.currentCSSZoom)"
        )
        assert min(sizes) >= 0.99 * 18 * height / 1080  # px, of words and of numbers
        cell = page.locator(".figure [data-cell]").first.bounding_box()
        assert cell and cell["width"] >= {6: 38, 20: 15}[words] * width / 1920
        assert bool(page.locator(".figure svg.body text").count()) == (words == 6), "numbers where they can be read"

    eventually(page, fills)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".projected .line")).to_contain_text("step 1 of")


def test_a_long_word_leaves_the_cells_their_numbers(new_page: Callable[..., Page], shipped: str) -> None:
    page = new_page({"width": 1920, "height": 1080})
    page.goto(f"{shipped}/?projection=on&text=Our+teacher+found+an+old+map.")  # "professeur", in all models
    drawn(page, ".alignment.projected .panel:nth-child(4) .figure .body")

    def numbered() -> None:
        cell = page.locator(".figure [data-cell]").first.bounding_box()
        assert cell and cell["width"] >= 37 and cell["height"] <= 1.45 * cell["width"]
        assert page.locator(".figure svg.body text").count() > 20
        sizes = page.locator(".figure svg:not(.vector) text").evaluate_all(
            "all => all.map((t) => parseFloat(getComputedStyle(t).fontSize) * t.currentCSSZoom)"
        )
        assert min(sizes) >= 0.99 * 18
        vector = page.locator("svg.vector g[shape-rendering]").bounding_box()  # of the model without attention
        assert vector and vector["width"] >= 60 and vector["height"] >= 250

    eventually(page, numbered)


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720)])
@pytest.mark.parametrize("name", ["additive", "dot"])
def test_all_rows_of_twenty_words_are_read_from_the_back(
    new_page: Callable[..., Page], shipped: str, name: str, width: int, height: int
) -> None:
    page = new_page({"width": width, "height": height})
    page.goto(f"{shipped}/{name}?projection=on&text={SENTENCES[20].replace(' ', '+')}&decoder-step=3.6")
    rows = drawn(page, ".walk.projected .rows")

    def whole() -> None:
        assert rows.evaluate("rows => rows.scrollHeight <= rows.clientHeight + 1")
        box = page.locator(".walk .diagram").bounding_box()
        assert box and box["y"] + box["height"] < height
        sizes = page.locator(".walk .diagram text, .walk .matrix text, .walk .chip, .walk .explain .says").evaluate_all(
            "all => all.map((t) => parseFloat(getComputedStyle(t).fontSize) * t.currentCSSZoom)"
        )
        assert min(sizes) >= 0.99 * 18 * height / 1080

    eventually(page, whole)


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720)])
@pytest.mark.parametrize("words", [6, 20])
def test_the_heads_and_the_enlarged_one_fill_the_window(
    new_page: Callable[..., Page], shipped: str, width: int, height: int, words: int
) -> None:
    page = new_page({"width": width, "height": height})
    page.goto(f"{shipped}/transformer?projection=on&text={SENTENCES[words].replace(' ', '+')}")
    drawn(page, ".alignment.projected .panel .figure .body")

    def fills() -> None:
        figure, grid = page.locator(".panel .figure").bounding_box(), page.locator(".thumbs").bounding_box()
        assert figure and figure["height"] > 0.7 * height and figure["y"] + figure["height"] < height
        assert grid and grid["width"] + figure["width"] > 0.75 * width and grid["height"] > 0.55 * height
        sizes = page.locator(".figure svg text").evaluate_all(
            "all => all.map((t) => parseFloat(getComputedStyle(t).fontSize) * t.currentCSSZoom)"
        )
        assert min(sizes) >= 0.99 * 18 * height / 1080
        cell = page.locator(".figure [data-cell]").first.bounding_box()
        assert cell and cell["width"] >= {6: 70, 20: 24}[words] * width / 1920

    eventually(page, fills)


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720)])
@pytest.mark.parametrize("words", [6, 12])
def test_the_names_beside_the_vector_are_whole(
    new_page: Callable[..., Page], shipped: str, width: int, height: int, words: int
) -> None:
    page = new_page({"width": width, "height": height})
    page.goto(f"{shipped}/?projection=on&text={SENTENCES[words].replace(' ', '+')}")
    drawn(page, ".alignment.projected .panel:nth-child(4) .figure .body")
    names = page.locator("svg.vector g[data-column], svg.vector g[data-row]")

    def whole() -> None:
        shown = [[text.strip() for text in name.locator("title, text").all_text_contents()] for name in names.all()]
        assert len(shown) > 2 * words and not [text for title, text in shown if text != title.partition(", P")[0]]
        sizes = names.locator("text").evaluate_all(
            "all => all.map((t) => parseFloat(getComputedStyle(t).fontSize) * t.currentCSSZoom)"
        )
        assert min(sizes) >= 0.99 * 18 * height / 1080

    eventually(page, whole)


def test_the_picture_that_is_looked_at_is_projected_and_page_down_goes_on(page: Page, app: str) -> None:
    visit(page, f"{app}/positions?section=waves&text=a+red+cat")
    curves = page.locator(".st-key-figure-curves")
    curves.scroll_into_view_if_needed()
    drawn(page, ".st-key-figure-curves canvas, .st-key-figure-curves svg")
    page.evaluate("() => document.querySelector('.st-key-figure-curves').scrollIntoView({ block: 'start' })")
    page.keyboard.press("p")
    addressed(page, "picture=figure-curves")
    expect(page.locator(".projection-caption")).to_contain_text("picture ")

    def alone(key: str) -> None:
        box = page.locator(f".st-key-{key}").bounding_box()
        assert box and abs(box["width"] - 1280) < 1 and box["x"] == 0

    eventually(page, lambda: alone("figure-curves"))
    before = page.locator(".projection-caption").text_content()
    page.keyboard.press("PageDown")
    expect(page).not_to_have_url(re.compile("picture=figure-curves"))
    expect(page.locator(".projection-caption")).not_to_have_text(before or "")
    page.keyboard.press("PageUp")
    eventually(page, lambda: alone("figure-curves"))


def test_page_down_goes_on_in_the_next_section(page: Page, app: str) -> None:
    visit(page, f"{app}/positions?projection=on&text=a+red+cat")
    caption = page.locator(".projection-caption")

    def alone(key: str) -> None:
        box = page.locator(f".st-key-{key}").bounding_box()
        assert box and abs(box["width"] - 1280) < 1 and box["x"] == 0

    # The lesson itself comes first: the translations of both orders.
    eventually(page, lambda: alone("orders-and-translations"))
    expect(page.get_by_text("Shuffled, with positions", exact=True)).to_be_visible()
    for key, said in (
        (
            "figure-moved-kept",
            "How far the encoder's outputs move when the words are shuffled. With positions: a red cat",
        ),
        ("figure-moved-removed", "Positions of the source removed: a red cat · picture 3 of 3"),
        ("figure-curves", "Positional encodings by dimension"),
    ):
        page.keyboard.press("PageDown")
        eventually(page, lambda key=key: alone(key))
        expect(caption).to_contain_text(said)
    addressed(page, "section=waves")
    page.keyboard.press("PageUp")
    eventually(page, lambda: alone("figure-moved-removed"))
    not_addressed(page, "section")


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_the_numbers_of_masks_are_read_and_scrolled_to(
    new_page: Callable[..., Page], app: str, width: int, height: int
) -> None:
    page = new_page({"width": width, "height": height})
    page.goto(f"{app}/transformer?pane=batch&projection=on&text=the+old+cat+sees+a+red+house+and+a+big+dog")
    drawn(page, ".masks.projected .matrices .body")
    numbers = page.locator(".masks .matrices .body g[font-size] text")

    def read() -> None:
        sizes = numbers.evaluate_all(
            "all => all.map((t) => parseFloat(getComputedStyle(t).fontSize) * t.currentCSSZoom)"
        )
        assert len(sizes) > 100 and min(sizes) >= 0.99 * 18 * height / 1080
        right = [box["x"] + box["width"] for one in page.locator(".masks figure").all() if (box := one.bounding_box())]
        assert len(right) == 6 and max(right) <= width

    eventually(page, read)
    for _ in range(10):
        page.keyboard.press("PageDown")
    expect(page.locator(".masks figure").last).to_be_in_viewport()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_rows_of_a_layer_use_the_height(new_page: Callable[..., Page], app: str, size: tuple[int, int]) -> None:
    width, height = size
    page = new_page({"width": width, "height": height})
    page.goto(f"{app}/transformer?pane=layer&projection=on&text=a+red+cat")
    rows = drawn(page, ".residual-stream.projected .rows svg")

    def fills() -> None:
        box = rows.bounding_box()
        assert box and 0.8 * height <= box["height"] and box["y"] + box["height"] <= height
        assert 0.95 * width <= box["width"] <= width

    eventually(page, fills)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_a_chart_is_as_wide_as_the_window(new_page: Callable[..., Page], app: str, width: int, height: int) -> None:
    page = new_page({"width": width, "height": height})
    visit(page, f"{app}/positions?projection=on&picture=figure-moved-kept&text=a+cat")
    chart = page.locator(".st-key-figure-moved-kept")

    def whole() -> None:
        drawn = chart.locator("[data-testid=stVegaLiteChart] :is(svg.marks, canvas)").first.bounding_box()
        assert drawn and 0.9 * width <= drawn["width"] and drawn["x"] + drawn["width"] <= width + 1

    eventually(page, whole)
    expect(chart.get_by_text("Save")).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("words", [12, 20])
def test_the_tree_is_whole_as_long_as_it_can_be_read(
    new_page: Callable[..., Page], shipped: str, width: int, height: int, words: int
) -> None:
    page = new_page({"width": width, "height": height})
    page.goto(f"{shipped}/beam?projection=on&text={SENTENCES[words].replace(' ', '+')}")
    tree = drawn(page, ".tree .frame")
    present = tree.locator("[data-head] text[font-weight='700']")

    def read() -> None:
        assert tree.evaluate("frame => frame.clientWidth > 0.95 * innerWidth / frame.currentCSSZoom")
        whole = tree.evaluate("frame => frame.scrollWidth <= frame.clientWidth")
        assert whole == (words == 12)
        # Of every chip, those of dropped candidates too; the numbers under them are smaller.
        sizes = tree.locator("[data-node] text[font-family]").evaluate_all(
            "all => all.map((t) => parseFloat(getComputedStyle(t).fontSize) * t.currentCSSZoom)"
        )
        assert len(sizes) > 60 and min(sizes) >= 0.99 * 18 * height / 1080

    eventually(page, read)
    expect(present).to_be_in_viewport(ratio=1)
    steps = tree.locator("text[data-head]").count()
    for _ in range(steps):
        page.keyboard.press("ArrowRight")
    expect(present).to_have_text(str(steps))
    expect(present).to_be_in_viewport(ratio=1)
