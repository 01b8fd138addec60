"""Costs of the models that ship and of the papers' larger ones, counted once and kept beside the code.

To count them takes seconds of Python's one lock, for which a class that opens Architectures together would wait. A
model that is not among them is counted when somebody asks. `count_shipped` counts them anew.
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


def keep(counts: Mapping[str, Counted]) -> None:
    """Write the file, a line a model."""
    lines = ",\n".join(f"{json.dumps(config)}: {json.dumps(counted)}" for config, counted in counts.items())
    atomic_write(FILE, f"{{\n{lines}\n}}\n".encode())
    _all.cache_clear()
