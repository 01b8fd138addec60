"""The options of `train`: files, model, start, added rows, split, training and model settings."""

import argparse

from nmtcore.commands.shared import add_device, add_fields, add_model_fields
from nmtcore.config import ARCHITECTURES
from nmtcore.models.checkpoint import FORMATS
from nmtcore.training.config import AugmentationConfig, TrainingConfig
from nmtcore.training.corpus import SplitConfig
from nmtcore.training.exercises import EXERCISES


def add_options(train: argparse.ArgumentParser) -> None:
    """All options of `train`, in the order of its help."""
    _add_files(train)
    _add_model(train)
    _add_start(train)
    add_fields(train, AugmentationConfig)
    add_fields(train, SplitConfig, prefix="split_")
    add_device(train)
    train.add_argument(
        "--runs", metavar="DIR", help="folder for what --resume needs (default: runs/PAIR-NAME, such as runs/en-fr-dot)"
    )
    train.add_argument("--resume", action="store_true", help="continue the run that stopped in --runs")
    train.add_argument(
        "--attribution",
        default="not stated",
        help="author and licence of the data, for the model's card (%(default)s)",
    )
    add_fields(train, TrainingConfig, "training")
    add_model_fields(train)


def _add_files(train: argparse.ArgumentParser) -> None:
    """Options for files of sentence pairs."""
    given = train.add_mutually_exclusive_group(required=True)
    given.add_argument(
        "--pairs",
        metavar="FILE",
        help="one sentence, a tab and its translation per line, plain or gzip; some are set aside for validation and "
        "testing",
    )
    given.add_argument(
        "--exercise",
        choices=tuple(EXERCISES),
        help="train on an exercise of the Fine-tune page instead, with its small model and its number of updates",
    )
    train.add_argument(
        "--synthetic",
        metavar="FILE",
        help="also train on these pairs, a teacher's translations, written by `distil` (sequence-level knowledge "
        "distillation, Kim and Rush 2016)",
    )
    train.add_argument(
        "--corpus",
        nargs="+",
        default=[],
        metavar="FILE[:WEIGHT]",
        help="also train on these pairs: one kind, sentence and translation per line, as in pretrained/corpus; "
        "FILE:3 counts each row three times",
    )
    train.add_argument(
        "--extra",
        nargs="+",
        default=[],
        metavar="FILE[:WEIGHT]",
        help="also train on these pairs, whose columns are those of --pairs; pairs that are linked to a sentence set "
        "aside, directly or through others, are left out",
    )
    train.add_argument(
        "--dictionary",
        nargs="+",
        default=[],
        metavar="FILE",
        help="also train on the usual translation of each word in this dictionary",
    )


def _add_model(train: argparse.ArgumentParser) -> None:
    """Options for the model: its architecture, folder, languages and vocabulary."""
    train.add_argument(
        "--architecture",
        choices=ARCHITECTURES,
        help="the kind of model (default: that of --warm-start; additive for an exercise)",
    )
    train.add_argument("--out", required=True, metavar="DIR", help="the model's folder, usable after every validation")
    train.add_argument("--swap", action="store_true", help="translate from the second column to the first")
    train.add_argument(
        "--source",
        metavar="LANGUAGE",
        help="its code, such as en (default: from the folder --out, such as my-models/en-fr/dot)",
    )
    train.add_argument("--target", metavar="LANGUAGE", help="its code, such as fr (default: as for --source)")
    train.add_argument("--vocab", metavar="FILE", help="use this vocab.model instead of learning one")


def _add_start(train: argparse.ArgumentParser) -> None:
    """Options for initial weights, their storage, and a new vocabulary."""
    train.add_argument(
        "--storage",
        choices=FORMATS,
        default="float16",
        help="how weights are stored: as float16, or quantised to int8 with one scale per row, in half the space "
        "(%(default)s)",
    )
    train.add_argument(
        "--warm-start",
        metavar="DIR",
        help="begin with the weights of this model, with its settings and its vocabulary (Loshchilov and Hutter 2017)",
    )
    train.add_argument(
        "--vocab-words",
        metavar="FILE",
        help="words, one per line, that should have few pieces in a new vocabulary; a word on several lines counts "
        "several times (a word becomes a single piece only if the data have it in two forms, such as `word` and "
        "`word,`)",
    )
    train.add_argument(
        "--vocab-size", type=int, default=8000, metavar="N", help="pieces in a new vocabulary (%(default)s)"
    )
