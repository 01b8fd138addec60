"""Teacher forcing on the Beam search page in a browser: typed, scored word by word, and reopened by the link."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from nmtcore.analysis.teacher_forcing import force_truth
from nmtcore.figures.text import signed
from nmtcore.models import checkpoint
from tests.browser.conftest import addressed, drawn, visit

TRUTH = "un chat rouge"


def test_a_typed_translation_is_scored_and_stands_in_the_link(page: Page, app: str, model_folders: Path) -> None:
    model = checkpoint.load(model_folders / "en-fr" / "transformer")
    forced = force_truth(model, model.read("a red cat"), model.read_target(TRUTH))
    visit(page, f"{app}/beam?text=a+red+cat&model=transformer")
    pane = page.locator(".st-key-teacher-forcing")
    box = pane.get_by_label("The translation that you think is right")
    expect(box).to_be_hidden()
    pane.get_by_text("Teacher forcing: how likely").click()
    box.fill(TRUTH)
    box.press("Enter")
    addressed(page, "truth=un")
    drawn(page, ".st-key-figure-forced canvas, .st-key-figure-forced svg")
    expect(pane).to_contain_text(f"log P {signed(forced.log_probability)}")
    expect(pane).to_contain_text(re.compile(f"Step {forced.first_difference} is the first"))
    visit(page, page.url)
    expect(box).to_have_value(TRUTH)
    expect(pane).to_contain_text(f"log P {signed(forced.log_probability)}")
