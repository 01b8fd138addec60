"""Costs of the models that ship and of the papers' larger ones, counted once and kept beside the code.

    python -m nmtcore.analysis.counted      # count them anew, after a model or its code has changed

To count them takes seconds of Python's one lock, for which a class that opens Architectures together would wait. A
model that is not among them is counted when somebody asks.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from nmtcore.config import ModelConfig
from nmtcore.files import atomic_write

FILE = Path(__file__).with_name("counted.json")


class Counted(NamedTuple):
    """Of one configuration: its parameters; Newton's differences of its Operations, None where they are no polynomials.

    logits: multiply-adds of those of one word, of a model that writes all words at once; 0 for others.
    """

    parameters: int
    logits: int
    differences: Sequence[Sequence[int]] | None


def counted(config: ModelConfig) -> Counted | None:
    """What is kept of a configuration; None where it was not counted."""
    return _all().get(repr(config))


@cache
def _all() -> dict[str, Counted]:
    return {config: Counted(*counts) for config, counts in json.loads(FILE.read_text(encoding="utf-8")).items()}


def count_all() -> dict[str, Counted]:
    """Count every model that ships and the larger ones; of these, shallow ones from which they are extrapolated."""
    from nmtcore.analysis import costs
    from nmtcore.analysis.larger_models import LARGER
    from nmtcore.models import checkpoint
    from nmtcore.places import model_names, pretrained_folder

    _keep({})
    for name in model_names(pretrained_folder()):
        costs.operations(checkpoint.read_config(pretrained_folder() / name)[0], 1, 1)
    for larger in LARGER:
        costs.stacked_operations(larger.config, 1, 1)
    return {repr(config): costs.to_keep(config) for config in costs.counted_so_far()}


def _keep(counts: Mapping[str, Counted]) -> None:
    """Write the file, a line a model."""
    lines = ",\n".join(f"{json.dumps(config)}: {json.dumps(counted)}" for config, counted in counts.items())
    atomic_write(FILE, f"{{\n{lines}\n}}\n".encode())
    _all.cache_clear()


if __name__ == "__main__":
    _keep(count_all())
