"""The training data of `train`: files of pairs, split and mixed, and the vocabulary."""

import argparse
import re
from pathlib import Path

from nmtcore.commands.shared import chosen_fields, read_given, say
from nmtcore.errors import DataError, SettingError
from nmtcore.evaluation.distillation import read_distilled
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.runs.defaults import count
from nmtcore.runs.preparation import few_pairs, learn_vocab
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.corpus import Pair, SplitConfig, read_pairs, read_text, split_pairs
from nmtcore.training.exercises import Exercise
from nmtcore.training.material import Material
from nmtcore.training.parallel import Group
from nmtcore.training.supplement import read_corpus, read_dictionary, without_held_out, without_linked

WORD_WEIGHT = 20  # sentences that each line of --vocab-words counts for


def read_material(options: argparse.Namespace, source: str, target: str) -> Material:
    """Read all training data and split it. Raises DataError for too few pairs, SettingError for a wrong weight."""
    added_files = [(*weighted(file), kind) for kind in ("corpus", "extra") for file in getattr(options, kind)]
    pairs = read_given(options)
    config = SplitConfig(**chosen_fields(options, SplitConfig, "split_"))
    split = split_pairs(pairs, config)
    if not split.validation:
        raise DataError(f"{options.pairs} has too few pairs to set some aside: at least 20 with no sentence in common.")
    learned = list(split.train)
    if options.synthetic:
        made, lines = read_distilled(options.synthetic, split)
        for line in lines:
            say(line)
        learned = list(dict.fromkeys([*learned, *made]))
    added: list[Pair] = []
    left_out = 0
    for file, weight, kind in added_files:
        read = read_corpus(file) if kind == "corpus" else read_pairs(file, options.swap)[0]
        kept = without_held_out(read, split) if kind == "corpus" else without_linked(read, split)
        left_out += len(read) - len(kept)
        added += kept * weight
    targets = [pair.target for pair in [*split.train, *added]]
    words = [pair for file in options.dictionary for pair in read_dictionary(file, targets)]
    added += without_held_out(words, split)
    if added:
        say(f"{len(added):,} rows from other files; left out {left_out:,} with a sentence set aside.")
    return Material(
        source,
        target,
        Path(options.pairs).name,
        len(pairs),
        config,
        split,
        learned + added,
        len(learned) - len(split.train),
        len(added),
        {Path(file).name for file in (*options.corpus, *options.extra, *options.dictionary)},
        options.swap,
        options.attribution,
    )


def make_exercise(options: argparse.Namespace, task: Exercise, seed: int, source: str, target: str) -> Material:
    """The pairs of an exercise, split like on the Fine-tune page. Raises SettingError for an unsuitable model."""
    if task.pretrained and not options.warm_start:
        raise SettingError("This exercise needs a model that translates English to French: give --warm-start.")
    if options.warm_start and task.pretrained:
        meta = checkpoint.read_config(options.warm_start)[1]
        if (meta.get("source"), meta.get("target")) != ("en", "fr"):
            raise SettingError(
                f"This exercise needs a model that translates English to French; {options.warm_start} does not."
            )
    pairs = [Pair(*pair) for pair in task.pairs(count(task), seed)]
    return few_pairs(pairs, f"exercise {task.name}", source, target, options.attribution)


def weighted(file: str) -> tuple[str, int]:
    """The name and the weight in FILE:WEIGHT; the weight is 1 if there is none. Raises SettingError."""
    name, colon, weight = file.rpartition(":")
    if not colon or Path(file).exists():
        return file, 1
    if not re.fullmatch(r"[1-9]\d?", weight):
        raise SettingError(f"{file}: the weight after the colon must be a whole number from 1 to 99, not {weight!r}.")
    return name, int(weight)


def make_vocabulary(
    options: argparse.Namespace,
    state: Path,
    material: Material,
    task: Exercise | None,
    start: Checkpoint | None,
    group: Group,
) -> Vocab:
    """The vocabulary of the resumed run, the given one, that of the model to begin with, or a new one.

    It is stored with the state of the run.

    Raises SettingError if the given vocabulary is not that of the resumed run.
    """
    kept = state / checkpoint.VOCAB
    if (options.resume or group.rank) and kept.exists():  # process 0 has learned it
        vocab = Vocab.load(kept)
        if options.vocab and Vocab.load(options.vocab) != vocab:
            raise SettingError(f"{options.vocab} has changed since this run began: resume with --vocab {kept}.")
        return vocab
    if options.vocab:
        vocab = Vocab.load(options.vocab)
    elif start:
        vocab = start.vocab
    elif task:
        vocab = learn_vocab(task, task.pieces, material.pairs)
    else:
        words = read_text(options.vocab_words).split() * WORD_WEIGHT if options.vocab_words else []
        if options.vocab_words and not words:
            raise DataError(f"{options.vocab_words} has no words.")
        vocab = Vocab.train([*(side for pair in material.pairs for side in pair), *words], options.vocab_size)
    state.mkdir(parents=True, exist_ok=True)
    vocab.save(kept)
    return vocab
