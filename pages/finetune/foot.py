"""The foot of a run: the outcome of the last click, its name, the downloads, its code, and the button to delete it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import streamlit as st

from nmtcore.config import is_autoregressive
from nmtcore.errors import NmtError
from nmtcore.figures.learning import animation
from nmtcore.runs.config import OPEN, RunConfig
from nmtcore.runs.export import curves_csv, model_zip
from nmtcore.runs.run_folder import Run, control_code
from pages.common.address import change_state
from pages.common.controls import show_notes
from pages.common.form import held, hold
from pages.common.i18n import _
from pages.common.navigation import PageLink, navigation
from pages.common.registry import entry, offering
from pages.common.saved_models import link_code
from pages.finetune.owner import Visitor, add_code, visitor
from pages.finetune.records import architecture_of, drawn_head, traces_of
from pages.finetune.state import FinetuneState

FOOT = "finetune-foot"  # key of the row
READ = 20.0  # seconds for which the outcome of a click is shown


def keep_remark(run: str, sentence: str) -> None:
    """Report the outcome of a click. It stays for a while: the page may run again before anybody has read it.

    run: the id of the run that it is about; empty where no run is on the screen.
    """
    hold("run remark", (run, sentence, time.monotonic() + READ))


def show_remark(run: str) -> None:
    """Show the outcome of the last click, if it was about this."""
    of, remark, until = held("run remark", ("", "", 0.0))
    if of == run and time.monotonic() < until:
        show_notes(remark)


def say_code(run: Run, code: str) -> None:
    """Show the control code of a newly started run, if another browser needs it."""
    if not visitor().alone:
        says = _("Control code {code}: with it another browser can stop, resume and save this run.")
        keep_remark(run.id, says.format(code=code))


@contextmanager
def remarked(run: str) -> Iterator[None]:
    """Do what a click asks for, or report why that is impossible."""
    try:
        yield
    except NmtError as error:
        keep_remark(run, str(error))


def leave() -> None:
    """Go back to the settings of a new run."""
    change_state(FinetuneState, run="")


def run_foot(run: Run, config: RunConfig | None, who: Visitor) -> None:
    """The row of buttons under a run, and above it the outcome of the last click.

    config: None if it cannot be read: then the rest can be downloaded, and the run deleted.
    """
    show_remark(run.id)
    ended, name = run.status().state not in OPEN, run.name() or run.id
    with st.container(key=FOOT, horizontal=True, vertical_alignment="center", gap="small"):
        if config is None:
            st.button(_("New run"), key="new", on_click=leave)
        elif run.has_model:
            _name(run, config, who)
        if run.has_model and ended:
            says = _("The best weights as safetensors, the vocabulary, settings as JSON, and the curves as CSV.")
            _download(_("Download"), partial(model_zip, run), f"{name}.zip", "application/zip", "download", says)
        if config or run.events():
            _download(_("Curves as CSV"), partial(curves_csv, run), f"{name}.csv", "text/csv", "csv")
        if config and (traces := traces_of(run)) and traces[-1][1].attention:
            says = _("The watched sentence through training, as an SVG that any browser plays.")
            svg = partial(animation, traces, name, _("step {step}"), drawn_head(run))
            _download(_("Alignment as animation"), svg, f"{name}.svg", "image/svg+xml", "animation", says)
        if who.may_delete(run) and ended:
            with st.popover(_("Delete")):
                st.text(_("This removes the run, its model and its curves for everyone. It cannot be undone."))
                st.button(_("Delete this run"), key="delete", on_click=_delete, args=(run,))
        elif config is None:
            st.caption(_("Only the person who started it can delete it."))
        if config and not who.alone:
            _code(run, who)


def _name(run: Run, config: RunConfig, who: Visitor) -> None:
    """The box for its model's name, and the link to the model once it has one."""
    architecture = architecture_of(run, config)
    if who.may_steer(run):
        # A new, closed popover once it has a name: the old one would cover the remark that the model is saved.
        with st.popover(_("Save under a name"), key=f"save-{run.id}-{run.name()}"):
            pages = ", ".join(offering(architecture))
            st.text_input(_("Name"), run.name(), key=f"name-{run.id}", max_chars=40)
            st.button(_("Save"), key="save", on_click=_save, args=(run, pages))
            st.caption(_("Letters, digits, spaces and dashes. It is then offered on: {pages}.").format(pages=pages))
    if run.name():
        page = entry("translate" if is_autoregressive(architecture) else "architectures")
        link = PageLink(page, _("Translate with it"), {"pair": link_code(run.name())})
        navigation([link], key="translate with it", carries=False)


def _download(label: str, data: Any, file_name: str, mime: str, key: str, help: str | None = None) -> None:
    # "ignore": the page does not run again.
    st.download_button(label, data=data, file_name=file_name, mime=mime, key=key, on_click="ignore", help=help)


def _code(run: Run, who: Visitor) -> None:
    with st.popover(_("Control code")):
        if run.is_of(who.session):
            st.text(_("Whoever has this code can stop, resume, name and delete this run only:"))
            st.code(control_code(who.session, run.id), language=None)
        elif who.may_steer(run):
            st.text(_("You may stop, resume, name and delete this run."))
        else:
            st.text(_("Somebody else started this run: you can watch it. Its code lets you stop and delete it."))
            st.text_input(_("Control code"), key=f"code-{run.id}", label_visibility="collapsed")
            st.button(_("Use the code"), key="use code", on_click=_use, args=(run,))


# When a click on a button leaves a text box, the new value is in the session but not yet in what was drawn.
def _use(run: Run) -> None:
    if not add_code(held(f"code-{run.id}")) or not visitor().may_steer(run):
        keep_remark(run.id, _("This is not the control code of this run."))


def _save(run: Run, pages: str) -> None:
    with remarked(run.id):
        run.save_as(held(f"name-{run.id}"))
        keep_remark(run.id, _("Saved as {name}. It is now offered on: {pages}.").format(name=run.name(), pages=pages))


def _delete(run: Run) -> None:
    with remarked(run.id):
        run.delete()
        leave()
