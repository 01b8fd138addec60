"""The app as people meet it: type a sentence, see four alignments, pick a word, share the link."""

import re
from collections.abc import Callable, Sequence
from urllib.parse import quote_plus

from playwright.sync_api import Page, Route, expect

from nmtcore.text.vocabulary import Vocab
from nmtcore.text.words import token_name
from tests.browser.conftest import addressed, not_addressed, settled, visit

SENTENCE = "the red <s> red cat <s>"


def labels(pieces: Sequence[str]) -> list[re.Pattern[str]]:
    """The names of the pieces; one that continues a word has a dot before it if no matrix draws one."""
    return [re.compile(f"^·?{re.escape(token_name(piece))}$") for piece in pieces]


def ask(page: Page, text: str) -> None:
    box = page.get_by_label("Sentence to translate")
    box.fill(text)
    box.press("Enter")


def test_the_script_of_the_picture_comes_once_though_the_first_try_fails(
    new_page: Callable[..., Page], app: str, vocab: Vocab
) -> None:
    """Each sentence sends only data. A sentence typed before the script has loaded is drawn too."""
    page, asked = new_page(), list[str]()

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.abort()
        else:
            route.continue_()

    page.route("**/views/alignment.js*", answer)
    page.goto(app)
    for text in (SENTENCE, "a cat"):
        ask(page, text)
        addressed(page, f"text={quote_plus(text)}")
        expect(page.locator(".figure[tabindex]")).to_have_count(4)
        expect(page.locator('[data-panel="3"] [data-column]')).to_have_count(len(vocab.pieces(text)) + 1)
    page.unroute_all()
    assert len(asked) == 2 and asked[1] == f"{asked[0]}&again=1"


def test_a_picked_word_is_marked_in_all_and_a_link_brings_it_back(
    new_page: Callable[..., Page], app: str, vocab: Vocab
) -> None:
    first = new_page()
    visit(first, app)
    ask(first, SENTENCE)
    first.wait_for_function("() => location.search.includes('text=')")
    settled(first)
    pieces = [*vocab.pieces(SENTENCE), "<eos>"]
    for panel in range(4):  # they come one after another on a slow machine
        expect(first.locator(f'[data-panel="{panel}"] [data-column] text')).to_have_text(labels(pieces))
        expect(first.locator(f'[data-panel="{panel}"] [data-row] text')).not_to_have_count(0)
    column = max(i for i, piece in enumerate(pieces) if piece in pieces[:i])  # the second of a repeated word
    first.locator(f'[data-panel="2"] g[data-column="{column}"] text').click()
    first.mouse.move(5, 5)
    addressed(first, f"pick=2.s{column}")
    second = new_page()
    visit(second, first.url)
    for page in (first, second):
        for panel in (1, 2, 3):
            bars = page.locator(f'[data-panel="{panel}"] rect[data-marked-column]')
            expect(bars).to_have_count(1)
            expect(bars).to_have_attribute("data-marked-column", str(column))
        expect(page.get_by_label("Sentence to translate")).to_have_value(SENTENCE)


def test_the_row_of_buttons_that_stays_while_the_page_scrolls_can_be_pressed(
    new_page: Callable[..., Page], app: str
) -> None:
    """Streamlit's own bar at the top is invisible and covers it."""
    page = new_page({"width": 1280, "height": 400})
    visit(page, app)
    expect(page.locator(".figure[tabindex]")).to_have_count(4)
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, main.scrollHeight)")
    row = page.locator(".controls:has(> .player)")
    page.wait_for_function("row => row.getBoundingClientRect().top <= 0", arg=row.element_handle())
    fold = row.locator(".fold")
    for is_open in (True, False):
        box = fold.locator("summary").bounding_box()
        assert box and 0 <= box["y"] < 30, "it has scrolled away, or not to the top"
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(fold.get_by_role("button", name="Ribbons", exact=True)).to_be_visible(visible=is_open)


def test_the_link_is_copied(page: Page, app: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit(page, f"{app}/?text=the+red+cat")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("dialog", name="Link to this view")).to_contain_text("opens on this computer only")
    page.wait_for_function("async () => (await navigator.clipboard.readText()) === location.href")


TITLES = {
    "/": "Where does each model look?",
    "/additive": "How does a decoder choose where to look?",
    "/dot": "Is a plain product enough to know where to look?",
    "/beam": "What did search throw away?",
}


def at(page: Page, path: str, text: str) -> None:
    """Wait until a page is there, and its address holds the question, its parts in any order."""
    expect(page.get_by_role("heading", level=1, name=TITLES[path], exact=True)).to_be_visible()
    page.wait_for_function(
        """([path, text]) => {
            const asked = new URLSearchParams(location.search);
            return location.pathname === path && asked.get("text") === text && asked.get("beam") === "2";
        }""",
        arg=[path, text],
    )
    settled(page)
    expect(page.get_by_label("Sentence to translate")).to_have_value(text)


def test_a_links_question_goes_from_page_to_page_and_back(page: Page, app: str) -> None:
    visit(page, f"{app}/additive?text=the+red+cat&beam=2")
    page.evaluate("window.loadedOnce = true")
    for name, path in (("Dot attention", "/dot"), ("Beam search", "/beam"), ("Translate", "/")):
        page.get_by_role("link", name=name, exact=True).click()
        at(page, path, "the red cat")
    assert page.evaluate("window.loadedOnce"), "a link opens a page within the app"
    for path in ("/beam", "/dot", "/additive"):
        page.go_back()
        at(page, path, "the red cat")
    ask(page, "a dog")
    at(page, "/additive", "a dog")
    page.reload()
    at(page, "/additive", "a dog")
    page.get_by_label("Sentence to translate").fill("a black dog")  # and no Enter
    page.get_by_role("link", name="Dot attention", exact=True).click()
    at(page, "/dot", "a black dog")


def test_a_click_on_a_word_says_why_and_another_takes_its_place(page: Page, app: str) -> None:
    visit(page, f"{app}/?text=a+red+cat")
    page.locator('[data-panel="1"] svg').first.wait_for()
    page.locator(".panel").nth(1).locator(".translation [data-word]").nth(1).click()
    addressed(page, "pick=1.t")
    why = page.locator(".alignment .line .why")
    expect(why).to_contain_text("a probability of 0.")
    expect(why.locator("[data-take]")).to_have_count(5)
    expect(why.get_by_role("link", name="see this step in Beam search")).to_have_attribute(
        "href", re.compile(r"^\./beam\?.*step=")
    )
    why.locator("[data-take]").first.click()
    addressed(page, "instead=1.")
    verdict = why.get_by_role("status")
    expect(verdict).to_contain_text(re.compile("is to blame|the model wrote itself"))
    why.get_by_role("button", name="Close the comparison").click()
    not_addressed(page, "instead")
    expect(verdict).to_be_empty()
    box = why.get_by_role("textbox", name="What did you expect?")
    box.fill("a dog")
    page.locator('[data-panel="2"] svg').first.hover()
    expect(box).to_have_value("a dog")
    box.press("Enter")
    addressed(page, "instead=1.")
    expect(verdict).to_contain_text("your translation log P")
    expect(box).to_have_value("a dog")
    expect(box).to_be_focused()
    for seen in (box, verdict):
        expect(seen).to_be_in_viewport(ratio=1)  # without scrolling
    page.reload()  # the link opens the panel, with the typed text
    expect(verdict).to_contain_text("your translation log P")
    expect(box).to_have_value("a dog")
    sentence = page.get_by_label("Sentence to translate")
    sentence.fill("a black cat")
    sentence.press("Enter")  # of which nothing was expected yet
    not_addressed(page, "instead")
    settled(page)
    page.locator(".panel").nth(1).locator(".translation [data-word]").nth(1).click()
    expect(box).to_have_value("")


def test_a_model_that_writes_all_words_at_once_has_no_steps_to_play(page: Page, app: str) -> None:
    visit(page, f"{app}/?text=a+cat+sees+a+dog+.&models=transformer~copying~mask-predict&rounds=2")
    panels = page.locator(".panels .panel")
    expect(panels).to_have_count(3)
    rounds = page.locator(".mask-predict svg.rows").first
    expect(rounds).to_have_attribute("aria-label", re.compile(r"round 1: .*round 2: "))
    before = panels.nth(2).locator(".translation").inner_text()
    page.locator(".alignment .player button.first").click()
    addressed(page, "pick-step=1")
    expect(panels.nth(0).locator(".translation .waiting").first).to_be_visible()
    expect(panels.nth(2).locator(".translation .waiting")).to_have_count(0)
    assert panels.nth(2).locator(".translation").inner_text() == before
