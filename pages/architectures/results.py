"""What the page knows of each model: its translations of the sentence, its card, its counted costs and its times.

Times are measured once the page is drawn, one decode after another: timing many models at once says little about any
one, since they share processors, caches and memory.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from streamlit.delta_generator import DeltaGenerator

from nmtcore.analysis.complexity import Complexity, layer_complexity
from nmtcore.analysis.costs import Operations, in_rounds, operations, parameters
from nmtcore.config import DEFAULT_BEAM, Decoding, DecodingConfig, MaskPredictDecoding, ModelConfig
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.errors import NmtError
from nmtcore.text.source import SourceText
from pages.common import models
from pages.common.i18n import _
from pages.common.late_progress import LateProgress
from pages.common.question import Question
from pages.common.side_by_side import code, fitting
from pages.common.waiting import crowded

GREEDY, BEAM = DecodingConfig(1), DecodingConfig(DEFAULT_BEAM)
FEW, MANY = 4, MaskPredictDecoding().rounds  # of mask-predict, in the table and the chart; scores are of MANY
SOON = 0.5  # s between redraws of what has been measured


@dataclass(frozen=True, eq=False)
class ModelResult:
    """A model, its card's data, and the work that this sentence takes.

    record: its translation by beam search or, if it writes all words at once, in MANY rounds.
    """

    id: str
    title: str
    config: ModelConfig
    meta: Mapping[str, Any]
    source: SourceText
    record: Trace | MaskPredictRecord

    @property
    def code(self) -> str:
        return code(self.id)

    @property
    def at_once(self) -> bool:
        """Whether it writes all words at once, in rounds."""
        return isinstance(self.record, MaskPredictRecord)

    @property
    def parameters(self) -> int:
        return parameters(self.config)

    @property
    def complexity(self) -> Complexity | None:
        return layer_complexity(self.config)

    @property
    def lengths(self) -> tuple[int, int]:
        """Pieces of the source and of the translation, with `<eos>` where the model writes it."""
        return len(self.record.source), len(self.record.target)

    @property
    def decodings(self) -> tuple[Decoding, Decoding]:
        """The decodings whose times are in the table."""
        return (MaskPredictDecoding(FEW), MaskPredictDecoding(MANY)) if self.at_once else (GREEDY, BEAM)

    @property
    def operations(self) -> Operations:
        return self.asked(*self.lengths)

    def asked(self, source: int, target: int) -> Operations:
        """The operations for a source and a translation of this many pieces."""
        if self.at_once:
            return in_rounds(self.config, source, target, MANY)
        return operations(self.config, source, target)

    def seconds(self, decoding: Decoding) -> float | None:
        """How long this decoding takes, if it has been measured."""
        measured = models.known(models.request(self.id, self.source, decoding, timed=True))
        return measured if isinstance(measured, float) else None


def model_results(question: Question, spot: DeltaGenerator) -> tuple[list[ModelResult], list[str]]:
    """The result of each model that fits the choice, those that write all words at once last; and why any
    of them cannot be used. Progress appears in `spot`. Raises TextError.

    They decode in parallel, so the page is soon complete; how long each takes alone is measured later.
    """
    results, problems = [], []
    fit, source = fitting(question.choice), question.source
    asked = models.requests(fit, source, BEAM, MaskPredictDecoding(MANY))
    with LateProgress(spot, len(fit)) as progress:
        shown = partial(progress.show, _("Every model translates the sentence"))
        answers = models.ask(asked, return_errors=True, progress=shown)
    for model, record in zip(fit, answers, strict=True):
        if isinstance(record, Trace | MaskPredictRecord):
            kept = record.without_arrays if isinstance(record, Trace) else record
            results.append(ModelResult(model, models.heading(model), *models.settings(model), source, kept))
        else:
            problems.append(str(record))
    return sorted(results, key=lambda one: one.at_once), problems


def transformer(results: Sequence[ModelResult]) -> ModelResult | None:
    """The shipped Transformer, which is compared with a model that writes all words at once."""
    return next((one for one in results if models.architecture(one.id) == "transformer"), None)


class Timed(Protocol):
    """A part of the page that shows times, redrawn when they are known."""

    @property
    def decodes(self) -> Sequence[tuple[ModelResult, Decoding]]: ...

    def draw(self) -> None: ...


def measure(*parts: Timed) -> None:
    """Measure what is missing, and redraw the parts from time to time and at the end.

    Nothing is measured while many use the server: others wait for their sentences, and would distort the times.
    """
    missing = [(one, decoding) for part in parts for one, decoding in part.decodes if one.seconds(decoding) is None]
    if not missing or crowded():
        return

    def redraw() -> float:
        for part in parts:
            part.draw()
        return time.monotonic()

    drawn = time.monotonic()
    for one, decoding in missing:
        try:
            models.ask([models.request(one.id, one.source, decoding, timed=True)])
        except NmtError:  # the server is busy or the model is gone: the table goes on showing that it is not measured
            break
        if time.monotonic() - drawn > SOON:
            drawn = redraw()
    redraw()
