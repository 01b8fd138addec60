"""The rounds of mask-predict on a page."""

from functools import partial
from typing import Any

from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.views.kit.link_state import Choice
from nmtcore.views.mask_predict.data import data
from pages.common.component import mount
from pages.common.controls import quiet_list
from pages.common.i18n import _
from pages.common.state import State

CODES = ("1", "2", "4", "10")
ROUNDS = Choice("rounds", "4", CODES)  # at most, for mask-predict


def draw_rounds(record: MaskPredictRecord, beside: Trace | None = None, *, key: str, **titles: Any) -> None:
    """Draw the rounds, and beside them an autoregressive decode. titles: as of `nmtcore.views.mask_predict.data`."""
    mount("mask_predict", partial(data, record, beside, **titles), key=key)


def rounds_box(state: State) -> None:
    """Ask for the number of rounds; the state has the field `rounds`."""
    titles = {count: _("1 round") if count == "1" else _("{count} rounds").format(count=count) for count in CODES}
    quiet_list(state, "rounds", _("Rounds"), CODES, titles.__getitem__, width=130)
