"""What `analysis.occlusion` finds out, remembered: each question is put to a model once. Results are read-only."""

from __future__ import annotations

import streamlit as st

from nmtcore.analysis import occlusion
from nmtcore.analysis.occlusion import LeftOut, PositionTable
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.intervention import NO_CHANGE, Intervention
from pages.common import models


def left_out(model: str, text: str, decoding: DecodingConfig) -> LeftOut:
    """A model's own translation of `text`, scored without each source word. Raises as `models.translate` does."""
    return _left_out(str(models.folder(model)), model, models._stamp(model), text, decoding)


def reordered(
    model: str, text: str, order: tuple[int, ...], decoding: DecodingConfig, change: Intervention = NO_CHANGE
) -> Trace:
    """What a model does with the pieces of `text` in another order."""
    return _reordered(str(models.folder(model)), model, models._stamp(model), text, order, decoding, change)


def position_table(model: str, length: int) -> PositionTable:
    """The first positions of a Transformer."""
    return occlusion.position_table(models.load(model), length)


@st.cache_resource(max_entries=400, show_spinner=False)
def _left_out(folder: str, model: str, stamp: tuple[int, ...], text: str, decoding: DecodingConfig) -> LeftOut:
    return occlusion.left_out(models.load(model), models.translate(model, text, decoding))


@st.cache_resource(max_entries=400, show_spinner=False)
def _reordered(
    folder: str,
    model: str,
    stamp: tuple[int, ...],
    text: str,
    order: tuple[int, ...],
    decoding: DecodingConfig,
    change: Intervention,
) -> Trace:
    return occlusion.reordered(models.load(model), text, order, decoding, change)
