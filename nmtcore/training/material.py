"""Training material: pairs to learn from, pairs set aside, and where they come from; and what `fit` needs of it."""

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


@dataclass(frozen=True)
class Prepared:
    """A training that can begin: everything that `fit` needs, and what the model's card says of it."""

    material: Material
    begun: Checkpoint  # the model that is trained, on its device; its meta data are those that it goes on from
    training: TrainingConfig  # with the precision that was chosen
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
    """Choose the precision and cut the pairs into batches. state: the folder of a run that goes on."""
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
