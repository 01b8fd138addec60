"""The Fine-tune page when the disk refuses an operation: every button ends in a sentence, and the page stays."""

import contextlib
import dataclasses
import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.runs import queue, run_folder
from nmtcore.runs.config import State
from nmtcore.runs.run_folder import Run
from tests.pages.finetune.helpers import owned, said, watching


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
    page.query_params["run"] = "0123456789ab"
    assert "There is no such run" in said(page.run())


def test_a_run_that_is_deleted_while_somebody_watches_is_said_to_be_gone(
    page: AppTest, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Run, "alive", lambda _run: True)
    run.write_status(dataclasses.replace(run.status(), state="running"))
    assert "step 40 of 40" in said(watching(owned(page), run))
    shutil.rmtree(run.folder)
    assert "There is no such run" in said(page.run())
