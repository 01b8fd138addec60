"""A run whose folder is damaged: say what is wrong, offer what can still be downloaded, and let it be deleted."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from nmtcore.runs.config import OPEN
from nmtcore.runs.run_folder import Run
from pages.common.controls import show_notes
from pages.common.i18n import _
from pages.common.saved_models import modification_times
from pages.common.shared import kept
from pages.finetune.foot import delete_popover, download_curves, download_model, run_foot
from pages.finetune.owner import codes

RECORDS = ("config.json", "status.json", "owner.json", "name.json", "events.jsonl", "traces.jsonl")


def damage_note(run: Run) -> None:
    """Say which records of a run are incomplete. A run that goes on is passed over: its files are being written."""
    if run.status().state not in OPEN and (damaged := _damaged_files(str(run.folder), _stamp(run))):
        says = _("This run is damaged: {files} cannot be read whole. What can still be read is shown.")
        show_notes(says.format(files=", ".join(damaged)))


def damaged_run(run: Run, why: str, leave: Callable[[], None], delete: Callable[[Run], None]) -> None:
    """A run with unreadable settings: download its model and numbers if they exist, or delete it."""
    show_notes(why)
    with run_foot(run):
        st.button(_("New training"), key="new", on_click=leave)
        if run.has_model:
            download_model(run, run.id)
        if run.events():
            download_curves(run, run.id)
        if run.may_be_deleted_with(codes()):
            delete_popover(run, delete)
        else:
            st.caption(_("Only the person who started it can delete it."))


def _stamp(run: Run) -> tuple[int, ...]:
    return modification_times(run.folder / name for name in RECORDS)


@kept(50)
def _damaged_files(folder: str, stamp: tuple[int, ...]) -> tuple[str, ...]:
    return Run(Path(folder)).damaged_files()
