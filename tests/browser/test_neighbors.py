"""Neighbours of a picked piece: every picture links to the words as vectors, and clicks keep their other effects."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import addressed, drawn, not_addressed, visit


@pytest.mark.parametrize(
    ("address", "piece", "asked"),
    [
        ("transformer?text=a+red+cat", '.panel [data-column="1"]', "vectors=s1"),
        ("beam?text=a+red+cat&model=dot&alpha=1.5", '.frame [data-fate="pruned"]', "vectors=t."),
    ],
    ids=["transformer", "a candidate that search dropped"],
)
def test_a_click_on_a_piece_leads_to_its_nearest_ones(
    page: Page, app: str, address: str, piece: str, asked: str
) -> None:
    visit(page, f"{app}/{address}", piece).click()
    page.mouse.move(2, 2)  # the pointed-at piece would be shown first
    page.get_by_role("button", name=re.compile("neighbours of", re.IGNORECASE)).first.click()
    addressed(page, asked)
    for own in address.split("&")[1:]:
        addressed(page, own)
    expect(page.get_by_role("heading", name="The words as vectors")).to_be_in_viewport()


def test_a_piece_under_the_encodings_leads_to_the_page_of_the_model(page: Page, app: str) -> None:
    visit(page, f"{app}/positions?text=a+red+cat&beam=3&section=waves", ".st-key-position-pieces a >> nth=1").click()
    addressed(page, "vectors=s1")
    expect(page).to_have_url(re.compile(r"/transformer\?.*beam=3"))
    expect(page.get_by_role("heading", name="The words as vectors")).to_be_in_viewport()
    expect(page.get_by_label("Sentence to translate")).to_have_value("a red cat")
    page.go_back()
    expect(page.get_by_role("heading", level=1, name="How does it know the order of the words?")).to_be_visible()
    expect(page.get_by_label("Sentence to translate")).to_have_value("a red cat")


def test_a_piece_is_picked_without_the_server_and_the_section_closes(page: Page, app: str) -> None:
    visit(page, f"{app}/dot?text=a+red+cat&vectors=s0", ".embeddings .plane svg")
    page.locator('.embeddings [data-side="t"] button').first.click()
    addressed(page, "vectors=t0")
    # Another sentence, a run of the page: the piece that the browser alone knows stays picked.
    sentence = page.get_by_label("Sentence to translate")
    sentence.fill("a big cat")
    sentence.press("Enter")
    addressed(page, "text=a+big+cat")
    addressed(page, "vectors=t0")
    expect(page.locator('.embeddings [data-side="t"] [aria-current]')).to_have_count(1)
    page.reload()
    drawn(page, '.embeddings [data-side="t"] [aria-current]')
    # Another picture asks for a piece, and for the same again once another has been picked here.
    for _ in range(2):
        page.get_by_role("button", name="neighbours of").first.click()
        addressed(page, "vectors=s")
        expect(page.locator('.embeddings [data-side="s"] [aria-current]')).to_have_count(1)
        page.locator('.embeddings [data-side="t"] button').first.click()
        addressed(page, "vectors=t0")
    page.get_by_role("button", name="Hide the vectors").click()
    not_addressed(page, "vectors")
    expect(page.locator(".embeddings")).to_have_count(0)
