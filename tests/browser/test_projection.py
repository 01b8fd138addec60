"""Projection: opened by a link, stepped by keys, left by Escape; a pinned picture beside the current one."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.browser.conftest import addressed, drawn, eventually, not_addressed, visit

SENTENCES = {
    6: "The black cat drinks warm milk.",
    12: "My grandmother is responsible for the beautiful old furniture in the apartment.",
    20: "The old teacher of my little sister reads a long story to the tired children in the quiet garden today.",
}
PX = "all => all.map((text) => parseFloat(getComputedStyle(text).fontSize) * text.currentCSSZoom)"  # of letters
BOXES = "all => all.filter((e) => e.getClientRects().length).map((e) => e.getBoundingClientRect().toJSON())"
# What the title of each name says, and its letters.
NAMED = "all => all.map((name) => [...name.querySelectorAll('title, text')].map((text) => text.textContent.trim()))"


def boxes(page: Page, selector: str) -> list[FloatRect]:
    """The boxes of all drawn elements that match a selector, in one question: a figure has thousands of cells."""
    found: list[FloatRect] = page.locator(selector).evaluate_all(BOXES)
    return found


def read_from_the_back(
    page: Page, address: str, picture: str, letters: str, check: Callable[[int, int], None] = lambda width, height: None
) -> None:
    """Project a picture in a window of either size: no letter is too small, and `check` holds.

    address: of the page and its question; picture, letters: selectors; check: gets the width and height of the window.
    """
    page.goto(f"{address.replace(' ', '+')}&projection=on")
    drawn(page, picture)
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})

        def whole(width: int = width, height: int = height) -> None:
            sizes = page.locator(letters).evaluate_all(PX)
            assert sizes and min(sizes) >= 0.99 * 18 * height / 1080
            check(width, height)

        eventually(page, whole)


def zoom(page: Page) -> float:
    return float(page.locator(".st-key-steps").evaluate("node => node.currentCSSZoom"))


def test_a_link_opens_projected_keys_step_and_escape_leaves(new_page: Callable[..., Page], app: str) -> None:
    page = new_page(viewport={"width": 1920, "height": 1080})
    page.goto(f"{app}/additive?projection=on&decoder-step=1.6")
    walk = page.locator(".walk.projected")
    expect(walk).to_have_attribute("data-step", "1.6")
    expect(page.locator(".projection-caption")).to_contain_text("Additive attention · She bought")
    expect(page.locator(".projection-keys")).to_have_text(re.compile("^← → step .*Esc: leave$"))
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
    # A click is in the picture's own px, however enlarged: on the last row of the sources.
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


# What a page that opens projected shows first: its title, or its picture.
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


def test_escape_leaves_at_once_as_the_caption_says(page: Page, app: str) -> None:
    """With a word picked, which stays; and however long the sentence is that stands before the keys."""
    text = " ".join(["the small cat sees a red house and a big dog"] * 6)
    visit(page, f"{app}/?text={text}&projection=on", ".alignment.projected .panel svg.body")
    keys, caption = page.locator(".projection-keys"), page.locator(".projection-caption")
    expect(keys).to_have_text(re.compile("Esc: leave$"))
    (at,), (line,) = boxes(page, ".projection-keys"), boxes(page, ".projection-caption")
    assert line["y"] <= at["y"] and at["y"] + at["height"] <= line["y"] + line["height"] + 1, "it is in the first line"
    assert at["x"] + at["width"] <= 1280 and caption.evaluate(
        "line => line.firstChild.scrollWidth > line.firstChild.clientWidth"
    )
    visit(page, app, '[data-panel="1"] svg')
    page.get_by_role("button", name="Project", exact=True).click()
    addressed(page, "projection=on")
    page.locator('[data-panel="1"] [data-row="0"]').click()
    addressed(page, "pick=1.t0")
    page.keyboard.press("Escape")
    not_addressed(page, "projection")
    addressed(page, "pick=1.t0")
    expect(page.locator(".panel .figure:focus-visible")).to_have_count(0)


def test_a_picture_is_pinned_and_stands_beside_another_head(page: Page, app: str) -> None:
    title = visit(page, f"{app}/transformer?head=cross.1.2&text=a+red+cat", ".panel h3")
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
        """Both pictures have as many pieces: neither stays smaller because it was measured before it was redrawn."""
        left, right = (one.locator(".st-key-heads").evaluate("node => node.currentCSSZoom") for one in (frame, page))
        assert left == right > 1

    eventually(page, alike)
    frame.locator(".panel h3").click()
    page.keyboard.press("Escape")  # in the frame: both pictures go
    not_addressed(page, "projection")
    page.get_by_role("button", name="Unpin").click()
    expect(beside).to_have_count(0)
    not_addressed(page, "pin")


@pytest.mark.parametrize("words", SENTENCES)
def test_four_models_fill_the_window_in_large_type(page: Page, shipped: str, words: int) -> None:
    names = page.locator("svg.vector g[data-column], svg.vector g[data-row]")

    def fills(width: int, height: int) -> None:
        figures = boxes(page, ".panel .figure")
        assert len(figures) == 4 and max(box["y"] for box in figures) - min(box["y"] for box in figures) < 2
        assert all(box["height"] > 0.5 * height and box["y"] + box["height"] < height for box in figures)
        assert boxes(page, ".figure [data-cell]")[0]["width"] >= {6: 38, 12: 20, 20: 15}[words] * width / 1920
        assert bool(page.locator(".figure svg.body text").count()) == (words == 6), "numbers where they can be read"
        if words < 20:  # the names beside the one vector are whole
            shown = names.evaluate_all(NAMED)
            assert len(shown) > 2 * words and not [text for title, text in shown if text != title.partition(", P")[0]]
            assert min(names.locator("text").evaluate_all(PX)) >= 0.99 * 18 * height / 1080

    fourth = ".alignment.projected .panel:nth-child(4) .figure .body"
    read_from_the_back(page, f"{shipped}/?text={SENTENCES[words]}", fourth, ".figure svg:not(.vector) text", fills)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".projected .line")).to_contain_text("step 1 of")


def test_a_long_word_leaves_the_cells_their_numbers(page: Page, shipped: str) -> None:
    def numbered(width: int, height: int) -> None:
        cell = boxes(page, ".figure [data-cell]")[0]
        assert cell["width"] >= 37 * width / 1920 and cell["height"] <= 1.45 * cell["width"]
        assert page.locator(".figure svg.body text").count() > 20
        (vector,) = boxes(page, "svg.vector g[shape-rendering]")  # of the model without attention
        assert vector["width"] >= 60 * width / 1920 and vector["height"] >= 250 * height / 1080

    fourth = ".alignment.projected .panel:nth-child(4) .figure .body"
    text = "Our teacher found an old map."  # "professeur", in all models
    read_from_the_back(page, f"{shipped}/?text={text}", fourth, ".figure svg:not(.vector) text", numbered)


@pytest.mark.parametrize("name", ["additive", "dot"])
def test_all_rows_of_twenty_words_are_read_from_the_back(page: Page, shipped: str, name: str) -> None:
    def whole(width: int, height: int) -> None:
        assert page.locator(".walk .rows").evaluate("rows => rows.scrollHeight <= rows.clientHeight + 1")
        (box,) = boxes(page, ".walk .diagram")
        assert box["y"] + box["height"] < height

    address = f"{shipped}/{name}?text={SENTENCES[20]}&decoder-step=3.6"
    letters = ".walk .diagram text, .walk .matrix text, .walk .chip, .walk .explain .says"
    read_from_the_back(page, address, ".walk.projected .rows", letters, whole)


@pytest.mark.parametrize("words", [6, 20])
def test_the_heads_and_the_enlarged_one_fill_the_window(page: Page, shipped: str, words: int) -> None:
    def fills(width: int, height: int) -> None:
        (figure,), (grid,) = boxes(page, ".panel .figure"), boxes(page, ".thumbs")
        assert figure["height"] > 0.7 * height and figure["y"] + figure["height"] < height
        assert grid["width"] + figure["width"] > 0.75 * width and grid["height"] > 0.55 * height
        assert boxes(page, ".figure [data-cell]")[0]["width"] >= {6: 70, 20: 24}[words] * width / 1920

    address, panel = f"{shipped}/transformer?text={SENTENCES[words]}", ".alignment.projected .panel .figure .body"
    read_from_the_back(page, address, panel, ".figure svg text", fills)


@pytest.mark.parametrize("words", [12, 20])
def test_the_tree_is_whole_as_long_as_it_can_be_read(page: Page, shipped: str, words: int) -> None:
    tree = page.locator(".tree .frame")
    present = tree.locator("[data-head] text[font-weight='700']")

    def whole(width: int, height: int) -> None:
        assert tree.evaluate("frame => frame.clientWidth > 0.95 * innerWidth / frame.currentCSSZoom")
        assert tree.evaluate("frame => frame.scrollWidth <= frame.clientWidth") == (words == 12)

    # For every chip, dropped candidates' too; the numbers under them are smaller.
    letters = ".tree .frame [data-node] text[font-family]"
    read_from_the_back(page, f"{shipped}/beam?text={SENTENCES[words]}", ".tree .frame", letters, whole)
    assert page.locator(letters).count() > 60
    expect(present).to_be_in_viewport(ratio=1)
    steps = tree.locator("text[data-head]").count()
    for _ in range(steps):
        page.keyboard.press("ArrowRight")
    expect(present).to_have_text(str(steps))
    expect(present).to_be_in_viewport(ratio=1)


def test_the_numbers_of_masks_are_read_and_scrolled_to(page: Page, app: str) -> None:
    def within(width: int, height: int) -> None:
        figures = boxes(page, ".masks figure")
        assert len(figures) == 6 and max(box["x"] + box["width"] for box in figures) <= width

    address = f"{app}/transformer?pane=batch&batch-row=2&text=the old cat sees a red house and a big dog"
    numbers = ".masks .matrices .body g[font-size] text"
    read_from_the_back(page, address, ".masks.projected .matrices .body", numbers, within)
    assert page.locator(numbers).count() > 100
    for _ in range(10):
        page.keyboard.press("PageDown")
    expect(page.locator(".masks figure").last).to_be_in_viewport()


def test_the_rows_of_a_layer_use_the_window_without_their_controls(page: Page, app: str) -> None:
    rows = ".residual-stream.projected .rows svg"

    def fills(width: int, height: int) -> None:
        (box,) = boxes(page, rows)
        assert 0.8 * height <= box["height"] and box["y"] + box["height"] <= height
        assert 0.95 * width <= box["width"] <= width

    read_from_the_back(page, f"{app}/transformer?pane=layer&text=a red cat", rows, f"{rows} text", fills)
    expect(page.get_by_text("Decoder layer 1.", exact=True)).to_be_visible()  # whose buttons are hidden
    for hidden in (".choices", ".lens", ".saving"):
        expect(page.locator(f".residual-stream {hidden}").first).to_be_hidden()
    # A window too low for it shows that it continues, and pages through it with presenter keys.
    page.set_viewport_size({"width": 1280, "height": 240})
    expect(page.locator(".projection-more[data-seen]")).to_have_count(1)
    page.keyboard.press("PageDown")
    page.wait_for_function("() => document.querySelector('.st-key-residual-stream').scrollTop > 0")


def test_the_picture_that_is_looked_at_is_projected_and_page_keys_turn_over_all_of_them(page: Page, app: str) -> None:
    """The lesson itself comes first, the translations of both orders, and pictures of other sections last."""

    def alone(key: str) -> None:
        (box,) = boxes(page, f".st-key-{key}")
        assert abs(box["width"] - 1280) < 1 and box["x"] == 0

    visit(page, f"{app}/positions?section=waves&text=a+red+cat")
    drawn(page, ".st-key-figure-curves canvas, .st-key-figure-curves svg")
    page.evaluate("() => document.querySelector('.st-key-figure-curves').scrollIntoView({ block: 'start' })")
    page.keyboard.press("p")
    addressed(page, "picture=figure-curves")
    caption = page.locator(".projection-caption")
    turned = (
        ("", "figure-curves", "Positional encodings by dimension"),
        ("PageUp", "figure-moved-removed", "Positions of the source removed: a red cat · picture 3 of 3"),
        ("PageUp", "figure-moved-kept", "move when the words are shuffled. With positions: a red cat"),
        ("PageUp", "orders-and-translations", ""),
        ("PageDown", "figure-moved-kept", "With positions: a red cat"),
        ("PageDown", "figure-moved-removed", "picture 3 of 3"),
        ("PageDown", "figure-curves", "Positional encodings by dimension"),
    )
    for key, picture, said in turned:
        page.keyboard.press(key) if key else None
        eventually(page, lambda picture=picture: alone(picture))
        expect(caption).to_contain_text(said)
        addressed(page, "section=waves") if picture == "figure-curves" else not_addressed(page, "section")


@pytest.mark.parametrize("words", [6, 20])
def test_translations_of_another_order_fill_the_window(page: Page, shipped: str, words: int) -> None:
    picture = ".st-key-orders-and-translations"

    def fills(width: int, height: int) -> None:
        (box,) = boxes(page, ".st-key-four-translations")
        assert 0.7 * height < box["y"] + box["height"] <= height
        assert page.locator(picture).evaluate("node => node.scrollHeight <= node.clientHeight + 1")

    address = f"{shipped}/positions?text={SENTENCES[words]}"
    letters = f"{picture} :is([data-testid=stText], [data-testid=stHtml]) *"
    read_from_the_back(page, address, picture, letters, fills)


def test_a_chart_is_as_wide_as_the_window(page: Page, app: str) -> None:
    page.goto(f"{app}/positions?projection=on&picture=figure-moved-kept&text=a+cat")
    chart = ".st-key-figure-moved-kept [data-testid=stVegaLiteChart] :is(svg.marks, canvas)"
    drawn(page, chart)
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})

        def whole(width: int = width) -> None:
            box = boxes(page, chart)[0]
            assert 0.9 * width <= box["width"] and box["x"] + box["width"] <= width + 1

        eventually(page, whole)
    expect(page.locator(".st-key-figure-moved-kept").get_by_text("Save")).to_be_hidden()


def test_a_chart_that_lies_in_a_picture_is_projected_with_what_stands_beside_it(page: Page, app: str) -> None:
    """Also by a link to the chart alone; those that its switch hides are never drawn, and nobody waits for them."""
    page.goto(f"{app}/no_attention?section=length&projection=on&picture=figure-growth-kept&text=a+cat")
    page.locator(".projection[data-on]").wait_for(state="attached")
    whole = page.locator(".st-key-growth")
    expect(whole.locator("svg.marks").first).to_be_visible()
    expect(whole.get_by_text("pieces, ").first).to_be_visible()
    expect(page.locator(".projection-caption")).to_contain_text("No attention · a cat")  # the page's, not the chart's
