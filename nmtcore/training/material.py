"""Training material: sentence pairs to train on, pairs set aside, and their origin; prepared for `fit`."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.languages import language_pair
from nmtcore.training.batches import Batches, TrainingData, fixed_batches
from nmtcore.training.config import AugmentationConfig, TrainingConfig
from nmtcore.training.corpus import Pair, Split, SplitConfig
from nmtcore.training.parallel import ALONE, Group
from nmtcore.training.precision import with_precision


@dataclass(frozen=True)
class Material:
    """Sentence pairs of two languages.

    pairs: the training pairs, of which `synthetic` are a teacher's translations and `added` come from other files,
    each repeated by the weight of its file; rows: usable rows of the file.
    """

    source: str  # language
    target: str
    file: str  # its name, or the name of the exercise that makes the pairs
    rows: int
    config: SplitConfig
    split: Split
    pairs: list[Pair]
    synthetic: int = 0
    added: int = 0
    added_files: Collection[str] = ()  # their names
    swap: bool = False  # whether the file's columns are swapped
    attribution: str = "not stated"


@dataclass(frozen=True)
class Prepared:
    """Everything that `fit` needs to begin training, and what the model's card says about it."""

    material: Material
    begun: Checkpoint  # the model to train, on its device, with the metadata of the model that it continues from
    training: TrainingConfig  # with the chosen precision
    data: TrainingData
    validation: Batches

    @property
    def unseen(self) -> list[Pair]:
        return self.material.split.validation


def prepare(
    material: Material,
    begun: Checkpoint,
    training: TrainingConfig,
    augmentation: AugmentationConfig,
    state: Path | None = None,
    group: Group = ALONE,
) -> Prepared:
    """Choose the precision and group the pairs into batches. state: the folder of a run to resume."""
    pair = language_pair(f"{material.source}-{material.target}")
    data = TrainingData(
        material.pairs,
        begun.vocab,
        training.batch_tokens,
        training.seed,
        augmentation,
        pair.connectives if augmentation.concatenation else (),
        max_length=begun.model.max_length,
        by_length=training.sort_by_length,
        batch_rows=training.batch_rows,
    )
    validation = fixed_batches(begun.vocab, material.split.validation, training.batch_tokens)
    training = with_precision(training, begun.model, state, group)
    return Prepared(material, begun, training, data, validation)
