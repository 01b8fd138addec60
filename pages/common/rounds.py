"""The rounds of mask-predict on a page."""

from __future__ import annotations

from functools import partial
from typing import Any

from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.views.mask_predict.data import data
from nmtcore.views.mask_predict.messages import MESSAGES
from pages.common.component import localized, mount
from pages.common.i18n import _


def draw_rounds(record: MaskPredictRecord, beside: Trace | None = None, *, key: str, **titles: Any) -> None:
    """Draw them, and beside them a decode word by word. titles: as of `nmtcore.views.mask_predict.data`."""
    mount("mask_predict", partial(data, record, beside, messages=localized(MESSAGES), **titles), key=key)


def rounds_title(rounds: str) -> str:
    """The number of rounds in words; `rounds` is a code of ROUNDS."""
    return _("1 round") if rounds == "1" else _("{count} rounds").format(count=rounds)
