"""The alignment panels on a page, and what is picked in them, a part of the page's state.

The browser writes the picks without a run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from nmtcore.analysis.aligning_head import drawn_head
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.messages import N_
from nmtcore.views import parameters
from nmtcore.views.alignment.data import Panel, data
from nmtcore.views.alignment.messages import MESSAGES
from pages.common import models
from pages.common.component import Slice, localized, mount
from pages.common.state import State, says, stated

PICK = parameters.PICK.saying(says(N_("The link picks a word that is not in this figure: it was ignored.")))
PICK_STEP = parameters.ALIGNMENT["step"].saying(
    says(N_("The link names step {asked}, which this translation lacks: all steps are shown."))
)
PANELS = {"pick": "pick", "view": "pick_view", "step": "pick_step"}  # fields, by the panels' names for them


@dataclass(frozen=True)
class Picks(State):
    """pick: a panel with a target piece (its row), the word that this is a piece of (`w`), a source piece (its column),
    or a row and a column (a cell); pick_view: how the panels are drawn; pick_step: the decoding step."""

    pick: str = stated(PICK)
    pick_view: tuple[str, ...] = stated(parameters.ALIGNMENT["view"])
    pick_step: int = stated(PICK_STEP)


NONE: Mapping[str, str] = {}


def model_panel(model: str, record: Trace | MaskPredictRecord) -> Panel:
    """The panel of a model's translation, by search or in rounds."""
    heading = models.heading(model)
    if isinstance(record, MaskPredictRecord):
        return Panel.of_rounds(heading, record, localized(MESSAGES))
    return Panel.of(heading, models.architecture(model), record, drawn_head(*models.settings(model)))


def draw_alignment(
    panels: Sequence[Panel], *, key: str, state: State | None = None, acts: Mapping[str, str] = NONE, **settings: Any
) -> None:
    """Draw the panels, linked; picking costs the server nothing. settings: as of `nmtcore.views.alignment.data`.

    state: a page's, with `Picks`, which the panels read and write; without it they leave the address alone.
    acts: further fields, by the panels' names for them; when one changes, the page runs.
    """
    picks = Slice(state, {**PANELS, **acts}, tuple(acts)) if state else None
    mount("alignment", partial(data, panels, messages=localized(MESSAGES), **settings), key=key, state=picks)
