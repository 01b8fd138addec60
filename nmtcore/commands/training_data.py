"""The training data of `train`: its files of pairs, split and mixed, and the vocabulary."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nmtcore.commands.shared import say
from nmtcore.errors import DataError, SettingError
from nmtcore.evaluation.distillation import read_distilled
from nmtcore.grammar.grammar import Grammar
from nmtcore.models import checkpoint
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.augmentation import LINKS
from nmtcore.training.corpus import Pair, Split, SplitConfig, read_pairs, split_pairs
from nmtcore.training.parallel import Group
from nmtcore.training.supplement import read_corpus, read_dictionary, without_held_out

WORD_WEIGHT = 5  # times that each line of --vocab-words counts as a sentence


@dataclass(frozen=True)
class Material:
    """Training data: what is learned from, and what is set aside.

    pairs: those to train on, `synthetic` of them made by a model and `added` of them from other files;
    rows: of the file that can be used.
    """

    split: Split
    config: SplitConfig
    pairs: list[Pair]
    synthetic: int
    added: int
    rows: int


def read_material(options: argparse.Namespace) -> Material:
    """Read all training data and split it. Raises DataError for too few."""
    pairs, report = read_pairs(options.pairs, options.swap)
    for line in report.lines():
        say(line)
    config = SplitConfig(options.split_validation, options.split_test, options.split_seed)
    split = split_pairs(pairs, config)
    if options.reversed:
        split = split.reversed()
    if not split.validation:
        raise DataError(f"{options.pairs} has too few pairs to set some aside: at least 20 with no sentence in common.")
    given = _read_distilled(options.distilled, split) if options.distilled else split.train
    synthetic = [pair for file in options.synthetic for pair in _read_distilled(file, split)]
    learned = list(dict.fromkeys([*given, *synthetic]))
    added = _added(options, split)
    return Material(split, config, learned + added, len(learned) - len(given), len(added), len(pairs))


def _added(options: argparse.Namespace, split: Split) -> list[Pair]:
    """The pairs of --corpus, --extra and --dictionary, without what is set aside."""
    added = [pair for file in options.corpus for pair in read_corpus(file)]
    for file in options.extra:
        added += read_pairs(file, options.swap)[0]
    targets = [pair.target for pair in [*split.train, *added]]
    added += [pair for file in options.dictionary for pair in read_dictionary(file, targets)]
    kept = without_held_out(added, split)
    if added:
        say(f"{len(kept):,} rows from other files; {len(added) - len(kept):,} with a sentence set aside are left out.")
    return kept


def _read_distilled(file: str, split: Split) -> list[Pair]:
    """A model's translations of training sentences."""
    pairs, lines = read_distilled(file, split)
    for line in lines:
        say(line)
    return pairs


def grammar_pairs(pair: str, split: Split) -> Callable[[int, int], list[Pair]]:
    """A function of a number and a seed that makes pairs by the grammar, without a sentence that `split` sets aside.

    Raises DataError for languages without a grammar.
    """
    grammar = Grammar.load(pair=pair)

    def pairs(count: int, seed: int) -> list[Pair]:
        return without_held_out([Pair(made.source, made.target) for made in grammar.pairs(count, seed)], split)

    return pairs


def choose_links(options: argparse.Namespace, source: str, target: str) -> tuple[tuple[str, str], ...]:
    """What may link two sentences, for --linked. Raises SettingError where that is not known."""
    if options.linked and (source, target) not in LINKS:
        known = " and ".join("-".join(languages) for languages in LINKS)
        raise SettingError(f"--linked is for {known}, not for {source}-{target}.")
    return LINKS[source, target] if options.linked else ()


def make_vocabulary(options: argparse.Namespace, state: Path, sentences: list[str], group: Group) -> Vocab:
    """The vocabulary of the resumed run, the given one, or a new one; kept with the run's state.

    Raises SettingError where the given one is not that of the resumed run.
    """
    kept = state / checkpoint.VOCAB
    if (options.resume or group.rank) and kept.exists():  # the first process has learned it
        vocab = Vocab.load(kept)
        if options.vocab and Vocab.load(options.vocab) != vocab:
            raise SettingError(f"{options.vocab} has changed since this run began: resume with --vocab {kept}.")
        return vocab
    if options.vocab_words and not options.vocab:
        sentences = [*sentences, *_read_words(options.vocab_words) * WORD_WEIGHT]
    vocab = Vocab.load(options.vocab) if options.vocab else Vocab.train(sentences, options.vocab_size)
    state.mkdir(parents=True, exist_ok=True)
    vocab.save(kept)
    return vocab


def _read_words(file: str) -> list[str]:
    """The words of --vocab-words, each as often as it is in the file. Raises DataError."""
    try:
        words = Path(file).read_text(encoding="utf-8-sig").split()
    except OSError as error:
        raise DataError(f"{file} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{file} is not in UTF-8: save it again with that encoding.") from error
    if not words:
        raise DataError(f"{file} has no words.")
    return words
