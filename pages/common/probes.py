"""A cache of what `nmtcore.analysis` finds out about a model: each question is put once. Results are read-only."""

from functools import partial
from typing import Any

from nmtcore import limits
from nmtcore.analysis import occlusion, positional_encodings, teacher_forcing
from nmtcore.analysis.occlusion import Occlusion
from nmtcore.analysis.positional_encodings import PositionTable
from nmtcore.analysis.teacher_forcing import TeacherForcing
from nmtcore.config import DecodingConfig
from nmtcore.text.source import SourceText
from pages.common import models
from pages.common.shared import bytes_of, fingerprint, shared

MOST_BYTES = 70_000_000  # that are remembered


def occluded(model: str, source: SourceText, decoding: DecodingConfig) -> Occlusion | None:
    """Occlusion: a model's own translation of a text, scored without each source word; None where both are too long.

    Raises as `models.ask` does.
    """
    (trace,) = models.ask([models.request(model, source, decoding)])  # it may wait: not inside a cached function
    if occlusion.positions(trace) > limits.MAX_SCORED_POSITIONS:
        return None
    result: Occlusion = analysed(partial(occlusion.occlude, models.load(model), trace))
    return result


def position_table(model: str, length: int) -> PositionTable:
    """The first positions of a Transformer."""
    return positional_encodings.position_table(models.load(model), length)


def forced(model: str, source: SourceText, truth: SourceText) -> TeacherForcing:
    """How likely a model finds a translation that it is fed. Raises TextError or CheckpointError."""
    result: TeacherForcing = analysed(partial(teacher_forcing.force_truth, models.load(model), source, truth))
    return result


@shared(MOST_BYTES, bytes_of, key=fingerprint)
def analysed(call: partial[Any]) -> Any:
    """What an analysis finds: a function of nmtcore.analysis with its arguments, called where nobody has asked this."""
    return call()
