"""The film of a run: the pinned sentence's alignment at every recorded step, one of them large."""

from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from nmtcore.analysis.link_agreement import agreement_with_links, first_seen
from nmtcore.config import Architecture
from nmtcore.decoding.trace import Trace
from nmtcore.figures.learning import frames
from nmtcore.runs.config import RunConfig
from nmtcore.runs.run_folder import Run
from nmtcore.views.alignment.data import Panel
from pages.common.address import change_state, read_state
from pages.common.alignment import draw_alignment
from pages.common.form import held, hold
from pages.common.i18n import _, title
from pages.finetune.records import Events, Traces
from pages.finetune.state import NEWEST, FinetuneState

CSS = Path(__file__).with_suffix(".css")
FRAME = 96  # px
SHORT, TALL = 245, 430  # px of the large picture: what fits a projector's page, and the maximum
ROW, AXIS = 14, 70  # px of its smallest row, and of the labels above it


def frame_at(steps: Sequence[int], picked: int) -> int:
    """The index of the step to show: the picked one, or the last before it; -1 if there is none."""
    return max(0, bisect_right(steps, picked) - 1) if steps else -1


def frame_picker(state: FinetuneState, run: Run, traces: Traces, picked: int, head: tuple[int, int] | None) -> None:
    """The small pictures and the slider, all of which pick a step."""
    steps = [step for step, _trace in traces]
    if len(steps) < 2:
        return
    if traces[picked][1].attention:
        st.markdown(_("**The watched sentence at every saved step.** Click one, or slide back through the training."))
        st.html(CSS)
        with st.container(key="film", horizontal=True, gap="small"):
            for place, (index, picture) in enumerate(frames(traces, picked, _("step {step}"), head)):
                # Named by its place: when other steps take the places, no picture disappears from under the pointer.
                with st.container(key=f"film-frame-{place}", width=FRAME, gap=None):
                    st.html(picture)
                    label = _("step {step}").format(step=f"{steps[index]:,}")
                    st.button(
                        label, key=f"frame-{place}", type="tertiary", on_click=_pick, args=(steps[index], steps[-1])
                    )
    step_slider(state, run.id, steps, steps[picked])


def step_slider(state: FinetuneState, name: str, steps: Sequence[int], picked: int) -> None:
    """A slider over the steps of a film, set to the shown one. name: of the slider."""
    key = _slider_key(state, name, steps[-1])
    hold(key, picked)
    with st.container(key=f"step-{name}"):  # where the guided tour points
        st.select_slider(
            _("Training step shown"),
            steps,
            key=key,
            format_func=lambda value: f"{value:,}",
            label_visibility="collapsed",
            on_change=_slide,
            args=(key, steps[-1]),
        )


def _pick(step: int, last: int) -> None:
    """The address does not name the newest step, so that a run that goes on always shows the latest."""
    change_state(FinetuneState, film_step=step if step != last else NEWEST)
    if read_state(FinetuneState)[0].others:
        st.rerun()  # the whole page: the films of other runs are outside this fragment


def _slide(key: str, last: int) -> None:
    _pick(int(held(key)), last)


def _slider_key(state: FinetuneState, name: str, newest: int) -> str:
    """The key of the slider, a new one for each new step unless a person has picked one.

    A browser that asks for the next update before it has drawn the last one sends the step that was newest until then.
    If that slider no longer exists, this is ignored; with the same key it would count as a move back and stop the film.
    """
    kept = f"slider of {name}"
    if held(kept) is None or state.film_step == NEWEST:
        hold(kept, newest)
    return f"step-{name}-{held(kept)}"


def film_panel(
    trace: Trace, step: int, architecture: Architecture, head: tuple[int, int] | None, name: str = ""
) -> Panel:
    """The picture of one step. head: as of AttentionMap.drawn; name: its heading in the place of the architecture."""
    cross = trace.attention_of("cross")
    layer, head_or_mean = cross.drawn(head) if cross else (0, "mean")
    return Panel(
        _("{model} at step {step}").format(model=name or title(architecture), step=f"{step:,}"),
        architecture,
        trace.source,
        trace.target,
        attention=cross,
        layer=layer,
        head=head_or_mean,
        log_probability=trace.log_probability,
    )


def film_picture(traces: Traces, picked: int, architecture: Architecture, head: tuple[int, int] | None) -> None:
    """The picked step, large."""
    if picked < 0:
        st.caption(_("The alignment appears at step 0."))
        return
    step, trace = traces[picked]
    if trace.attention_of("cross") is not None:
        panel = film_panel(trace, step, architecture, head)
        height = picture_height(len(trace.target))
        draw_alignment([panel], key="pinned", sentence=trace.source_text, compact=True, height=height)


def picture_height(rows: int) -> int:
    """Height of the large picture, in px, with all its rows visible; the same at every step of a run."""
    return min(TALL, max(SHORT, ROW * rows + AXIS))


def firsts(config: RunConfig, traces: Traces, events: Events, head: tuple[int, int] | None = None) -> str:
    """When the expected alignment and the goal were first reached; empty if neither was."""
    if config.task is None:
        return ""
    links, aligned = config.task.links(config.pinned[0]), None
    if config.task.may_look_wrong:
        aligned = first_seen((step, agreement_with_links(trace, links, head)) for step, trace in traces)
    goal = 100 * config.task.goal
    scored = (event for event in events if event["event"] == "validation" and event.get("score") is not None)
    reached = next((event["step"] for event in scored if event["score"] >= goal), None)
    parts = []
    if aligned is not None:
        parts.append(_("The right alignment is first reached at step **{step}**.").format(step=f"{aligned:,}"))
    if reached is not None:
        says = _("{mark}% on held-out pairs is first reached at step **{step}**.")
        parts.append(says.format(mark=f"{goal:.0f}", step=f"{reached:,}"))
    return " ".join(parts)
