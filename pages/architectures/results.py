"""What the page knows of each model: its translations of the sentence, its card, and what is counted for it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from nmtcore.analysis.complexity import Complexity, layer_complexity
from nmtcore.analysis.costs import Costs, Operations, in_rounds, model_costs, operations
from nmtcore.config import DEFAULT_BEAM, Decoding, DecodingConfig, MaskPredictDecoding, ModelConfig
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.text.source import SourceText
from pages.common import models
from pages.common.i18n import _
from pages.common.late_progress import LateProgress
from pages.common.question import Question
from pages.common.side_by_side import code, fitting

GREEDY, BEAM = DecodingConfig(1), DecodingConfig(DEFAULT_BEAM)
FEW, MANY = 4, MaskPredictDecoding().rounds  # of mask-predict, in the table and the chart; scores are of MANY


@dataclass(frozen=True, eq=False)
class ModelResult(ABC):
    """A model, its card's data, and what this sentence asks of it."""

    id: str
    title: str
    config: ModelConfig
    meta: Mapping[str, Any]
    source: SourceText

    @property
    def code(self) -> str:
        return code(self.id)

    @property
    def costs(self) -> Costs:
        return model_costs(self.config)

    @property
    def complexity(self) -> Complexity | None:
        return layer_complexity(self.config)

    @property
    def operations(self) -> Operations:
        return self.asked(*self.lengths)

    @property
    @abstractmethod
    def lengths(self) -> tuple[int, int]:
        """Pieces of the source and of the translation."""

    @property
    @abstractmethod
    def decodings(self) -> tuple[Decoding, Decoding]:
        """Those whose times stand in the table."""

    @abstractmethod
    def asked(self, source: int, target: int) -> Operations:
        """What a sentence and a translation of so many pieces ask of it."""


@dataclass(frozen=True, eq=False)
class AutoregressiveResult(ModelResult):
    """A model that writes word by word. beam: its translation, whose lengths, each with `<eos>`, count."""

    beam: Trace

    @property
    def lengths(self) -> tuple[int, int]:
        return len(self.beam.source), len(self.beam.target)

    @property
    def decodings(self) -> tuple[Decoding, Decoding]:
        return GREEDY, BEAM

    def asked(self, source: int, target: int) -> Operations:
        return operations(self.config, source, target)


@dataclass(frozen=True, eq=False)
class MaskPredictResult(ModelResult):
    """A model that writes all words at once. many: its translation in MANY rounds, which count."""

    many: MaskPredictRecord

    @property
    def lengths(self) -> tuple[int, int]:
        """Of the translation without `<eos>`, which such a model does not write."""
        return len(self.many.source), len(self.many.target)

    @property
    def decodings(self) -> tuple[Decoding, Decoding]:
        return MaskPredictDecoding(FEW), MaskPredictDecoding(MANY)

    def asked(self, source: int, target: int) -> Operations:
        return in_rounds(self.config, source, target, MANY)


@dataclass(frozen=True)
class Results:
    """All models that fit a choice, by how they write, and why any of them cannot be used."""

    word_by_word: Sequence[AutoregressiveResult]
    in_rounds: Sequence[MaskPredictResult]
    problems: Sequence[str]

    @property
    def all_models(self) -> Sequence[ModelResult]:
        return (*self.word_by_word, *self.in_rounds)


def model_results(question: Question, spot: DeltaGenerator) -> Results:
    """What each model that fits the choice makes of the sentence. Progress appears in `spot`. Raises TextError.

    They decode side by side, so that the page stands soon: how long each takes alone is measured later (times.py).
    """
    searched, in_rounds, problems = [], [], []
    fit, source = fitting(question.choice), question.source
    progress = LateProgress(spot, len(fit))
    asked = models.requests(fit, source, BEAM, MaskPredictDecoding(MANY))
    shown = partial(progress.show, _("Every model translates the sentence"))
    answers = models.ask(asked, return_errors=True, progress=shown)
    progress.end()
    for model, record in zip(fit, answers, strict=True):
        if not isinstance(record, Trace | MaskPredictRecord):
            problems.append(str(record))
            continue
        known = (model, models.heading(model), *models.settings(model), source)
        if isinstance(record, Trace):
            searched.append(AutoregressiveResult(*known, record.without_arrays))
        else:
            in_rounds.append(MaskPredictResult(*known, record))
    return Results(searched, in_rounds, problems)


def transformer(results: Sequence[AutoregressiveResult]) -> AutoregressiveResult | None:
    """The shipped Transformer, beside which a model that writes all words at once is set."""
    return next((one for one in results if models.architecture(one.id) == "transformer"), None)
