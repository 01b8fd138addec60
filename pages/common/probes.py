"""A cache of what `nmtcore.analysis` finds out about a model: each question is put once. Results are read-only."""

from __future__ import annotations

import streamlit as st

from nmtcore.analysis import occlusion, position_ablation, positional_encodings, teacher_forcing
from nmtcore.analysis.occlusion import Occlusion
from nmtcore.analysis.positional_encodings import PositionTable
from nmtcore.analysis.teacher_forcing import TeacherForcing
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.intervention import NO_CHANGE, Intervention
from pages.common import models


def occluded(model: str, text: str, decoding: DecodingConfig) -> Occlusion:
    """Occlusion: a model's own translation of `text`, scored without each source word.

    Raises as `models.translate` does.
    """
    models.translate(model, text, decoding)  # where it may have to wait: not inside a cached function
    return _occluded(str(models.folder(model)), model, models.stamp(model), text, decoding)


def permuted(
    model: str, text: str, order: tuple[int, ...], decoding: DecodingConfig, intervention: Intervention = NO_CHANGE
) -> Trace:
    """Position ablation: what a model does with the pieces of `text` in another order."""
    return _permuted(str(models.folder(model)), model, models.stamp(model), text, order, decoding, intervention)


def position_table(model: str, length: int) -> PositionTable:
    """The first positions of a Transformer."""
    return positional_encodings.position_table(models.load(model), length)


def forced(model: str, text: str, truth: str) -> TeacherForcing:
    """How likely a model finds a translation that it is fed. Raises TextError or CheckpointError."""
    return _forced(str(models.folder(model)), model, models.stamp(model), text, truth)


@st.cache_resource(max_entries=400, show_spinner=False)
def _occluded(folder: str, model: str, stamp: tuple[int, ...], text: str, decoding: DecodingConfig) -> Occlusion:
    return occlusion.occlude(models.load(model), models.translate(model, text, decoding))


@st.cache_resource(max_entries=400, show_spinner=False)
def _permuted(
    folder: str,
    model: str,
    stamp: tuple[int, ...],
    text: str,
    order: tuple[int, ...],
    decoding: DecodingConfig,
    intervention: Intervention,
) -> Trace:
    return position_ablation.translate_permuted(models.load(model), text, order, decoding, intervention)


@st.cache_resource(max_entries=400, show_spinner=False)
def _forced(folder: str, model: str, stamp: tuple[int, ...], text: str, truth: str) -> TeacherForcing:
    return teacher_forcing.force_truth(models.load(model), text, truth)
