"""The pick in the alignment panels, as a part of a page's state: the browser writes it without a run."""

from dataclasses import dataclass

from nmtcore.views.kit.link_state import QUOTED, Codes, Pattern, Whole
from pages.common.i18n import _
from pages.common.state import State, stated

PIECE = r"\d{1,3}"
PICK = Pattern(
    "pick", "", rf"(\d{{1,2}})\.(?=[ts])(?:t({PIECE})(w)?)?(?:s({PIECE}))?", ("panel", "target", "word", "source"),
    wrong=lambda asked: _("The link picks a word that is not in this figure: it was ignored."),
)  # fmt: skip
PICK_VIEW = Codes("pick-view", (), r"words|hide|plain|ribbons|both|(?:top|least)\d{1,3}", ".")
PICK_STEP = Whole(
    "pick-step", 0, 1, 999,
    wrong=lambda asked: _("The link names step {step}, which this translation lacks: all of them are shown.").format(
        step=asked[:QUOTED]
    ),
)  # fmt: skip
PANELS = {"pick": "pick", "view": "pick_view", "step": "pick_step"}  # fields, by what the panels call them


@dataclass(frozen=True)
class Picks(State):
    """pick: a panel with a target piece (its row), the word that this is a piece of (`w`), a source piece (its column),
    or a row and a column (a cell); pick_view: how the panels are drawn; pick_step: of the decoding."""

    pick: str = stated(PICK)
    pick_view: tuple[str, ...] = stated(PICK_VIEW)
    pick_step: int = stated(PICK_STEP)
