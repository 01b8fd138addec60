"""One run on the screen: its curves, the pinned sentence's alignment over time, and the actions."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from nmtcore.config import ARCHITECTURES, Architecture
from nmtcore.figures.learning import HEIGHT, learning_table, loss_curves, score_curve
from nmtcore.runs import queue
from nmtcore.runs.config import LIVE, OPEN, RESUMABLE, STOPPABLE, RunConfig, RunError, Status
from nmtcore.runs.run_folder import Run
from pages.common.address import fragment, read_state
from pages.common.controls import show_notes
from pages.common.figure import draw_figure, theme_colors
from pages.common.i18n import _, duration, title
from pages.common.switch import draw_contents, shown_for
from pages.common.tour import guided_tour
from pages.finetune.before_after import before_and_after
from pages.finetune.experiments import experiment_shown
from pages.finetune.film import film_picture, firsts, frame_at, frame_picker
from pages.finetune.foot import leave, remarked, run_foot
from pages.finetune.formulas import loss_and_rate
from pages.finetune.lists import resume, your_runs_folded
from pages.finetune.overlay import runs_laid_over
from pages.finetune.owner import Visitor
from pages.finetune.records import (
    Events,
    architecture_of,
    damaged_files,
    drawn_head,
    events_of,
    last_event,
    never_began,
    traces_of,
)
from pages.finetune.state import FinetuneState
from pages.finetune.tables import text_table
from pages.finetune.tour import STATUS, run_tour
from pages.finetune.wording import (
    PAIRS,
    STATES,
    begun_with,
    cost_sentence,
    halves,
    look_for,
    missed_goal,
    scored,
    status_sentence,
    task_title,
)

POLL = 1.0  # seconds between two updates of a run that goes on
FIGURE = HEIGHT + 45  # px of a curve with its buttons: the page must not jump while it is drawn


def run_view(state: FinetuneState, run: Run, who: Visitor) -> None:
    """Draw one run; while it goes on, a part of it is redrawn every second."""
    try:
        config = run.config()
    except RunError as error:
        show_notes(str(error))
        return run_foot(run, None, who)
    status = run.status()
    _row(run, config, status, who)
    if damaged := damaged_files(run):
        says = _("This run is damaged: {files} cannot be read in full. What can still be read is shown.")
        show_notes(says.format(files=", ".join(damaged)))
    going_on = status.state in OPEN
    fragment(_standing, run_every=POLL if going_on else None)(run, config, going_on)
    experiment_shown(state.experiment)
    names = {"learning": _("How it learned"), "compare": _("Compare with other runs")}
    if not going_on and run.has_model:
        names["before-after"] = _("Before and after")
    draw_contents(names, state)
    with shown_for("section", "learning"):
        fragment(_live, run_every=POLL if going_on else None)(run, config)
    with shown_for("section", "compare"):
        runs_laid_over(state, run, who)
    if "before-after" in names:
        with shown_for("section", "before-after"):
            before_and_after(run, config, architecture_of(run, config))
    run_foot(run, config, who)


def _row(run: Run, config: RunConfig, status: Status, who: Visitor) -> None:
    """The name of the run, and its one available action."""
    with st.container(key="finetune-row", horizontal=True, vertical_alignment="center", gap="small"):
        st.text(
            " · ".join((task_title(config.exercise or PAIRS), begun_with(config), config.device.upper())),
            width="content",
        )
        st.space("stretch")
        if who.may_steer(run) and status.state in (*OPEN, *RESUMABLE) and not never_began(run):
            _stop_and_resume(run, status)
        your_runs_folded(who)
        st.button(_("New run"), key="new", on_click=leave)


def _stop_and_resume(run: Run, status: Status) -> None:
    """Both buttons, one of them disabled.

    If one were drawn in the place of the other, Streamlit would keep both until the run of the page ends, and the new
    one would then jump to its place: a click in between would miss.
    """
    for label, key, width, may, act in (
        (_("■ Stop"), "stop", 110, status.state in STOPPABLE, Run.stop),
        (_("▶ Resume"), "resume", 120, status.state in RESUMABLE, resume),
    ):
        st.button(
            label,
            type="primary" if may else "secondary",
            key=key,
            disabled=not may,
            on_click=_ask,
            args=(run, act),
            width=width,
        )


def _ask(run: Run, act: Callable[[Run], None]) -> None:
    with remarked(run.id):
        act(run)


def _standing(run: Run, config: RunConfig, going_on: bool) -> None:
    """The progress of the run; only files are read here."""
    with remarked(run.id):
        queue.start_queued(run.folder.parent)
    status = run.status()
    if going_on and status.state not in OPEN:
        st.rerun()  # the buttons around this fragment change too
    events = events_of(run)
    with st.container(key=STATUS):
        st.markdown(_status_line(run, config, status, events))
    if status.state in LIVE and status.total:
        st.progress(min(1.0, status.step / status.total))
    # For an interrupted run the line above says this already.
    remarks = [status.message] if status.message and status.state != "interrupted" else []
    halved = last_event(events, "halved")
    show_notes(*([halves(halved["step"])] if halved else []), *remarks)


def _live(run: Run, config: RunConfig) -> None:
    """Film, curves, samples and tour of a run while it trains; only files are read here."""
    state, _notes = read_state(FinetuneState)
    traces = traces_of(run)
    picked = frame_at([step for step, _trace in traces], state.film_step)
    if not never_began(run):
        _learning(state, run, config, picked)
    guided_tour(run_tour(run, config, run.status(), traces, picked))


def _learning(state: FinetuneState, run: Run, config: RunConfig, picked: int) -> None:
    """The film, which a phone shows first, and the curves beside it."""
    status, events, traces = run.status(), events_of(run), traces_of(run)
    architecture, head = architecture_of(run, config), drawn_head(run)
    left, right = st.columns([1.1, 1], gap="large")
    with left:
        film_picture(traces, picked, architecture, head)
        frame_picker(state, run, traces, picked, head)
    with right:
        slid = traces[picked][0] if 0 <= picked < len(traces) - 1 else None
        _curves(run, config, status, events, architecture, slid)
        for said in (firsts(config, traces, events, head), missed_goal(config, status)):
            if said:
                st.markdown(said)
        st.markdown(look_for(config.exercise or PAIRS, ARCHITECTURES[architecture].attention))
        st.caption(loss_and_rate(config.training, status.total or config.training.max_steps, architecture))
    _samples(events)
    if said := cost_sentence(events, config.device):
        st.caption(said)


def _status_line(run: Run, config: RunConfig, status: Status, events: Events) -> str:
    """A summary in Markdown without any typed text: numbers and our own words only."""
    parts = [f"**{_(STATES[status.state])}**"]
    if status.total:
        parts.append(_("step {step:,} of {total:,}").format(step=status.step, total=status.total))
    progress = last_event(events, "progress")
    if progress and status.state in LIVE:
        if progress["learning_rate"] is not None:
            parts.append(_("learning rate {rate:.1e}").format(rate=progress["learning_rate"]))
        if status.state in STOPPABLE and status.seconds_left:
            parts.append(_("{time} left").format(time=duration(status.seconds_left)))
    elif status.seconds:
        parts.append(_("{seconds:,.0f} s of training").format(seconds=status.seconds))
    if status.score is not None:
        parts.append(scored(config, status.score))
    if status.old_score is not None:
        parts.append(_("earlier translations kept, BLEU **{score}**").format(score=f"{status.old_score:.1f}"))
    if status.longer is not None:
        parts.append(_("on strings longer than any in training **{score}%**").format(score=f"{status.longer:.0f}"))
    remark = status_sentence(run, status)
    return " · ".join(parts) + (f"  \n{remark}" if remark else "")


def _curves(
    run: Run, config: RunConfig, status: Status, events: Events, architecture: Architecture, at: int | None
) -> None:
    """Loss and score. at: the step picked in the film, which is marked."""
    table = learning_table(events)
    total = status.total or config.training.max_steps
    if table.empty:
        st.container(height=FIGURE, border=False).caption(_("The curves begin with the first step."))
        return
    names = {"training": _("training"), "validation": _("held-out pairs")}
    what = {"task": task_title(config.exercise or PAIRS), "model": title(architecture), "run": run.name() or run.id}
    goal = None
    if config.task:
        mark = 100 * config.task.goal
        goal = mark, _("goal {mark}%").format(mark=f"{mark:.0f}")
    score = _("exact match") if config.task else _("BLEU")
    left, right = st.columns([1.1, 1], gap="small")
    with left, st.container(height=FIGURE, border=False):
        heading = _("Loss · {task} · {model} · run {run}").format(**what)
        chart = partial(loss_curves, table, architecture, total, names, _("step"), _("loss"), at=at)
        draw_figure(chart, key="loss", title=heading, table=table)
    with right, st.container(height=FIGURE, border=False):
        heading = _("{score} on held-out pairs · {task} · {model} · run {run}").format(score=score, **what)
        lines = {"score": score, "alignment_error": _("alignment error")}
        if table["old_score"].notna().any():
            lines |= {"score": _("new pairs"), "old_score": _("old ones")}
        chart = partial(score_curve, table, architecture, total, lines, _("step"), goal, theme_colors().ink, at=at)
        draw_figure(chart, key="score", title=heading, table=table[table["score"].notna()])


def _samples(events: Events) -> None:
    """Samples: translations of sources that the model has never seen."""
    newest, longer = last_event(events, "validation"), last_event(events, "longer")
    if newest is None or not newest["samples"]:
        return
    columns = _("source"), _("output"), _("right answer")
    with st.expander(_("What it writes for unseen sources"), key="samples"):
        text_table(columns, [sample.split("\t") for sample in newest["samples"]])
        if longer:
            st.caption(_("Longer than any in training:"))
            text_table(columns, [sample.split("\t") for sample in longer["samples"]])
