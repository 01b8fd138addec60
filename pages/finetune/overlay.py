"""Up to three runs overlaid: their curves, their films at the same step, and the settings that differ."""

from bisect import bisect_right
from functools import partial

import pandas as pd
import streamlit as st

from nmtcore.errors import NmtError
from nmtcore.figures.overlay import by_length_table, overlaid, overlaid_by_length, overlay_table
from nmtcore.figures.palette import HUES
from nmtcore.runs.config import OPEN, RunConfig
from nmtcore.runs.differences import differing_settings
from nmtcore.runs.records import scores_by_length
from nmtcore.runs.run_folder import Run, find, runs_folder
from nmtcore.runs.time_left import share_and_time_left
from pages.common.address import control, fragment, read_state
from pages.common.alignment import draw_alignment
from pages.common.figure import draw_figure
from pages.common.i18n import _, duration, title
from pages.finetune.fields import said_value, setting_title
from pages.finetune.film import film_panel, step_slider
from pages.finetune.lists import listed
from pages.finetune.owner import Visitor
from pages.finetune.records import architecture_of, drawn_head, events_of, traces_of
from pages.finetune.state import NEWEST, FinetuneState
from pages.finetune.wording import begun_with, run_title, task_title

MOST = 3  # runs in one picture
POLL = 2.0  # seconds between two updates while one of them goes on


def runs_laid_over(state: FinetuneState, run: Run, who: Visitor) -> None:
    """Choose other runs and draw their curves over this one's and their films beside it."""
    others = [other for other in _asked(state) if other.id != run.id]
    offered = {other.id: other for other in (*others, *listed(who)) if other.id != run.id and _read(other)}
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
        **control(state, "others", value=tuple(other.id for other in others)),
    )
    if others:
        chosen = [run, *others]
        going_on = any(one.status().state in OPEN for one in chosen)
        fragment(_pictures, run_every=POLL if going_on else None)(chosen, going_on)


def _asked(state: FinetuneState) -> list[Run]:
    """The chosen runs that exist and can be read."""
    there = []
    for name in dict.fromkeys(state.others):
        try:
            there.append(find(runs_folder(), name))
        except NmtError:
            continue
    return [run for run in there if _read(run)][: MOST - 1]


def _read(run: Run) -> RunConfig | None:
    try:
        return run.config()
    except NmtError:
        return None


def _pictures(chosen: list[Run], going_on: bool) -> None:
    """Draw what changes while they train. going_on: whether any was training when the page was drawn."""
    if going_on and not any(run.status().state in OPEN for run in chosen):
        st.rerun()  # the whole page: its list of runs says how each ended, and polling ends
    readable = [(run, config) for run in chosen if (config := _read(run))]
    runs, configs = [run for run, _config in readable], [config for _run, config in readable]
    _progress(runs, configs)
    differ = differing_settings(configs)
    names = _names(runs, configs)
    hues = [HUES[architecture_of(run, config)] for run, config in readable]
    table = overlay_table({name: events_of(run) for name, run in zip(names, runs, strict=True)})
    state, _notes = read_state(FinetuneState)
    at = state.film_step if state.film_step != NEWEST else None
    exact = all(config.exercise for config in configs)
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
    _films(state, readable, names, at)
    _by_length(runs, names, hues)
    _longer_strings(runs, names)
    _table(names, differ)


def _by_length(runs: list[Run], names: list[str], hues: list[str]) -> None:
    """How much each finished run gets right on short and on long strings."""
    table = by_length_table({name: scores_by_length(events_of(run)) for name, run in zip(names, runs, strict=True)})
    if table["length"].nunique() < 2:
        return
    st.markdown(_("**Right by string length**, in 100 strings of each length, at the end of training"))
    right = _("in the right place, %")
    chart = partial(overlaid_by_length, table, names, hues, _("length of the string"), right)
    with st.container(width=520):
        draw_figure(chart, key="over-by-length", title=" · ".join([right, *names]), table=table)


def _longer_strings(runs: list[Run], names: list[str]) -> None:
    """How much was right on strings longer than any in training, if all runs have tried them."""
    scores = [run.status().longer for run in runs]
    if all(score is not None for score in scores):
        parts = " · ".join(f"{name}: {score:.0f}%" for name, score in zip(names, scores, strict=True))
        st.text(_("Right on strings longer than any in training: {scores}").format(scores=parts))


def _progress(runs: list[Run], configs: list[RunConfig]) -> None:
    """A progress bar of all these runs together while one of them waits or works, with the time left for all."""
    statuses = [run.status() for run in runs]
    if not any(status.state in OPEN for status in statuses):
        return
    share, seconds = share_and_time_left(
        [
            (status, config.training.max_steps, events_of(run))
            for run, status, config in zip(runs, statuses, configs, strict=True)
        ]
    )
    words = _("All these runs together")
    if seconds is not None:
        words = _("All these runs together: {time} left").format(time=duration(seconds))
    st.progress(share, words)


def _films(state: FinetuneState, readable: list[tuple[Run, RunConfig]], names: list[str], at: int | None) -> None:
    """The watched sentence of each run at the same step, or at the last recorded one before it."""
    panels, kept = [], set[int]()
    for (run, _config), name in zip(readable, names, strict=True):
        traces = traces_of(run)
        if not traces:
            continue
        steps = [step for step, _trace in traces]
        kept.update(steps)
        index = len(steps) - 1 if at is None else max(0, bisect_right(steps, at) - 1)
        step, trace = traces[index]
        if trace.attention_of("cross") is not None:
            panels.append(film_panel(trace, step, trace.architecture, drawn_head(run), name))
    if panels and len(kept) > 1:
        st.markdown(_("**The watched sentence in each run at the same step.** Slide back through the training."))
        every = sorted(kept)
        picked = len(every) - 1 if at is None else max(0, bisect_right(every, at) - 1)
        step_slider(state, f"over-{readable[0][0].id}", every, every[picked])
    if panels:
        draw_alignment(panels, key="films", sentence=readable[0][1].pinned[0], compact=True, height=330)


def _names(runs: list[Run], configs: list[RunConfig]) -> list[str]:
    """The shortest names that tell the runs apart: of one setting that differs, or of two, numbered if necessary."""
    rows = [(name, values) for name, values in differing_settings(configs) if name not in ("seed", "device")][:2]
    one = [values for _name, values in rows[:1]]
    if one and len(set(one[0])) == len(configs):
        rows = rows[:1]
    names = []
    for i, (run, config) in enumerate(zip(runs, configs, strict=True)):
        parts = [_said(name, values[i]) for name, values in rows]
        words = ", ".join(
            part if name in ("optimiser", "architecture", "exercise") else f"{setting_title(name)} {part}"
            for (name, _values), part in zip(rows, parts, strict=True)
        )
        names.append(run.name() or words or begun_with(config))
    return [name if names.count(name) == 1 else f"{i}: {name}" for i, name in enumerate(names, 1)]


def _said(name: str, value: object) -> str:
    """The value of a setting in words; tasks and models have names of their own."""
    if value is not None and name in ("exercise", "architecture"):
        return (task_title if name == "exercise" else title)(str(value))
    return said_value(name, value)


def _table(names: list[str], differ: list[tuple[str, tuple[object, ...]]]) -> None:
    """The settings that differ."""
    if not differ:
        st.caption(_("These runs have the same settings."))
        return
    st.markdown(_("**What differs in their settings**"))
    rows = [[setting_title(name), *(_said(name, value) for value in values)] for name, values in differ]
    st.dataframe(pd.DataFrame(rows, columns=[_("setting"), *names]), hide_index=True, height="content")
