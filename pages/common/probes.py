"""A cache of what `nmtcore.analysis` finds out about a model: each question is put once. Results are read-only."""

from __future__ import annotations

from cachetools.keys import hashkey

from nmtcore.analysis import occlusion, positional_encodings, teacher_forcing
from nmtcore.analysis.occlusion import Occlusion
from nmtcore.analysis.positional_encodings import PositionTable
from nmtcore.analysis.teacher_forcing import TeacherForcing
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from pages.common import models
from pages.common.shared import bytes_of, one_of_few, shared

MOST_BYTES = 20_000_000  # of each kind that are remembered


def occluded(model: str, text: str, decoding: DecodingConfig) -> Occlusion:
    """Occlusion: a model's own translation of `text`, scored without each source word.

    Raises as `models.translate` does.
    """
    trace = models.translate(model, text, decoding)  # where it may have to wait: not inside a cached function
    return _occluded(str(models.folder(model)), model, models.stamp(model), text, decoding, trace)


def position_table(model: str, length: int) -> PositionTable:
    """The first positions of a Transformer."""
    return positional_encodings.position_table(models.load(model), length)


def forced(model: str, text: str, truth: str) -> TeacherForcing:
    """How likely a model finds a translation that it is fed. Raises TextError or CheckpointError."""
    return _forced(str(models.folder(model)), model, models.stamp(model), text, truth)


@shared(MOST_BYTES, bytes_of, key=lambda *asked: asked[:-1])
@one_of_few
def _occluded(
    folder: str, model: str, stamp: tuple[int, ...], text: str, decoding: DecodingConfig, trace: Trace
) -> Occlusion:
    return occlusion.occlude(models.load(model), trace)


@shared(MOST_BYTES, bytes_of, key=hashkey)
@one_of_few
def _forced(folder: str, model: str, stamp: tuple[int, ...], text: str, truth: str) -> TeacherForcing:
    return teacher_forcing.force_truth(models.load(model), text, truth)
