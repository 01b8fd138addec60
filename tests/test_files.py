"""Atomic writes on a system that refuses files open in another process, as Windows does; CSV cells."""

import os
import sys
from pathlib import Path

import pytest

from nmtcore import files
from nmtcore.files import atomic_write, csv_cell, read_json


@pytest.fixture
def refusals(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The first three replacements of a file fail because it is open elsewhere."""
    refused: list[str] = []
    replace = os.replace

    def busy(source: Path, target: Path) -> None:
        if len(refused) < 3:
            refused.append(target.name)
            raise PermissionError(13, "Permission denied", str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", busy)
    return refused


def test_on_windows_a_file_that_is_read_meanwhile_is_replaced_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusals: list[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    (tmp_path / "status.json").write_text('{"step": 1}', encoding="utf-8")
    atomic_write(tmp_path / "status.json", b'{"step": 2}')
    assert refusals == ["status.json"] * 3
    assert read_json(tmp_path / "status.json") == {"step": 2} and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(("system", "tries"), [("linux", 1), ("win32", 2)])
def test_what_stays_refused_is_an_error_and_leaves_nothing_behind(
    system: str, tries: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusals: list[str]
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    times = iter([0.0, files.PATIENCE / 2, files.PATIENCE * 2])
    monkeypatch.setattr(files.time, "monotonic", lambda: next(times))
    with pytest.raises(PermissionError):
        atomic_write(tmp_path / "status.json", b"{}")
    assert len(refusals) == tries and list(tmp_path.iterdir()) == []


def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        atomic_write(tmp_path / "nowhere" / "page.html", b"")
    assert caught.value.filename == str(tmp_path / "nowhere" / "page.html")


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-x", "@SUM(A1)", "\tx", "\rx", "-", '=HYPERLINK("a")'])
def test_a_cell_that_a_spreadsheet_would_take_for_a_formula_is_a_text(text: str) -> None:
    assert csv_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", [-1.5, -3, None, "-1.5", "+2e-3", "a-b", "", "\u2581=", "'=1"])
def test_other_cells_are_left_as_they_are(value: object) -> None:
    assert csv_cell(value) == value
