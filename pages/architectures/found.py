"""What the page knows of each model: its translation with either search, its card, and what is counted for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nmtcore.analysis.complexity import Complexity, complexity
from nmtcore.analysis.costs import Costs, Operations, costs, operations
from nmtcore.config import DecodingConfig, ModelConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError
from pages.common import models
from pages.common.link_parameters import DEFAULT_BEAM
from pages.common.side_by_side import code, label, offered


@dataclass(frozen=True, eq=False)
class Found:
    """A model, and what this sentence asks of it. greedy, beam: translations; the lengths counted are the beam's."""

    id: str
    title: str
    config: ModelConfig
    meta: Mapping[str, Any]
    greedy: Trace
    beam: Trace

    @property
    def code(self) -> str:
        return code(self.id)

    @property
    def costs(self) -> Costs:
        return costs(self.config)

    @property
    def lengths(self) -> tuple[int, int]:
        """Pieces of the source and of the translation, each with `<eos>`."""
        return len(self.beam.source), len(self.beam.target)

    @property
    def operations(self) -> Operations:
        return operations(self.config, *self.lengths)

    @property
    def complexity(self) -> Complexity | None:
        return complexity(self.config)


def found_models(choice: str, text: str) -> tuple[Sequence[Found], Sequence[str]]:
    """All models that fit the choice, and why any of them cannot be used. Raises TextError."""
    found, problems = [], []
    for model in offered(choice).values():
        try:
            loaded = models.load(model)
            greedy, beam = (models.translate(model, text, DecodingConfig(width)) for width in (1, DEFAULT_BEAM))
        except CheckpointError as error:
            problems.append(str(error))
        else:
            found.append(Found(model, label(model), loaded.config, loaded.meta, greedy, beam))
    return found, problems
