"""The pick in the alignment panels, as a part of a page's state: the browser writes it without a run."""

from dataclasses import dataclass

from nmtcore.views import parameters
from nmtcore.views.kit.link_state import QUOTED
from pages.common.i18n import _
from pages.common.state import State, stated

PICK = parameters.PICK.saying(lambda asked: _("The link picks a word that is not in this figure: it was ignored."))
PICK_STEP = parameters.ALIGNMENT["step"].saying(
    lambda asked: _("The link names step {step}, which this translation lacks: all of them are shown.").format(
        step=asked[:QUOTED]
    )
)
PANELS = {"pick": "pick", "view": "pick_view", "step": "pick_step"}  # fields, by what the panels call them


@dataclass(frozen=True)
class Picks(State):
    """pick: a panel with a target piece (its row), the word that this is a piece of (`w`), a source piece (its column),
    or a row and a column (a cell); pick_view: how the panels are drawn; pick_step: of the decoding."""

    pick: str = stated(PICK)
    pick_view: tuple[str, ...] = stated(parameters.ALIGNMENT["view"])
    pick_step: int = stated(PICK_STEP)
