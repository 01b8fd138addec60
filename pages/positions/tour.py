"""The guided tour of the Positions page, from the four translations and the outputs of the encoder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nmtcore.analysis.position_ablation import PermutedStates
from nmtcore.config import TransformerConfig
from nmtcore.decoding.trace import Trace
from nmtcore.text.words import sentence_names
from pages.common.i18n import _
from pages.common.link_parameters import REMOVED, SHUFFLE
from pages.common.result import number_text
from pages.common.tour import TourStep, tour_step
from pages.common.tour_sentences import quoted, reads_pieces

RESULTS = "four translations"  # key of their container


def tour_steps(
    config: TransformerConfig,
    order: Sequence[int],
    removed: str,
    traces: Sequence[Trace],
    states: tuple[PermutedStates, PermutedStates],
) -> list[TourStep]:
    """Ten steps. traces: in order and shuffled, with positions and without; states: with the source's and without."""
    trace = traces[0]
    kept, gone = states
    farthest = int(np.argmax(kept.moved))
    values = {"word": sentence_names(kept.tokens)[farthest], "share": f"{float(kept.moved[farthest]):.2f}"}
    sides = {"source": _("the source"), "target": _("the target"), "both": _("both")}
    wave = _("Each of the {D} columns is a number of the model's vectors, each row a position of the sentence.")
    turn = _("Here are {count} pairs of sine and cosine, each a point on a circle that turns with every position.")
    return [
        tour_step(reads_pieces(trace.source_text, trace), "text"),
        tour_step(_order(trace, order), SHUFFLE.name),
        tour_step(_("This removes positions, now those of {side}.").format(side=sides[removed]), REMOVED.name),
        tour_step(_("In order and with positions the model writes “{text}”.").format(text=quoted(trace.text)), RESULTS),
        tour_step(_same(traces[:2], _("With positions, the other order")), RESULTS),
        tour_step(_same(traces[2:], _("Without those positions, the other order")), RESULTS),
        tour_step(
            _("With positions the output for “{word}” moves farthest, by {share} of its length.").format(**values),
            "figure-moved-kept",
        ),
        tour_step(
            _("Without positions of the source no number of an output changes by more than {value}.").format(
                value=number_text(gone.largest)
            ),
            "figure-moved-removed",
        ),
        tour_step(wave.format(D=config.width), "figure-matrix"),
        tour_step(turn.format(count=config.width // 2), "turn"),
    ]


def _order(trace: Trace, order: Sequence[int]) -> str:
    if not order or list(order) == sorted(order):
        return _("In this order the pieces stand as they are in the sentence.")
    return _("In this order “{piece}”, number {number} of the sentence, comes first.").format(
        piece=sentence_names(trace.source)[order[0]], number=order[0] + 1
    )


def _same(traces: Sequence[Trace], what: str) -> str:
    kept, moved = traces
    if kept.text == moved.text:
        return _("{what} gives the very same translation.").format(what=what)
    return _("{what} gives another translation: “{text}”.").format(what=what, text=quoted(moved.text))
