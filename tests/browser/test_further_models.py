"""Translate in a browser with models beyond the four: one that copies, and one that writes all words at once."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, visit

QUESTION = "?text=a+cat+sees+a+dog+.&models=transformer~copying~mask-predict&rounds=2"


@pytest.fixture
def opened(page: Page, app: str) -> Page:
    visit(page, f"{app}/{QUESTION}")
    return page


def test_all_words_at_once_stand_beside_the_others_with_their_rounds_below(opened: Page) -> None:
    panels = opened.locator(".panels .panel")
    expect(panels).to_have_count(3)
    expect(panels.nth(2)).to_contain_text("all words at once, rounds: 2")
    rounds = opened.locator(".mask-predict svg.rows").first
    expect(rounds).to_have_attribute("aria-label", re.compile(r"round 1: .*round 2: "))
    opened.locator(".panels [data-panel='0']").press("ArrowDown")  # a word of the Transformer is picked
    addressed(opened, "pick=0.t0")
    once = panels.nth(2).locator(".translation")
    before = once.inner_text()
    opened.locator(".alignment .player button.first").click()
    addressed(opened, "pick-step=1")
    expect(panels.nth(0).locator(".translation .waiting").first).to_be_visible()
    expect(once.locator(".waiting")).to_have_count(0)
    assert once.inner_text() == before, "it has no steps to play"


def test_a_model_that_copies_has_its_strip_and_says_what_it_is(opened: Page) -> None:
    copying = opened.locator(".panels .panel").nth(1)
    cells = copying.locator(".generation .cell")
    rows = copying.locator("[data-panel='1'] g[data-row]")
    expect(rows.first).to_be_attached()  # `count` does not wait for the drawing
    expect(cells).to_have_count(rows.count())
    expect(cells.first).to_have_attribute("title", re.compile(r": g = 0\.\d\d"))
    expect(opened.locator(".generation")).to_have_count(1)
    expect(opened.locator(".note")).to_contain_text("Strip g")
    opened.get_by_role("button", name="Try").click()
    opened.get_by_role("menuitem", name="an unseen name").click()
    expect(opened.get_by_label("Sentence to translate")).to_have_value(
        "My name is Wanjiru Okonkwo and I live in Nakuru."
    )
