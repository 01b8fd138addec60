"""The Transformer's pane of one layer in a browser: a piece, a layer, a part off and on, and neighbours."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, drawn, goes_on, not_addressed, settled, visit


def numbers(page: Page) -> list[float]:
    """The lengths of the vectors on the screen, from the top."""
    return [float(text) for text in page.locator(".residual-stream [data-norm]").all_text_contents()]


def test_what_the_stream_would_say_leads_to_its_neighbours(page: Page, app: str) -> None:
    visit(page, f"{app}/transformer?text=a+red+cat&pane=layer&piece=s6")
    for _ in range(2):
        drawn(page, ".lens [data-place='0,3']").click()
        addressed(page, "vectors=s.")
        expect(page.get_by_role("heading", name="The words as vectors")).to_be_in_viewport()
        page.get_by_role("button", name="Hide the vectors").click()
        not_addressed(page, "vectors")
    page.locator(".lens [tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    cell = page.locator(".lens [data-place='1,1']")
    named = re.fullmatch(r"layer 1 self-attention, 2: (.+): \d\.\d{4}", cell.get_attribute("aria-label") or "")
    assert named
    page.keyboard.press("Enter")
    # By its number; by its place once the picture of the vectors has found it in the sentence.
    expect(page).to_have_url(re.compile(rf"[?&]vectors=s(\.{cell.get_attribute('data-pick')}|\d)\b"))
    expect(page.locator(".embeddings .says")).to_contain_text(named[1])
    expect(page.get_by_role("heading", name="The words as vectors")).to_be_in_viewport()
    expect(cell).to_be_focused()
    expect(page.locator(".st-key-lesson")).to_contain_text("Switch off the feed-forward part")
    page.locator(".st-key-pane").get_by_text("All heads").click()
    not_addressed(page, "pane")
    drawn(page, ".thumbs .thumb")
    lesson = page.locator(".st-key-lesson")
    expect(lesson).to_have_count(1)  # the previous pane's has gone
    expect(lesson).to_contain_text("Switch off the head that aligns best")
    page.get_by_role("button", name="Masks and batches").click()
    expect(lesson).to_contain_text("in a batch with longer ones")
    expect(lesson).to_have_count(1)


# Pressed again when the server has answered the first press, before the button says so.
TWICE_PRESSED = """button => new Promise((done) => {
  button.focus();
  button.click();
  const says = button.textContent;
  const again = () => {
    if (location.search.includes("vectors=")) return setTimeout(again, 1);
    if (button.textContent === says) button.click();
    return done();
  };
  again();
})"""


def test_a_section_that_is_hidden_by_two_presses_stays_hidden(page: Page, app: str) -> None:
    visit(page, f"{app}/transformer?text=a+red+cat&pane=layer&vectors=s1", ".embeddings svg")
    page.get_by_role("button", name="Hide the vectors").evaluate(TWICE_PRESSED)
    show = page.get_by_role("button", name="The words as vectors")
    expect(show).to_have_attribute("aria-expanded", "false")
    settled(page)
    expect(page.locator(".embeddings")).to_have_count(0)
    not_addressed(page, "vectors")
    expect(show).to_be_focused()
    page.keyboard.press("Enter")
    addressed(page, "vectors=s0")


def test_piece_layer_and_cell_are_remembered_while_another_pane_is_shown(page: Page, app: str) -> None:
    visit(page, f"{app}/transformer?text=a+red+cat&pane=cell&pick=0.t1s2", ".heads")
    page.get_by_role("button", name="The layer").click()
    drawn(page, ".residual-stream .rows svg")
    page.locator('.pieces[data-side="s"] button').nth(1).click()
    page.locator(".layers button").nth(1).click()
    addressed(page, "piece=s1")
    addressed(page, "layer=2")
    before = numbers(page)
    page.get_by_role("radio", name="Masks and batches").click()
    drawn(page, ".masks .matrices .body")
    page.get_by_role("radio", name="One cell").click()
    drawn(page, ".heads")
    addressed(page, "pick=0.t1s2")
    page.get_by_role("button", name="The layer").click()
    drawn(page, ".residual-stream .rows svg")
    addressed(page, "layer=2")
    expect(page.locator('.pieces[data-side="s"] button').nth(1)).to_have_attribute("aria-current", "step")
    assert numbers(page) == before


# Two acts, the second as soon as the run that the first asked for is under way: it comes with the address of before.
TWICE = """(first, second) => new Promise((done) => {
  const app = document.querySelector('[data-testid="stApp"]');
  const tab = [...document.querySelectorAll('[role="radio"]')].find((tab) => tab.textContent === second);
  const running = new MutationObserver(() => {
    if (app.dataset.testScriptState !== "running") return;
    running.disconnect();
    tab.click();
    done();
  });
  running.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
  first.click();
})"""


def test_the_tabs_stay_where_they_are_whichever_is_pressed(new_page: Callable[..., Page], app: str) -> None:
    """Beside the heads, and where the page draws them itself."""
    for width, height in ((1280, 720), (390, 844)):
        page = new_page(viewport={"width": width, "height": height})
        places = []
        for pane, picture in (
            ("grid", ".thumbs"),
            ("cell", ".cell"),
            ("layer", ".residual-stream"),
            ("batch", ".masks"),
        ):
            visit(page, f"{app}/transformer?text=a+red+cat&pane={pane}", picture)
            box = page.get_by_text("Masks and batches", exact=True).bounding_box()
            assert box
            places.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
        assert all(max(at) - min(at) < 5 for at in zip(*places, strict=True)), places


def test_what_only_the_server_holds_outlasts_a_quick_change_of_the_pane(page: Page, app: str) -> None:
    for act, written in ((".switches button", "parts-off=decoder.1.attention"), (".reads .neighbors", "vectors=t0")):
        visit(page, f"{app}/transformer?text=a+red+cat&pane=layer&piece=t0", ".residual-stream .rows svg")
        page.locator(act).first.evaluate(TWICE, "Masks and batches")
        drawn(page, ".masks .matrices .body")
        addressed(page, written)
    expect(page.get_by_role("heading", name="The words as vectors")).to_be_visible()


def test_back_in_the_history_undoes_a_switch_at_once(page: Page, app: str) -> None:
    visit(page, f"{app}/transformer?text=a+red+cat&pane=layer&piece=t0&layer=2", ".residual-stream .rows svg")
    page.locator(".switches").get_by_role("button", name="feed-forward").click()
    expect(page.get_by_text("After, without")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("After, without")).to_have_count(0)
    not_addressed(page, "parts-off")


def test_a_phone_shows_that_the_picture_goes_on_at_the_right(phone: Page, app: str) -> None:
    rows = visit(phone, f"{app}/transformer?text=a+red+cat&pane=layer", ".residual-stream .rows")
    goes_on(rows, "right")
    rows.evaluate("rows => (rows.scrollLeft = rows.scrollWidth)")
    goes_on(rows, "right", False)
    tabs = phone.locator(".st-key-layer-panes [role='radio']")
    for place in range(tabs.count()):
        expect(tabs.nth(place)).to_be_in_viewport(ratio=1)
