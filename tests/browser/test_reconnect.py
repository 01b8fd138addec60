"""A page whose server has forgotten it, as after a new start or at another copy."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, addressed, settled, visit
from tests.paths import ROOT

SESSION = "() => window[Symbol.for('alignment-lab address')]?.session"


def test_what_is_entered_first_after_a_new_start_is_taken(
    page: Page, model_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALIGNMENT_LAB_PRETRAINED", str(model_directory))
    server = Server(ROOT / "app.py", workers=0)
    with server as address:
        visit(page, f"{address}/translate?text=a+red+cat")
        session = page.wait_for_function(SESSION).json_value()
    with server:
        page.wait_for_function(f"session => ({SESSION})() !== session", arg=session)
        settled(page)
        box = page.get_by_label("Sentence to translate")
        expect(box).to_have_value("a red cat")
        box.fill("a black dog")
        box.press("Enter")
        addressed(page, "text=a+black+dog")
        expect(box).to_have_value("a black dog")
