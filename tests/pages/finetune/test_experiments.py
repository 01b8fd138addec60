"""Experiments on the page: a question, its answer folded, and one click that starts all runs, overlaid."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.runs import run_folder
from nmtcore.runs.experiments import EXPERIMENTS, Checked
from pages.finetune.experiments import ANSWERS, QUESTIONS
from tests.pages.finetune.helpers import labels, said


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> None:
    record = {"rates": Checked(4, 5), "clipping": Checked(2, 5)}
    monkeypatch.setattr("pages.finetune.experiments.checked", lambda: record)


def test_only_what_came_out_mostly_is_offered_with_how_often(page: AppTest, found: None) -> None:
    page.run()
    buttons = [button.key for button in page.button]
    assert "experiment-rates" in buttons and "experiment-clipping" not in buttons
    assert QUESTIONS["rates"] in said(page) and "4 of 5 seeds" in said(page)
    (folded,) = [expander for expander in page.expander if expander.label == "Answer"]
    assert not folded.proto.expanded and ANSWERS["rates"] in [text.value for text in folded.markdown]
    assert set(QUESTIONS) == set(ANSWERS) == set(EXPERIMENTS)


def test_one_click_queues_all_runs_and_shows_them_together(page: AppTest, root: Path, found: None) -> None:
    page.run()
    page.button(key="experiment-rates").click().run()
    made = run_folder.runs(root)
    assert sorted(run.config().training.learning_rate for run in made) == pytest.approx([0.0006, 0.006, 0.18])
    assert page.query_params["experiment"] in ("rates", ["rates"])
    assert QUESTIONS["rates"] in said(page) and "Waiting" in said(page)
    assert "What differs in their settings" in said(page)
    page.button(key="new").click().run()
    assert not {"run", "with", "experiment"} & set(page.query_params)
    page.button(key="experiment-rates").click().run()
    assert "You have a run that is waiting or training" in said(page) and "Run it" in labels(page)
    assert len(run_folder.runs(root)) == 3


def test_the_books_recipe_is_one_click(page: AppTest, root: Path) -> None:
    page.run()
    page.selectbox(key="learn").set_value("spell").run()
    assert "book-recipe" not in [button.key for button in page.button], "it has too few pairs"
    page.selectbox(key="learn").set_value("reverse").run()
    assert "The books' recipe" in said(page) and "batches of 64, 10 epochs" in said(page)
    page.button(key="book-recipe").click().run()
    (run,) = run_folder.runs(root)
    asked = run.config()
    assert page.query_params["run"] in (run.id, [run.id])
    assert (asked.exercise, asked.training.optimiser, asked.training.batch_rows) == ("reverse", "rmsprop", 64)
    assert len(run.pairs()) == 10_000
