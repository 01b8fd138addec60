"""State of the Fine-tune page: the run on the screen and what is shown of it, or what a new run would learn.

The settings of a new run are a form: links do not contain them.
"""

import re
from dataclasses import dataclass
from typing import Any, Self

from nmtcore.messages import N_
from nmtcore.runs.experiments import EXPERIMENTS
from nmtcore.training.exercises import NONCE, NONCE_FRENCH
from nmtcore.views.kit.link_state import Choice, Codes, Text, Whole
from pages.common.screen import Screen
from pages.common.state import State, none_of, part, says, stated
from pages.finetune.wording import TASKS

NEWEST = 10**9 - 1  # step of a film
SECTIONS = ("learning", "compare", "before-after")  # of a run
RUN = re.compile(r"[0-9a-f]{12}")
_no_step = says(N_("The link asks for step {asked!r}, which is not a number: the newest is shown."))
_no_run = says(N_("The link overlays a run whose name cannot be read: it was left out."))
_no_task = none_of("learn", N_("the exercises"))
_no_experiment = none_of("experiment", N_("the experiments"))


@dataclass(frozen=True)
class FinetuneState(State):
    """run: the id of the run on the screen, empty for a new one; section: the one shown; film_step: of its
    film, NEWEST until somebody picks one; others: ids of the runs overlaid on it; experiment: the one whose
    runs these are. For a new run, learn: its task; start: the model it starts from, empty for the first; noun, french:
    the made-up word that it learns."""

    run: str = stated(Text("run", ""))
    section: str = stated(Choice("section", SECTIONS[0], SECTIONS))
    film_step: int = stated(Whole("film-step", NEWEST, wrong=_no_step))
    others: tuple[str, ...] = stated(Codes("other-runs", (), RUN.pattern, ".", wrong=_no_run))
    experiment: str = stated(Choice("experiment", "", tuple(EXPERIMENTS), wrong=_no_experiment))
    learn: str = stated(Choice("learn", TASKS[0], TASKS, wrong=_no_task))
    start: str = stated(Text("from", ""))
    noun: str = stated(Text("word", NONCE))
    french: str = stated(Text("french", NONCE_FRENCH))
    screen: Screen = part(Screen)

    def changed(self, **values: Any) -> Self:
        """Ignore a list of runs with an unknown name.

        A browser sends labels, and a label contains the run's status: the old label of a run that has just ended is
        unknown.
        """
        if not all(map(RUN.fullmatch, values.get("others", ()))):
            del values["others"]
        return super().changed(**values)

    def stale(self, before: Self) -> tuple[str, ...]:
        """Another run resets what was chosen in the former one."""
        stale = super().stale(before)
        return (*stale, "section", "film_step", "others", "experiment") if self.run != before.run else stale
