"""Training material: the pairs to learn from, the pairs set aside, and where they come from, for the model's card."""

from collections.abc import Collection
from dataclasses import dataclass

from nmtcore.training.corpus import Pair, Split, SplitConfig


@dataclass(frozen=True)
class Material:
    """Sentence pairs of two languages.

    pairs: those to train on, `synthetic` of them a teacher's translations and `added` of them from other files, each
    row counted as often as its file's weight says; rows: of the file that can be used.
    """

    source: str  # languages
    target: str
    file: str  # its name, or the exercise that makes the pairs
    rows: int
    config: SplitConfig
    split: Split
    pairs: list[Pair]
    synthetic: int = 0
    added: int = 0
    added_files: Collection[str] = ()  # their names
    swap: bool = False  # of the file's columns
    attribution: str = "not stated"
