"""The folder of a run: names, archives, codes, damaged files."""

import errno
import io
import os
import shutil
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from nmtcore.errors import SettingError
from nmtcore.models import checkpoint
from nmtcore.runs import run_folder
from nmtcore.runs.config import RunError, Status
from nmtcore.runs.export import model_zip
from nmtcore.runs.run_folder import Run, control_code, find, saved
from tests.runs.helpers import REVERSE, config, make


def test_of_two_that_save_under_one_name_at_once_one_is_told(finished: Run, tmp_path: Path) -> None:
    copies = [Run(tmp_path / f"{number:012x}") for number in range(4)]
    for copy in copies:
        shutil.copytree(finished.folder, copy.folder)
    together = threading.Barrier(len(copies))

    def save(copy: Run) -> bool:
        together.wait()
        try:
            copy.save_as("Best")
        except RunError as error:
            assert "already saved as 'Best'" in str(error)
            return False
        return True

    with ThreadPoolExecutor(len(copies)) as pool:
        assert sorted(pool.map(save, copies)) == [False, False, False, True]
    named = next(copy for copy in copies if copy.name())
    shutil.copy(named.folder / "name.json", copies[copies.index(named) - 1].folder)  # by hand
    assert list(saved(tmp_path)) == ["Best"]


@pytest.mark.parametrize("name", ["../../x", "a/b", "", " ", ".", "-x", "a\nb\0", "x" * 41, "<b>", "a_b", "C:\\x"])
def test_a_name_is_never_a_path(finished: Run, name: str) -> None:
    with pytest.raises(RunError, match="letters, digits, spaces and dashes"):
        finished.save_as(name)


def test_saving_renaming_and_a_name_that_is_taken(run: Run) -> None:
    root = run.folder.parent
    other = make(root)
    with pytest.raises(RunError, match="first evaluation"):
        other.save_as("Reverse 1")
    run.save_as("  Reverse   1 ")
    assert {name: kept.id for name, kept in saved(root).items()} == {"Reverse 1": run.id}
    shutil.copytree(run.best, other.best)
    with pytest.raises(RunError, match="already saved as 'Reverse 1'"):
        other.save_as("reverse 1")
    run.save_as("Rückwärts-2")
    other.save_as("reverse 1")
    assert list(saved(root)) == ["reverse 1", "Rückwärts-2"]
    other.delete()
    assert list(saved(root)) == ["Rückwärts-2"]


def test_the_archive_is_a_model_that_can_be_loaded(finished: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(model_zip(finished))) as file:
        assert file.testzip() is None
        file.extractall(tmp_path)
    assert checkpoint.load(tmp_path).config.architecture == "dot"
    assert {"run.json", "training.csv"} <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("name", ["../../etc", "", "0123456789ab", "0123456789AB", "a" * 13])
def test_only_ids_of_runs_are_found(finished: Run, name: str) -> None:
    with pytest.raises(RunError, match="no such run"):
        find(finished.folder.parent, name)


def test_only_who_started_it_or_has_its_code_may_touch_it(tmp_path: Path) -> None:
    run, code = run_folder.create(tmp_path, config(), REVERSE.pairs(40), "secret")
    other, _ = run_folder.create(tmp_path, config(), REVERSE.pairs(40), "secret")
    assert run.allows(["secret"]) and run.allows(["nothing", f" {code} "])
    assert not run.allows([]) and not run.allows(["", "Secret", control_code("guess", run.id)])
    assert not other.allows([code])
    assert "secret" not in (run.folder / "owner.json").read_text()
    (run.folder / "owner.json").write_text("{")
    assert not run.allows(["secret", code])


def test_a_status_is_never_half_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = make(tmp_path)
    run.write_status(Status(state="stopped", step=3))

    def fails(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="No space"):
        run.write_status(Status(state="stopped", step=4))
    assert run.status().step == 3
    assert not list(run.folder.glob(".status*"))


@pytest.mark.parametrize("changes", [{"device": "cuda:../x"}, {"exercise": "../x"}, {"architecture": "mlp"}])
def test_wrong_settings_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(SettingError):
        config(**changes)
