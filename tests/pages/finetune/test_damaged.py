"""The Fine-tune page with damaged runs: the damage is reported, the rest is shown, and the run can be deleted."""

import random
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.runs.run_folder import Run, runs
from tests.pages.finetune.helpers import labels, owned, said, watching
from tests.runs.damage import versions

LOADS = 14  # of damaged runs, drawn with a seed


def test_damaged_runs_are_shown(page: AppTest, run: Run) -> None:
    run.save_as("Backwards")
    draw = random.Random(7)
    by_file: dict[str, list[str]] = {}
    for name, content in versions(run.folder):
        by_file.setdefault(name, []).append(content)
    drawn = [(name, content) for name, every in by_file.items() for content in draw.sample(every, LOADS // 6 + 1)]
    for name, content in drawn:
        path = run.folder / name
        whole = path.read_bytes()
        path.write_text(content)
        at = watching(owned(page), run)
        assert not at.exception, (name, content[:300], at.exception)
        path.write_bytes(whole)


def test_a_run_with_damaged_settings_still_gives_what_it_has_and_can_be_deleted(
    page: AppTest, run: Run, root: Path
) -> None:
    (run.folder / "config.json").write_text("[" * 9000)
    at = watching(owned(page, "f" * 32), run)
    assert "its config.json cannot be read" in said(at) and "Only the person who started it can delete it." in said(at)
    assert "Delete this run" not in labels(at)
    assert {button.label for button in at.get("download_button")} == {"Download", "Curves as CSV"}
    at = watching(owned(page), run)
    assert any(f"damaged run {run.id}" in label for label in labels(at))  # in the list, which it does not disturb
    at.button(key="delete").click().run()
    assert runs(root) == [] and "Start" in labels(at)


def test_a_run_whose_owner_cannot_be_read_can_be_deleted_by_anybody(page: AppTest, run: Run, root: Path) -> None:
    (run.folder / "owner.json").write_text('{"session": []}')
    at = watching(owned(page, "f" * 32), run)
    assert "owner.json cannot be read in full" in said(at)
    at.button(key="delete").click().run()
    assert runs(root) == []


@pytest.mark.parametrize("name", ["events.jsonl", "traces.jsonl"])
def test_a_damaged_log_is_said_and_the_rest_is_shown(page: AppTest, run: Run, name: str) -> None:
    run.append(name, {"event": "progress", "step": 10**11})
    at = watching(page, run)
    assert f"{name} cannot be read in full" in said(at) and "step 40 of 40" in said(at)
