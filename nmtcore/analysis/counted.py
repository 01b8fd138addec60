"""Precomputed costs of the shipped models and of the papers' larger ones, stored with the code.

Counting takes seconds and holds Python's global lock, for which a class that opens Architectures together would wait.
A model that is not stored is counted on demand. `count_shipped` counts the stored ones again.
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
    """Counts for one configuration: parameters, and Newton's differences of its Operations, if these are polynomials.

    logits: multiply-adds of the logits of one word in a mask-predict model; 0 for others.
    """

    parameters: int
    logits: int
    differences: Sequence[Sequence[int]] | None


def counted(config: ModelConfig) -> Counted | None:
    """The stored counts of a configuration; None if it was not counted."""
    return _all().get(repr(config))


@cache
def _all() -> dict[str, Counted]:
    return {config: Counted(*counts) for config, counts in json.loads(FILE.read_text(encoding="utf-8")).items()}


def keep(counts: Mapping[str, Counted]) -> None:
    """Write the file, one line per model."""
    lines = ",\n".join(f"{json.dumps(config)}: {json.dumps(counted)}" for config, counted in counts.items())
    atomic_write(FILE, f"{{\n{lines}\n}}\n".encode())
    _all.cache_clear()
