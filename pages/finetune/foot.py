"""The foot of a run: the outcome of the last click, the downloads, and the button that deletes it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmtcore.errors import NmtError
from nmtcore.runs.export import curves_csv, model_zip
from nmtcore.runs.run_folder import Run
from pages.common.controls import show_notes
from pages.common.form import held, hold
from pages.common.i18n import _
from pages.server.classroom import for_this_computer_only

FOOT = "finetune-foot"  # key of the row
READ = 20.0  # seconds for which the outcome of a click is shown


def keep_remark(run: Run, sentence: str) -> None:
    """Report the outcome of a click. It stays for a while: the page may run again before anybody has read it."""
    hold("run remark", (run.id, sentence, time.monotonic() + READ))


def say_code(run: Run, code: str) -> None:
    """Say the control code of a run that has just been started, where another browser needs it."""
    if not for_this_computer_only():
        keep_remark(
            run, _("Control code {code}: with it another browser can stop, resume and save it.").format(code=code)
        )


@contextmanager
def remarked(run: Run) -> Iterator[None]:
    """Do what a click asks for, or report why that is impossible."""
    try:
        yield
    except NmtError as error:
        keep_remark(run, str(error))


def run_foot(run: Run) -> DeltaGenerator:
    """The row of buttons under a run, and above it the outcome of the last click."""
    of, remark, until = held("run remark", ("", "", 0.0))
    if of == run.id and time.monotonic() < until:
        show_notes(remark)
    return st.container(key=FOOT, horizontal=True, vertical_alignment="center", gap="small")


def download_model(run: Run, name: str, help: str | None = None) -> None:
    """A button that downloads the model with its vocabulary, settings and curves as `name`.zip."""
    _download(_("Download"), partial(model_zip, run), f"{name}.zip", "application/zip", "download", help)


def download_curves(run: Run, name: str) -> None:
    """A button that downloads what was measured during the training as `name`.csv."""
    _download(_("Curves as CSV"), partial(curves_csv, run), f"{name}.csv", "text/csv", "csv")


def download_animation(svg: Callable[[], str], name: str) -> None:
    """A button that downloads the alignments over the training as `name`.svg, made when it is clicked."""
    says = _("The watched sentence through the training, as an SVG that any browser plays.")
    _download(_("Alignment as animation"), svg, f"{name}.svg", "image/svg+xml", "animation", says)


def _download(label: str, data: Any, file_name: str, mime: str, key: str, help: str | None = None) -> None:
    # "ignore": the page does not run again.
    st.download_button(label, data=data, file_name=file_name, mime=mime, key=key, on_click="ignore", help=help)


def delete_popover(run: Run, delete: Callable[[Run], None]) -> None:
    """A button that deletes a run after a second one has confirmed it."""
    with st.popover(_("Delete")):
        st.text(_("This removes the run, its model and its curves for everyone. It cannot be undone."))
        st.button(_("Delete this run"), key="delete", on_click=delete, args=(run,))
