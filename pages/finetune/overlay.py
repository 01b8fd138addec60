"""Up to three runs overlaid: their curves, their films at the same step, and the settings that differ."""

import contextlib
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

import pandas as pd
import streamlit as st

from nmtcore.errors import NmtError
from nmtcore.figures.overlay import by_length_table, overlaid, overlaid_by_length, overlay_table
from nmtcore.figures.palette import HUES
from nmtcore.runs.comparison import differing_settings, share_and_time_left
from nmtcore.runs.config import OPEN, RunConfig
from nmtcore.runs.records import scores_by_length
from nmtcore.runs.run_folder import Run, runs, runs_folder
from pages.common.address import control, fragment, read_state
from pages.common.alignment import draw_alignment
from pages.common.figure import draw_figure
from pages.common.i18n import _, duration, title
from pages.finetune.fields import said_value, setting_title
from pages.finetune.film import film_panel, frame_at, step_slider
from pages.finetune.lists import listed
from pages.finetune.owner import Visitor
from pages.finetune.records import architecture_of, drawn_head, events_of, traces_of
from pages.finetune.state import NEWEST, FinetuneState
from pages.finetune.wording import begun_with, run_title, task_title

MOST = 3  # runs in one picture
POLL = 2.0  # seconds between two updates while one of them goes on


class Laid(NamedTuple):
    """A run in the picture, and its name there."""

    run: Run
    config: RunConfig
    name: str = ""


def runs_laid_over(state: FinetuneState, run: Run, who: Visitor) -> None:
    """Choose other runs and draw their curves over this one's and their films beside it."""
    there = {other.id: other for other in runs(runs_folder()) if other.id != run.id}
    others = _readable(there[id] for id in dict.fromkeys(state.others) if id in there)[: MOST - 1]
    offered = {other.run.id: other.run for other in (*others, *_readable(listed(who))) if other.run.id in there}
    if not offered:
        st.caption(_("There is no other run to compare with yet."))
        return
    st.multiselect(
        _("Up to two other runs"),
        tuple(offered),
        format_func=lambda id: run_title(offered[id]),
        max_selections=MOST - 1,
        select_all=False,
        label_visibility="collapsed",
        placeholder=_("Choose one or two runs to compare with"),
        **control(state, "others", value=tuple(other.run.id for other in others)),
    )
    if others:
        chosen = [run, *(other.run for other in others)]
        going_on = any(one.status().state in OPEN for one in chosen)
        fragment(_pictures, run_every=POLL if going_on else None)(chosen, going_on)


def _readable(found: Iterable[Run]) -> list[Laid]:
    """The runs whose settings can be read."""
    readable = []
    for run in found:
        with contextlib.suppress(NmtError):
            readable.append(Laid(run, run.config()))
    return readable


def _pictures(chosen: list[Run], going_on: bool) -> None:
    """Draw what changes while they train. going_on: whether any was training when the page was drawn."""
    if going_on and not any(run.status().state in OPEN for run in chosen):
        st.rerun()  # the whole page: its list of runs says how each ended, and polling ends
    runs = _named(_readable(chosen))
    _progress(runs)
    names = [one.name for one in runs]
    hues = [HUES[architecture_of(one.run, one.config)] for one in runs]
    table = overlay_table({one.name: events_of(one.run) for one in runs})
    state, _notes = read_state(FinetuneState)
    at = state.film_step if state.film_step != NEWEST else None
    exact = all(one.config.exercise for one in runs)
    titles = {
        "loss": _("loss in training"),
        "score": _("exact match, %") if exact else _("score, %"),
        "alignment_error": _("alignment error, %"),
        "learning_rate": _("learning rate"),
        "gradient_norm": _("norm of the gradient"),
        "clipped": _("clipped steps, %"),
    }
    linked = ("alignment_error",) if (table["quantity"] == "alignment_error").any() else ()
    for row in (("loss", "score", *linked), ("learning_rate", "gradient_norm", "clipped")):
        for column, quantity in zip(st.columns(len(row), gap="small"), row, strict=True):
            with column:
                rows = table[table["quantity"] == quantity]
                if rows.empty:
                    st.caption(_("{quantity}: not measured in these runs.").format(quantity=titles[quantity]))
                    continue
                words = _("step"), titles[quantity]
                chart = partial(overlaid, table, quantity, names, hues, *words, at, legend=quantity == "loss")
                heading = " · ".join([titles[quantity], *names])
                draw_figure(chart, key=f"over-{quantity.replace('_', '-')}", title=heading, table=rows)
    _films(state, runs)
    _by_length(runs, hues)
    longer = {one.name: one.run.status().longer for one in runs}
    if None not in longer.values():  # strings longer than any in training, once all runs have tried them
        scores = " · ".join(f"{name}: {score:.0f}%" for name, score in longer.items())
        st.text(_("Right on strings longer than any in training: {scores}").format(scores=scores))
    _differences(runs)


def _by_length(runs: list[Laid], hues: list[str]) -> None:
    """How much each finished run gets right on short and on long strings."""
    table = by_length_table({one.name: scores_by_length(events_of(one.run)) for one in runs})
    if table["length"].nunique() < 2:
        return
    st.markdown(_("**Right by string length**, in 100 strings of each length, at the end of training"))
    names, right = [one.name for one in runs], _("in the right place, %")
    chart = partial(overlaid_by_length, table, names, hues, _("length of the string"), right)
    with st.container(width=520):
        draw_figure(chart, key="over-by-length", title=" · ".join([right, *names]), table=table)


def _progress(runs: list[Laid]) -> None:
    """A progress bar of all these runs together while one of them waits or works, with the time left for all."""
    pace = [(one.run.status(), one.config.training.max_steps, events_of(one.run)) for one in runs]
    if not any(status.state in OPEN for status, *_rest in pace):
        return
    share, seconds = share_and_time_left(pace)
    words = _("All these runs together")
    if seconds is not None:
        words = _("All these runs together: {time} left").format(time=duration(seconds))
    st.progress(share, words)


def _films(state: FinetuneState, runs: list[Laid]) -> None:
    """The watched sentence of each run at the same step, or at the last recorded one before it."""
    panels, kept = [], set[int]()
    for run, _config, name in runs:
        traces = traces_of(run)
        steps = [step for step, _trace in traces]
        kept.update(steps)
        if traces and traces[index := frame_at(steps, state.film_step)][1].attention_of("cross") is not None:
            step, trace = traces[index]
            panels.append(film_panel(trace, step, trace.architecture, drawn_head(run), name))
    if panels and len(kept) > 1:
        st.markdown(_("**The watched sentence in each run at the same step.** Slide back through the training."))
        every = sorted(kept)
        step_slider(state, f"over-{runs[0].run.id}", every, every[frame_at(every, state.film_step)])
    if panels:
        draw_alignment(panels, key="films", sentence=runs[0].config.pinned[0], compact=True, height=330)


def _named(runs: list[Laid]) -> list[Laid]:
    """The runs with the shortest names that tell them apart: of one setting that differs, or of two, numbered if
    necessary."""
    differ = differing_settings([one.config for one in runs])
    rows = [(name, values) for name, values in differ if name not in ("seed", "device")][:2]
    if rows and len(set(rows[0][1])) == len(runs):
        rows = rows[:1]
    names = []
    for i, one in enumerate(runs):
        words = ", ".join(
            said if name in ("optimiser", "architecture", "exercise") else f"{setting_title(name)} {said}"
            for name, said in ((name, _said(name, values[i])) for name, values in rows)
        )
        names.append(one.run.name() or words or begun_with(one.config))
    return [
        one._replace(name=name if names.count(name) == 1 else f"{i}: {name}")
        for i, (one, name) in enumerate(zip(runs, names, strict=True), 1)
    ]


def _said(name: str, value: object) -> str:
    """The value of a setting in words; tasks and models have names of their own."""
    if value is not None and name in ("exercise", "architecture"):
        return (task_title if name == "exercise" else title)(str(value))
    return said_value(name, value)


def _differences(runs: list[Laid]) -> None:
    """The settings that differ."""
    differ = differing_settings([one.config for one in runs])
    if not differ:
        st.caption(_("These runs have the same settings."))
        return
    st.markdown(_("**What differs in their settings**"))
    rows = [[setting_title(name), *(_said(name, value) for value in values)] for name, values in differ]
    table = pd.DataFrame(rows, columns=[_("setting"), *(one.name for one in runs)])
    st.dataframe(table, hide_index=True, height="content")
