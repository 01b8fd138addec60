"""The Fine-tune page with damaged runs and a disk that refuses: it says so, shows the rest, and stays."""

import contextlib
import dataclasses
import errno
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.runs import queue, run_folder
from nmtcore.runs.config import State
from nmtcore.runs.run_folder import Run, runs
from tests.pages.finetune.helpers import drawn, labels, owned, said, watching
from tests.runs.damage import versions

LOADS = 14  # of damaged runs, drawn with a seed


def test_damaged_runs_are_shown(page: AppTest, run: Run) -> None:
    run.save_as("Backwards")
    draw = random.Random(7)
    by_file: dict[str, list[str]] = {}
    for name, content in versions(run.folder):
        by_file.setdefault(name, []).append(content)
    for name, content in [(name, one) for name, every in by_file.items() for one in draw.sample(every, LOADS // 6 + 1)]:
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


@pytest.mark.parametrize(
    ("state", "button"), [("queued", "stop"), ("stopped", "resume"), ("done", "save"), ("done", "delete")]
)
def test_a_button_that_the_disk_refuses_says_so(
    page: AppTest, run: Run, state: State, button: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.write_status(dataclasses.replace(run.status(), state=state))
    at = watching(owned(page), run)

    @contextlib.contextmanager
    def refused(root: Path) -> Iterator[None]:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(root))
        yield

    monkeypatch.setattr(run_folder, "locked", refused)
    monkeypatch.setattr(queue, "locked", refused)
    at.text_input(key=f"name-{run.id}").set_value("Backwards")
    at.button(key=button).click().run()
    assert "The disk is full" in said(at) and str(run.folder) not in said(at)
    assert run.status().state == state and not run.name()


def test_a_place_of_the_runs_that_is_a_file_is_said(
    page: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "a file"
    place.write_text("")
    monkeypatch.setenv("ALIGNMENT_LAB_RUNS", str(place))
    assert "ALIGNMENT_LAB_RUNS is not a folder" in said(page.run())
    page.button(key="start").click().run()
    assert "ALIGNMENT_LAB_RUNS is not a folder" in said(page) and place.read_text() == ""


def test_a_run_that_is_deleted_while_somebody_watches_is_said_to_be_gone(
    page: AppTest, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Run, "alive", lambda _run: True)
    run.write_status(dataclasses.replace(run.status(), state="running"))
    assert "step 40 of 40" in said(watching(owned(page), run))
    shutil.rmtree(run.folder)
    assert "There is no such run" in said(page.run())


def test_a_damaged_model_is_said(page: AppTest, run: Run) -> None:
    (run.best / "model.safetensors").write_bytes(b"x")
    at = watching(page, run)
    assert "is damaged" in said(at) and str(run.folder) not in said(at)
    assert len(drawn(at)) == 1


@pytest.mark.parametrize("name", ["0123456789ab", "../../etc", "<b>"])
def test_a_run_that_is_not_there_is_said(page: AppTest, name: str) -> None:
    page.query_params["run"] = name
    assert "no such run" in said(page.run())
    assert "Start" in labels(page)
