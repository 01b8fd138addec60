"""The guided tour: begun, walked and left; on a phone its link brings the step back, and another sentence keeps it.

The words its sentences quote are in the frame: the pictures move there, and back when it is left.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, eventually, not_addressed, visit

Box = dict[str, float]


def box(page: Page, selector: str) -> Box:
    found = page.locator(selector).first.bounding_box()
    assert found
    return dict(found)


def framed(page: Page, selector: str) -> None:
    """Wait until the frame lies around an element, above the bar and in the window."""

    def check() -> None:
        frame, target, bar = box(page, ".tour-frame"), box(page, selector), box(page, ".tour-bar")
        right, below = frame["x"] + frame["width"], frame["y"] + frame["height"]
        assert frame["y"] >= 0 and below <= bar["y"], "the bar covers what it points at"
        assert target["x"] - 5 <= frame["x"] and right <= target["x"] + target["width"] + 5
        assert target["y"] - 5 <= frame["y"]
        assert abs(frame["width"] - target["width"] - 8) < 2

    expect(page.locator(".tour-frame")).to_be_visible()
    eventually(page, check)


# The text visible in the frame: lines of which at least half is there.
READ = """() => {
  const frame = document.querySelector('.tour-frame').getBoundingClientRect();
  const within = (box) =>
    box.width && box.left < frame.right && box.right > frame.left &&
    box.top + box.height / 2 < frame.bottom && box.top + box.height / 2 > frame.top;
  const texts = [];
  const read = (root) => {
    for (const node of root.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) {
        const holder = node.parentElement;
        if (holder && (holder.closest('title, style, .tour') || !holder.checkVisibility())) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        if ([...range.getClientRects()].some(within)) texts.push(node.textContent);
      } else if (node.nodeType === Node.ELEMENT_NODE) {
        if (node.matches('input') && within(node.getBoundingClientRect())) texts.push(node.value);
        if (node.shadowRoot) read(node.shadowRoot);
        read(node);
      }
    }
  };
  read(document.body);
  return texts;
}"""
PLAIN = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
NUMBER = r"(?<![\w.])−?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\w)"


def in_the_frame(page: Page) -> None:
    """Wait until the sentence's numbers and quoted words can be read in the frame."""

    def check() -> None:
        says = page.locator(".tour-says").inner_text().translate(PLAIN)
        # The dot before a piece that continues a word is drawn as a circle.
        quoted = [re.sub(r"\s|·|…$", "", words) for words in re.findall(r"“(.+?)”(?!\w)", says)]
        texts = [text.translate(PLAIN) for text in page.evaluate(READ)]
        joined = re.sub(r"\s|·", "", "".join(texts))
        missing = [words for words in quoted if words not in joined]
        numbers = {number for text in texts for number in re.findall(r"−?(?:\d{1,3}(?:,\d{3})+|\d*)\.?\d+", text)}
        numbers |= {f"0{number}" for number in numbers if number.startswith(".")}  # as small cells have them
        said = re.findall(NUMBER, re.sub(r"“.+?”(?!\w)", "", says))
        missing += [number for number in said if number not in numbers]
        assert missing == [], f"{says} In the frame: {texts}"
        frame, bar = box(page, ".tour-frame"), box(page, ".tour-bar")
        assert frame["y"] >= 0 and frame["y"] + frame["height"] <= bar["y"], "the bar covers what it points at"

    expect(page.locator(".tour-frame")).to_be_visible()
    eventually(page, check)


def walked(page: Page) -> list[str]:
    """Walk the whole tour, and check each sentence's quotes in the frame; returns the address at each step."""
    page.get_by_role("button", name="Guided tour").click()
    addressed(page, "tour=1")
    count = int(page.locator(".tour-count").inner_text().split()[-1])
    addresses = []
    for step in range(1, count + 1):
        addressed(page, f"tour={step}")
        in_the_frame(page)
        addresses.append(page.url)
        if step < count:
            page.locator(".tour-next").click()
    return addresses


@pytest.mark.parametrize(
    ("query", "own"),
    [
        ("additive?text=A+big+dog.&decoder-step=2.4", ["decoder-step=2.4"]),
        (
            "transformer?text=A+big+dog.&head=encoder.1.2&pane=head&pick=0.t1",
            ["head=encoder.1.2", "pane=head", "pick=0.t1"],
        ),
    ],
    ids=["additive", "transformer"],
)
def test_what_a_tour_quotes_is_in_its_frame(page: Page, app: str, query: str, own: list[str]) -> None:
    """The reader's choices come back when it is left."""
    visit(page, f"{app}/{query}", ".walk, .panels h3")
    addresses = walked(page)
    assert len({re.sub(r"[?&]tour=\d+", "", address) for address in addresses}) > 3, "it brings the picture to places"
    page.locator(".tour-leave").click()
    not_addressed(page, "tour")
    for part in own:
        addressed(page, part)

    visit(page, addresses[3])  # in a tab of its own: the link holds the step of the tour and of the picture
    expect(page.locator(".tour-count")).to_have_text(re.compile("^4 of "))
    in_the_frame(page)
    expect(page).to_have_url(addresses[3])


def test_a_step_of_the_readers_own_stays_when_a_tour_is_left(page: Page, app: str) -> None:
    walk = visit(page, f"{app}/additive?text=A+big+dog.&tour=4", ".walk")
    expect(walk).to_have_attribute("data-step", re.compile(r"\.2$"))
    following = (walk.get_attribute("data-step") or "").replace(".2", ".3")
    page.get_by_role("button", name="Step forward").click()
    addressed(page, f"decoder-step={following}")
    page.locator(".tour-leave").click()
    not_addressed(page, "tour")
    expect(walk).to_have_attribute("data-step", following)


def test_a_tour_is_begun_walked_and_left(new_page: Callable[..., Page], app: str) -> None:
    page = new_page()
    visit(page, app, '[data-panel="3"] svg')
    bar = page.locator(".tour-bar")
    expect(bar).to_be_hidden()
    page.get_by_role("button", name="Guided tour").click()
    expect(bar.locator(".tour-count")).to_have_text(re.compile(r"^1 of ([6-9]|10)$"))
    framed(page, ".st-key-text")
    addressed(page, "tour=1")
    for _step in range(3):
        page.get_by_role("button", name="Next", exact=True).click()
    addressed(page, "tour=4")
    addressed(page, "pick=1.t")
    framed(page, '[data-panel="1"]')
    in_the_frame(page)
    fourth = bar.locator(".tour-says").inner_text()

    link = page.url
    page.get_by_role("button", name="Back", exact=True).click()
    addressed(page, "tour=3")
    page.keyboard.press("ArrowRight")
    addressed(page, "tour=3")
    page.keyboard.press("Escape")
    expect(bar).to_be_hidden()
    expect(page.locator(".tour-frame")).to_be_hidden()
    not_addressed(page, "tour")
    not_addressed(page, "pick")

    phone = new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    visit(phone, link, '[data-panel="1"] svg')
    says = phone.locator(".tour-says")
    expect(says).to_have_text(fourth)
    framed(phone, '[data-panel="1"]')
    in_the_frame(phone)
    wide = box(phone, ".tour-bar")
    assert wide["x"] >= 0 and wide["x"] + wide["width"] <= 390 and wide["y"] + wide["height"] <= 844
    sentence = phone.get_by_role("textbox", name="Sentence to translate")
    sentence.fill("My shoes are too small.")
    sentence.press("Enter")
    expect(says).not_to_have_text(fourth)
    expect(says).to_contain_text("Additive puts")
    addressed(phone, "tour=4")
    in_the_frame(phone)
    phone.get_by_role("button", name="Leave").click()
    expect(says).to_be_hidden()


def test_a_link_of_a_step_keeps_the_readers_own_penalty(page: Page, app: str) -> None:
    visit(page, f"{app}/beam?text=a+red+cat&alpha=1.2&tour=4", ".tree .frame")
    leave = page.get_by_role("button", name="Leave")
    expect(leave).to_be_visible()
    page.get_by_role("button", name="Back", exact=True).click()  # to a step that speaks of the same penalty
    addressed(page, "tour=3")
    leave.click()
    not_addressed(page, "tour")
    addressed(page, "alpha=1.2")
    expect(page.get_by_role("slider", name="Length penalty")).to_have_value("1.2")
