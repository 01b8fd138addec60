"""Atomic writes where the system refuses a file that another process has open, as Windows does."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from nmtcore import files
from nmtcore.files import atomic_write, read_json


@pytest.fixture
def refusals(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The first three times that a file is replaced it is open elsewhere."""
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
