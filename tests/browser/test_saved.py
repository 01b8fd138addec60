"""A saved model in a browser: from the Fine-tune page to the Translate page, and along to the next pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from nmtcore.runs.config import RunConfig, Status
from nmtcore.runs.run_folder import Run, create
from nmtcore.training.config import TrainingConfig
from tests.browser.conftest import ROOT, Server, settled, visit

NAME = "The longest name that a model may have 1"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A run that is saved under the longest name; its model is one that ships."""
    folder = tmp_path_factory.mktemp("runs")
    pinned = ("The cat sees the house.", "Le chat voit la maison.")
    config = RunConfig(TrainingConfig(), pinned, began_with="en-fr, Dot", source="en", target="fr")
    made, _ = create(folder, config, [pinned], "somebody")
    shutil.copytree(ROOT / "pretrained" / "en-fr" / "dot", made.best)
    made.write_status(Status("done"))
    made.save_as(NAME)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ALIGNMENT_LAB_RUNS", str(folder))
        yield made


def test_a_saved_model_is_used_on_the_pages(run: Run, page: Page) -> None:
    with Server(ROOT / "app.py", workers=1) as address:
        visit(page, f"{address}/finetune?run={run.id}")
        page.get_by_role("link", name="Translate with it").click()
        panel = page.get_by_role("heading", name=f"Dot: {NAME}")
        expect(panel).to_be_visible()
        expect(page.get_by_role("textbox", name="Sentence to translate")).to_have_value("The cat sees the house.")
        clipped = page.locator(".st-key-pair input").evaluate("box => box.scrollWidth - box.clientWidth")
        assert clipped <= 0

        # It comes along to a page that fits it; elsewhere its languages are asked.
        page.get_by_role("link", name="Dot attention").click()
        expect(page.get_by_role("heading", name="Is a plain product enough")).to_be_visible()
        settled(page)
        expect(page.locator(".st-key-pair input")).to_have_value(f"{NAME} (saved)")
        page.get_by_role("link", name="Positions").click()
        expect(page.get_by_role("heading", name="How does it know the order")).to_be_visible()
        settled(page)
        expect(page.locator(".st-key-pair input")).to_have_value("English to French")
        expect(page.get_by_role("textbox", name="Sentence to translate")).to_have_value("The cat sees the house.")
