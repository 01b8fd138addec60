"""The guided tours of the Fine-tune page: before a run is started, and of a run that is shown."""

from collections.abc import Sequence

from nmtcore.config import ARCHITECTURES, Architecture
from nmtcore.decoding.trace import Trace
from nmtcore.runs.config import OPEN, RunConfig, Status
from nmtcore.runs.run_folder import Run
from nmtcore.text.words import name_at
from nmtcore.training.exercises import Example
from pages.common.i18n import _, ngettext
from pages.common.tour import TourStep, from_first_section, largest_weight, quoted, tour_step
from pages.finetune.foot import FOOT
from pages.finetune.state import FinetuneState
from pages.finetune.wording import PAIRS, STATES, begun_with, task_title

ROW = "finetune-row"  # key of the controls
PREVIEW = "pairs preview"  # key of the table of pairs
STATUS = "finetune-status"  # key of the status line of a run


def setup_tour(
    name: str, architecture: Architecture, begins: str, pairs: Sequence[Example], config: RunConfig | None
) -> list[TourStep]:
    """The tour before a run is started. begins: its starting point in words; config: None if it cannot begin."""
    learn, start = (FinetuneState.parameters()[field].name for field in ("learn", "start"))
    steps = [
        tour_step(_("Choose a task here; now it is “{task}”.").format(task=task_title(name)), learn),
        tour_step(_("This is what the training starts from, now “{start}”.").format(start=begins), start),
        tour_step(_("This is the device for the training; only devices of this machine are offered."), "device"),
    ]
    if config is None:
        steps += [
            tour_step(
                _("Your own pairs come from a file: a sentence, a tab and its translation in every row."), "pairs file"
            ),
            tour_step(_("Or they are pasted here, in rows of the same form."), "pasted"),
            tour_step(_("This button waits until there is something to learn from."), "start"),
        ]
    else:
        says = ngettext(
            "It has {count} pair to learn from, and in it “{source}” becomes “{target}”.",
            "It has {count} pairs to learn from, and in the first of them “{source}” becomes “{target}”.",
            len(pairs),
        )
        source, target = map(quoted, pairs[0])
        if not ARCHITECTURES[architecture].attention:
            watched = _("The model has no attention, so it will not look back at “{source}”, the watched sentence.")
        elif name == PAIRS:
            watched = _("The alignment of “{source}” will be watched while the model learns.")
        else:
            watched = _("This is what the alignment of “{source}”, the watched sentence, should look like.")
        steps += [
            tour_step(says.format(count=f"{len(pairs):,}", source=source, target=target), PREVIEW),
            tour_step(watched.format(source=quoted(config.pinned[0])), "ideal", PREVIEW),
            tour_step(_("Settings holds what few need to change, such as the learning rate."), ROW),
            tour_step(_("This button starts a process of its own, which goes on when the page is left."), "start"),
        ]
    return [*steps, _question()]


def run_tour(
    run: Run, config: RunConfig, status: Status, traces: Sequence[tuple[int, Trace]], picked: int
) -> list[TourStep]:
    """The tour of one run. While it goes on, its numbers change every second, so no sentence names any.

    picked: the index of the shown trace; -1 for none.
    """
    going_on = status.state in OPEN
    learns = _("This run learns “{task}” and began with “{start}”.")
    if going_on:
        now = tour_step(_("While it runs, these pictures update by themselves."), ROW)
    else:
        says = _("It is {state} now, after {step} of {total} steps.")
        state = _(STATES[status.state])
        now = tour_step(says.format(state=state, step=f"{status.step:,}", total=f"{status.total:,}"), STATUS)
    steps = [
        tour_step(learns.format(task=task_title(config.exercise or PAIRS), start=begun_with(config)), ROW),
        tour_step(
            _("This is the loss, on the pairs that it learns from and on others that it never saw."), "figure-loss"
        ),
        _score(config, status),
        now,
        _alignment(run, config, None if picked < 0 or going_on else traces[picked]),
        tour_step(_("Below is what it writes for sources that it never saw, once it has been measured."), "samples"),
        tour_step(_("Download its curves here; whoever started it can save its model under a name."), FOOT),
        _question(),
    ]
    return from_first_section(steps)


def _score(config: RunConfig, status: Status) -> TourStep:
    if status.state in OPEN or status.score is None:
        says = _("This is how well it does on pairs that it never saw, each time it is measured.")
        return tour_step(says, "figure-score")
    if config.exercise:
        says = _("When last measured, it wrote {score}% of the answers exactly, on pairs that it never saw.")
        return tour_step(says.format(score=f"{status.score:.0f}"), STATUS)
    says = _("When last measured, it had {score} BLEU on pairs that it never saw.")
    return tour_step(says.format(score=f"{status.score:.1f}"), STATUS)


def _alignment(run: Run, config: RunConfig, shown: tuple[int, Trace] | None) -> TourStep:
    """shown: the trace on the screen and its step; None while it changes on its own."""
    if shown is None:
        says = _("Meanwhile the sentence “{source}” is translated again and again.")
        return tour_step(says.format(source=quoted(config.pinned[0])), "pinned")
    step, trace = shown
    cross = trace.attention_of("cross")
    if cross is None:
        says = _("This slider goes back through the training of a model that has one vector and no attention.")
        return tour_step(says, f"step-{run.id}")
    largest = largest_weight(cross.matrix(cross.layers - 1, "mean"), trace.target)
    says = _("At training step {step} the model looked mainly at “{source}” for “{word}”.").format(
        step=f"{step:,}", word=name_at(trace.target, largest.row), source=name_at(trace.source, largest.column)
    )
    return tour_step(says, "pinned")


def _question() -> TourStep:
    return tour_step(_("This question is for the class: its answer stays closed until somebody opens it."), "lesson")
