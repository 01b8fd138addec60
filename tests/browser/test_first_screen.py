"""The picture comes first: where it begins on each page, how much is above it, and nothing scrolls sideways."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from pages.common.registry import PAGES
from tests.browser.conftest import SIZE, addressed, drawn, eventually, not_addressed, visit

SIX = "Our neighbour painted the wooden gate."
TWELVE = "My brother forgot his old keys on the kitchen table this morning."
THIRTEEN_ROWS = "The+teacher+who+lives+next+door+bought+a+red+bicycle."  # as high as the figure may be
TWENTY = "My brother forgot his old keys on the kitchen table this morning and had to call our neighbour for help."


@dataclass(frozen=True)
class Picture:
    """A page's first picture. begins: px from the top of a projector's page, at most; seen: px on a larger one, at
    least, and no fewer than before; written: whether it is text, which needs fewer lines there."""

    selector: str
    begins: int = 250
    seen: int = 300
    written: bool = False


# Every page of the registry but Corpus, which has no picture before its sentences are translated.
PICTURES = {
    "translate": Picture(".panel .figure", begins=252),  # below up to three lines of translation
    "no_attention": Picture(".context-vector .states"),
    "additive": Picture(".walk .diagram"),
    "dot": Picture(".walk .diagram"),
    "transformer": Picture(".panel .figure"),
    "positions": Picture(".st-key-four-translations", seen=140, written=True),  # below the two orders
    "beam": Picture(".tree .frame"),
    "finetune": Picture(".panel .figure", seen=290),  # beside examples, below what the run will cost
    "architectures": Picture(".st-key-cost-table", seen=280, written=True),
}
SCREENS = {"no_attention": 3, "positions": 4}  # of a projector's height that a section of a long page has, at most
CONTROLS = {"transformer": 35}
MOST = 28  # controls on the first screen of the others
COUNT = """() => {
  const kinds = "button, input, select, summary, a, [role=slider]";
  const parts = ".enlarge, .switch, .chip"; // of the picture itself: its pieces, its heads
  const all = (root) => [...root.querySelectorAll("*")].flatMap((e) => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
  return all(document.querySelector('[data-testid="stMain"]')).filter((e) => {
    const box = e.getBoundingClientRect();
    const seen = box.width && box.height && box.top < innerHeight && box.bottom > 0;
    const shown = e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    return e.matches(kinds) && !e.matches(parts) && seen && shown;
  }).length;
}"""

WITHIN = "() => document.scrollingElement.scrollWidth <= innerWidth"
# px of the picture's height that are on the screen.
SEEN = """selector => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((e) => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
  const boxes = all(document).filter((e) => e.matches(selector)).map((e) => e.getBoundingClientRect());
  return Math.max(...boxes.map((box) => Math.min(box.bottom, innerHeight) - box.top));
}"""


def test_every_page_with_a_picture_is_held_to_it() -> None:
    assert {entry.name for entry in PAGES} - {"corpus"} == set(PICTURES)


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_begins_high_and_few_controls_stand_around_it(page: Page, shipped: str, name: str) -> None:
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    text = "" if name == "finetune" else f"?text={TWELVE.replace(' ', '+')}"
    visit(page, f"{shipped}/{'' if name == 'translate' else name}{text}")
    wanted = PICTURES[name]
    picture = page.locator(wanted.selector).first

    def high() -> None:
        box = picture.bounding_box()
        assert box and box["y"] <= wanted.begins
        assert box["width"] > 200, "the picture itself, no sign on a button"

    picture.wait_for()
    eventually(page, high)
    assert page.evaluate(COUNT) <= CONTROLS.get(name, MOST)
    assert page.evaluate(WITHIN)
    # In a larger window it begins no lower and shows no less; on a phone nothing scrolls sideways.
    rows = page.evaluate(SEEN, wanted.selector)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_function(WITHIN)

    def larger() -> None:
        high()
        assert page.evaluate(SEEN, wanted.selector) >= (wanted.seen if wanted.written else max(rows, wanted.seen))

    eventually(page, larger)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(WITHIN)
    if name in SCREENS:
        page.set_viewport_size(SIZE)
        before = len(sent)
        one_section_at_a_time(page, SCREENS[name])
        assert len(sent) == before, "nothing runs"


def one_section_at_a_time(page: Page, most: int) -> None:
    """Look at each section of a long page, which is no higher than `most` screens of a projector."""
    page.locator(".st-key-lesson").wait_for()
    contents = page.get_by_role("group", name="Sections of this page").get_by_role("button")
    for number, button in enumerate(contents.all()):
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        code = button.get_attribute("data-choice")
        shown = page.locator('[class*="st-key-section-"]:visible')
        expect(shown).to_have_count(1)
        expect(shown).to_have_class(re.compile(f"st-key-section-{code}"))
        addressed(page, f"section={code}") if number else not_addressed(page, "section")
        high = "most => document.querySelector('[data-testid=stMainBlockContainer]').scrollHeight <= most"
        page.wait_for_function(high, arg=most * 720)


@pytest.mark.parametrize("name", ["additive", "dot"])
@pytest.mark.parametrize("sentence", [SIX, TWELVE, TWENTY], ids=["6 words", "12 words", "20 words"])
def test_the_diagram_of_attention_is_whole(page: Page, shipped: str, name: str, sentence: str) -> None:
    visit(page, f"{shipped}/{name}?text={sentence.replace(' ', '+')}&decoder-step=3.6")  # the longest that it says
    diagram = drawn(page, ".walk .diagram")
    rows = page.locator(".walk .rows")

    def whole() -> None:
        box, chips = diagram.bounding_box(), page.locator(".walk > .chips").bounding_box()
        assert box and box["y"] <= 250 and box["y"] + box["height"] <= 720
        assert chips and chips["height"] < 40, "one line"
        assert rows.evaluate("rows => rows.scrollHeight <= rows.clientHeight + 1"), "all its rows"
        sizes = diagram.locator("[data-source] text").evaluate_all("all => all.map((t) => t.getAttribute('font-size'))")
        assert min(map(float, sizes)) >= 12
        formula = page.locator(".walk .formula .letters").bounding_box()
        assert formula and formula["y"] + 20 <= 720, "it is seen with the diagram"

    eventually(page, whole)


@pytest.mark.parametrize(("sentence", "least"), [("The black cat drinks warm milk.", 40), (TWELVE, 22)])
def test_one_head_has_the_height_of_the_window(page: Page, shipped: str, sentence: str, least: int) -> None:
    """least: px of a cell."""
    figure = visit(page, f"{shipped}/transformer?pane=head&text={sentence.replace(' ', '+')}", ".panel .figure")

    def large() -> None:
        box, cell = figure.bounding_box(), page.locator(".figure [data-cell]").first.bounding_box()
        assert box and box["y"] <= 250 and box["y"] + box["height"] <= 720
        assert cell and least <= cell["width"] <= 44 and abs(cell["width"] - cell["height"]) < 1
        assert not (least > 24 and page.locator(".figure svg.body text").count() == 0), "numbers where they have room"
        # The text about it, and its player, are beside it.
        for beside in (".player", ".effect", ".hint"):
            place = page.locator(f".st-key-heads {beside}").bounding_box()
            assert place and place["x"] >= box["x"] + box["width"] and place["y"] + place["height"] <= 720

    eventually(page, large)


@pytest.mark.parametrize("sentence", [TWELVE, TWENTY], ids=["12 words", "20 words"])
def test_four_models_stand_side_by_side_whole(page: Page, shipped: str, sentence: str) -> None:
    visit(page, f"{shipped}/?text={sentence.replace(' ', '+')}")
    expect(page.locator(".panel .figure svg").nth(3)).to_be_visible()

    def whole() -> None:
        boxes = [box for figure in page.locator(".panel .figure").all() if (box := figure.bounding_box())]
        assert max(box["y"] for box in boxes) - min(box["y"] for box in boxes) < 60, "in two lines"
        assert max(box["y"] for box in boxes) <= PICTURES["translate"].begins
        assert all(box["y"] + box["height"] <= 720 for box in boxes)

    eventually(page, whole)
    nothing_lies_under_the_foot(page)


def nothing_lies_under_the_foot(page: Page) -> None:
    """Nor on a phone."""

    def below() -> None:
        box = page.locator(".alignment .foot").bounding_box()
        ends = [end["y"] + end["height"] for panel in page.locator(".panel").all() if (end := panel.bounding_box())]
        assert box and ends and box["y"] >= max(ends)

    eventually(page, below)
    page.set_viewport_size({"width": 390, "height": 844})
    eventually(page, below)


def test_two_models_stand_above_their_foot(page: Page, shipped: str) -> None:
    visit(page, f"{shipped}/architectures?section=two&text={TWENTY.replace(' ', '+')}", ".panel .figure svg")
    nothing_lies_under_the_foot(page)


def test_remarks_on_a_text_share_one_line_above_the_picture(page: Page, shipped: str) -> None:
    five = "The cat sleeps 😀. The dog eats a bone. My sister reads a book. We go to the market. It rains."
    figure = visit(page, f"{shipped}/?text={five.replace(' ', '+')}&models=nobody~dot", ".panel .figure svg")
    expect(page.get_by_role("button", name="3 remarks")).to_be_visible()
    expect(page.get_by_role("button", name="Translate the 5 sentences")).to_be_visible()

    def high() -> None:
        box = figure.bounding_box()
        assert box and box["y"] <= PICTURES["translate"].begins

    eventually(page, high)


@pytest.mark.parametrize("sentence", [TWELVE, TWENTY], ids=["12 words", "20 words"])
def test_the_answer_about_a_word_leaves_the_picture_whole(page: Page, shipped: str, sentence: str) -> None:
    visit(page, f"{shipped}/?text={sentence.replace(' ', '+')}&instead=3.3.120")
    expect(page.locator(".why .verdict")).to_contain_text("is to blame")

    def above() -> None:
        foot = page.locator(".alignment .foot").bounding_box()
        boxes = [box for figure in page.locator(".panel .figure").all() if (box := figure.bounding_box())]
        assert foot and max(box["y"] + box["height"] for box in boxes) <= foot["y"]

    eventually(page, above)


# Whether all of a text box's placeholder is seen.
WHOLE = """box => {
  box.value = box.placeholder;
  const whole = box.scrollWidth <= box.clientWidth;
  box.value = "";
  return whole;
}"""


def test_on_a_phone_a_picked_word_leaves_half_the_window_to_the_picture(phone: Page, shipped: str) -> None:
    visit(phone, f"{shipped}/?text={TWELVE.replace(' ', '+')}&pick=1.t3")
    foot, figure = phone.locator(".alignment .foot"), phone.locator(".panel .figure").nth(1)
    expect(foot.locator(".why")).to_be_visible()

    def roomy() -> None:
        places = foot.bounding_box(), figure.bounding_box()
        assert places[0] and places[1] and places[0]["y"] >= places[1]["y"] + 260
        width = foot.evaluate("foot => foot.scrollWidth - foot.clientWidth")
        assert width <= 0, "what it says is not cut at the right"
        ends = [box["x"] + box["width"] for one in foot.locator(".why button").all() if (box := one.bounding_box())]
        assert len(ends) > 3 and max(ends) <= 390, "nor are the words to replace it with"
        assert foot.locator(".expected").evaluate(WHOLE), "nor is what the box asks for"

    eventually(phone, roomy)


def test_on_a_phone_the_first_translation_is_in_the_upper_third(phone: Page, shipped: str) -> None:
    translation = visit(phone, f"{shipped}/?text={TWELVE.replace(' ', '+')}", ".panel .translation")

    def high() -> None:
        box = translation.bounding_box()
        assert box and box["y"] <= 300

    eventually(phone, high)
    phone.wait_for_function(WITHIN)
    opened = phone.locator(".panel h3", has_text="2 of 4, swipe: ‹ No attention · Dot ›")
    expect(opened).to_be_in_viewport(ratio=1)  # the first with a picture of attention
    expect(phone.locator(".panel h3", has_text="1 of 4, swipe: Additive ›")).not_to_be_in_viewport()
    assert (
        phone.evaluate(
            "() => document.scrollingElement.scrollTop + document.querySelector('[data-testid=stMain]').scrollTop"
        )
        == 0
    )
    visit(phone, f"{shipped}/?text={TWELVE.replace(' ', '+')}&pick=3.t0")
    expect(phone.locator(".panel h3", has_text="4 of 4")).to_be_in_viewport(ratio=1)


def selects_at_the_first_click(box: Locator, text: str) -> None:
    """The first click selects the old text, to type over it; the next one places the caret."""
    expect(box).to_have_value(text)
    selected = "([box, text]) => box.value.slice(box.selectionStart, box.selectionEnd) === text"
    box.click()
    box.page.wait_for_function(selected, arg=[box.element_handle(), text])
    box.click(position={"x": 30, "y": 15})
    box.page.wait_for_function(selected, arg=[box.element_handle(), ""])
    box.page.keyboard.press("Home")
    box.page.keyboard.type("I see ")
    expect(box).to_have_value(f"I see {text}")


def test_on_a_phone_a_sentence_has_its_lines_and_settings_are_a_sheet(phone: Page, app: str) -> None:
    visit(phone, f"{app}/?text=a+red+cat")
    lines = phone.locator(".st-key-text textarea")
    selects_at_the_first_click(lines, "a red cat")
    expect(phone.locator(".st-key-text input")).to_be_hidden()
    low = lines.evaluate("box => box.offsetHeight")
    lines.fill("the red cat, " * 8 + "and\nthe dog")
    phone.wait_for_function("([box, low]) => box.offsetHeight > 2 * low", arg=[lines.element_handle(), low])
    lines.press("Enter")
    addressed(phone, "text=the+red+cat")
    expect(phone).to_have_url(re.compile(r"and\+the\+dog"))
    phone.locator(".st-key-settings").get_by_test_id("stPopoverButton").click()
    phone.get_by_test_id("stPopoverBody").wait_for()

    def sheet(selector: str) -> None:
        box = phone.locator(selector).bounding_box()
        assert box and box["x"] == 0 and box["width"] == 390 and abs(box["y"] + box["height"] - 844) < 1

    eventually(phone, lambda: sheet('[data-testid="stPopoverBody"]'))
    phone.keyboard.press("Escape")
    phone.locator(".controls .fold summary").click()
    eventually(phone, lambda: sheet(".controls .fold .sheet"))
    phone.set_viewport_size({"width": 1280, "height": 720})
    expect(lines).to_have_count(0)
    expect(phone.get_by_label("Sentence to translate")).to_be_visible()


def test_a_sentence_of_twenty_words_is_seen_whole_in_its_box(page: Page, app: str) -> None:
    visit(page, f"{app}/?text={TWENTY.replace(' ', '+')}")
    box = page.locator(".st-key-text input")
    seen = "box => [box.scrollWidth - box.clientWidth, parseFloat(getComputedStyle(box).fontSize)]"

    def whole() -> None:
        beyond, type_ = box.evaluate(seen)
        assert beyond <= 1 and type_ >= 13

    eventually(page, whole)
    small = box.evaluate(seen)[1]
    box.fill(SIX)
    assert box.evaluate(seen)[1] > small
    box.blur()
    selects_at_the_first_click(box, SIX)


@pytest.mark.parametrize(
    ("address", "part"),
    [("beam", ".tree .frame"), ("architectures", ".costs"), (f"transformer?text={THIRTEEN_ROWS}", ".figure .scroll")],
)
def test_the_opening_picture_needs_no_scrolling(
    new_page: Callable[..., Page], shipped: str, address: str, part: str
) -> None:
    page = new_page({"width": 1280, "height": 720})
    visit(page, f"{shipped}/{address}")
    picture = drawn(page, part)
    eventually(page, lambda: expect_whole(picture))


def expect_whole(picture: Locator) -> None:
    assert picture.evaluate("e => e.scrollWidth - e.clientWidth") <= 1
    assert picture.evaluate("e => e.scrollHeight - e.clientHeight") <= 0, "else its last row fades"
