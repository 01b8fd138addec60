"""The file watcher, if switched on, ignores the trainings and nothing else."""

from pathlib import Path

import pytest
from streamlit import config
from streamlit.watcher.folder_black_list import FolderBlackList

from pages.server.start_up import keep_watcher_from_runs
from tests.paths import ROOT


def test_the_folder_of_runs_is_not_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = tmp_path / "runs of a class"
    monkeypatch.setenv("ALIGNMENT_LAB_RUNS", str(runs))
    before = config.get_option("server.folderWatchBlacklist")
    try:
        keep_watcher_from_runs()
        keep_watcher_from_runs()  # a second time changes nothing
        found = config.get_option("server.folderWatchBlacklist")
    finally:
        config.set_option("server.folderWatchBlacklist", before)
    assert found == [*before, str(runs)]
    left_out = FolderBlackList(found)
    assert left_out.is_blacklisted(str(runs / "0123456789ab" / "events.jsonl"))
    assert left_out.is_blacklisted(str(runs / "0123456789ab" / "model" / "best" / "config.json"))
    assert not left_out.is_blacklisted(str(ROOT / "nmtcore" / "runs" / "queue.py"))
    assert not left_out.is_blacklisted(str(tmp_path / "pages" / "page.py"))
