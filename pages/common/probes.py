"""A cache of results of `nmtcore.analysis`: each is computed once. Results are read-only."""

from functools import partial
from typing import Any

from nmtcore import limits
from nmtcore.analysis import occlusion
from nmtcore.analysis.occlusion import Occlusion
from nmtcore.config import DecodingConfig
from nmtcore.text.source import SourceText
from pages.common import models
from pages.common.shared import bytes_of, fingerprint, shared

MOST_BYTES = 70_000_000  # remembered results


def occluded(model: str, source: SourceText, decoding: DecodingConfig) -> Occlusion | None:
    """Occlusion: a model's own translation of a text, scored without each source word; None if both are too long.

    Raises as `models.ask` does.
    """
    (trace,) = models.ask([models.request(model, source, decoding)])  # it may wait: not inside a cached function
    if occlusion.positions(trace) > limits.MAX_SCORED_POSITIONS:
        return None
    result: Occlusion = analysed(partial(occlusion.occlude, models.load(model), trace))
    return result


@shared(MOST_BYTES, bytes_of, key=fingerprint)
def analysed(call: partial[Any]) -> Any:
    """The result of an analysis, a function of nmtcore.analysis with arguments, called only if not in the cache."""
    return call()
