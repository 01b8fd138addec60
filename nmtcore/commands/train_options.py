"""The options of `train`: files, model, start, rows that are added, split, training and model settings."""

import argparse
import dataclasses

from nmtcore.commands.shared import add_device, add_model_fields, add_training_fields, comments
from nmtcore.config import ARCHITECTURES
from nmtcore.models.checkpoint import FORMATS
from nmtcore.training.config import AugmentationConfig
from nmtcore.training.corpus import SplitConfig
from nmtcore.training.exercises import EXERCISES, NONCE, NONCE_FRENCH


def add_options(train: argparse.ArgumentParser) -> None:
    """All options of `train`, in the order of its help."""
    _add_files(train)
    _add_model(train)
    _add_start(train)
    _add_mixture(train)
    for field in dataclasses.fields(SplitConfig):
        name = f"--split-{field.name}"
        text = f"{comments(SplitConfig)[field.name]} (%(default)s)"
        train.add_argument(name, type=int, default=field.default, metavar="N", help=text)
    add_device(train)
    train.add_argument(
        "--runs", metavar="DIR", help="folder of what --resume needs (default: runs/PAIR-NAME, such as runs/en-fr-dot)"
    )
    train.add_argument("--resume", action="store_true", help="go on with the training that stopped in --runs")
    train.add_argument(
        "--attribution",
        default="not stated",
        help="whose the data are, and their licence, for the model's card (%(default)s)",
    )
    add_training_fields(train)
    add_model_fields(train)


def _add_files(train: argparse.ArgumentParser) -> None:
    """Options of the files of sentence pairs."""
    given = train.add_mutually_exclusive_group(required=True)
    given.add_argument(
        "--pairs",
        metavar="FILE",
        help="a sentence, a tab and its translation a line, plain or gzip; some are set aside for validation and "
        "testing",
    )
    given.add_argument(
        "--exercise",
        choices=tuple(EXERCISES),
        help="train on an exercise of the Fine-tune page instead, with its small model and its number of updates",
    )
    made = train.add_argument_group("pairs of an exercise")
    made.add_argument("--count", type=int, default=0, metavar="N", help="pairs to make (default: as many as the page)")
    made.add_argument(
        "--length", type=int, default=0, metavar="N", help="words of the longest source (default: as the exercise has)"
    )
    made.add_argument("--word", default=NONCE, help="what `teach` teaches (%(default)s)")
    made.add_argument("--french-word", default=NONCE_FRENCH, help="its translation (%(default)s)")
    train.add_argument(
        "--synthetic",
        metavar="FILE",
        help="train on these pairs too, a teacher's translations, which `distil` wrote (sequence-level knowledge "
        "distillation, Kim and Rush 2016)",
    )
    train.add_argument(
        "--corpus",
        nargs="+",
        default=[],
        metavar="FILE[:WEIGHT]",
        help="train on these pairs too: a kind, a sentence and its translation a line, as in pretrained/corpus; "
        "FILE:3 counts each row three times",
    )
    train.add_argument(
        "--extra",
        nargs="+",
        default=[],
        metavar="FILE[:WEIGHT]",
        help="train on these pairs too; their columns are those of --pairs. What is linked to a sentence set aside, "
        "directly or through others, is left out",
    )
    train.add_argument(
        "--dictionary",
        nargs="+",
        default=[],
        metavar="FILE",
        help="train on the usual translation of each word of this dictionary too",
    )


def _add_model(train: argparse.ArgumentParser) -> None:
    """Options of the model: its architecture, folder, languages and vocabulary."""
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
        help="its code, such as en (default: that in the folder --out, such as my-models/en-fr/dot)",
    )
    train.add_argument("--target", metavar="LANGUAGE", help="its code, such as fr (default: as for --source)")
    train.add_argument("--vocab", metavar="FILE", help="use this vocab.model rather than learn one")


def _add_start(train: argparse.ArgumentParser) -> None:
    """Options of how weights begin and are stored, and of a new vocabulary."""
    train.add_argument(
        "--storage",
        choices=FORMATS,
        default="float16",
        help="how weights are stored: as float16, or quantised to int8 with one scale for each row, in half the space "
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
        help="words, one a line, that are to have few pieces in a new vocabulary; a word that stands on several lines "
        "counts several times (a word becomes one piece only if the data have it in two forms, such as `word` and "
        "`word,`)",
    )
    train.add_argument(
        "--vocab-size", type=int, default=8000, metavar="N", help="pieces of a new vocabulary (%(default)s)"
    )


def _add_mixture(train: argparse.ArgumentParser) -> None:
    """Options of the rows that each epoch adds to the pairs."""
    for field in dataclasses.fields(AugmentationConfig):
        flag = f"--{field.name.replace('_', '-')}"
        text = f"{comments(AugmentationConfig)[field.name]} (%(default)s)"
        train.add_argument(flag, type=float, default=field.default, metavar="SHARE", help=text)
