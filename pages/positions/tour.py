"""The guided tour of the Positions page, from the four translations and the outputs of the encoder."""

from collections.abc import Sequence

import numpy as np

from nmtcore.analysis.position_ablation import PermutedStates
from nmtcore.decoding.trace import Trace
from nmtcore.text.words import sentence_names
from pages.common.i18n import _
from pages.common.result import number_text
from pages.common.state import link_texts
from pages.common.tour import TourStep, from_first_section, quoted, tour_step, word_bar, your_sentence
from pages.positions.state import PositionsState

# Keys of containers: the two orders, the four translations, both together, the bars with the remark on their
# largest number.
ORDERS, RESULTS, BOTH, MOVED = "two orders", "four translations", "orders and translations", "moved without"


def side_name(removed: str) -> str:
    """Whose positions are removed."""
    return {"source": _("the source"), "target": _("the target"), "both": _("both")}[removed]


def tour_steps(
    order: Sequence[int],
    removed: str,
    traces: Sequence[Trace],
    states: tuple[PermutedStates, PermutedStates],
) -> list[TourStep]:
    """Ten steps. traces: in order and shuffled, with positions and without; states: with them and without."""
    trace = traces[0]
    kept, gone = states
    shuffle, taken = (PositionsState.parameters()[field].name for field in ("shuffle", "removed"))
    farthest = int(np.argmax(kept.moved))
    values = {"word": sentence_names(kept.tokens)[farthest], "share": f"{float(kept.moved[farthest]):.2f}"}
    wave = _("Each column is a number of the model's vectors, and each row a position of the sentence.")
    turn = _("Each pair of sine and cosine is a point on a circle, which turns with every position.")
    steps = [
        tour_step(your_sentence(trace.source_text), "text"),
        tour_step(_order(trace, order), ORDERS, shuffle),
        tour_step(_("This removes positions, now those of {side}.").format(side=side_name(removed)), taken),
        tour_step(_("In order and with positions the model writes “{text}”.").format(text=quoted(trace.text)), RESULTS),
        tour_step(_same(traces[:2], _("With positions, the other order")), RESULTS),
        tour_step(_same(traces[2:], _("Without those positions, the other order")), RESULTS),
        tour_step(
            _("With positions the output for “{word}” moves farthest, by {share} of its length.").format(**values),
            *word_bar("figure-moved-kept", farthest),
        ),
        tour_step(
            _("Without positions of the source no number of an output changes by more than {value}.").format(
                value=number_text(gone.largest)
            ),
            MOVED,
            "figure-moved-removed",
        ),
        tour_step(wave, "figure-matrix", shows=link_texts(PositionsState, section="waves")),
        tour_step(turn, "turn", shows=link_texts(PositionsState, section="distance")),
    ]
    return from_first_section(steps)


def _order(trace: Trace, order: Sequence[int]) -> str:
    if not order or list(order) == sorted(order):
        return _("In this order the pieces stand as they are in the sentence.")
    return _("In this order “{piece}” comes first.").format(piece=sentence_names(trace.source)[order[0]])


def _same(traces: Sequence[Trace], what: str) -> str:
    kept, moved = traces
    if kept.text == moved.text:
        return _("{what} gives the very same translation.").format(what=what)
    return _("{what} gives another translation: “{text}”.").format(what=what, text=quoted(moved.text))
