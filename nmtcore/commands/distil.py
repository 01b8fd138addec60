"""python -m nmtcore distil: the training sentences of a model as it translates them, for others to learn from."""

from __future__ import annotations

import argparse
from pathlib import Path

from tqdm import tqdm

from nmtcore.commands.shared import (
    Commands,
    add_decoding,
    add_device,
    choose_decoding,
    choose_device,
    load_model,
    say,
    split_of,
)
from nmtcore.evaluation.bleu import group_references, within_limits
from nmtcore.evaluation.distillation import distil
from nmtcore.training.corpus import read_pairs


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "distil",
        help="translate the sentences that a model was trained on, for `train --distilled` and `--synthetic`",
        allow_abbrev=False,
        description="One row, source, tab, translation, for each sentence of the training split of --pairs. "
        "When it was stopped, the same command goes on.",
    )
    parser.set_defaults(run=run, prog=parser.prog)
    parser.add_argument("--model", required=True, metavar="DIR", help="the teacher")
    parser.add_argument("--pairs", required=True, metavar="FILE", help="what the teacher was trained on")
    parser.add_argument("--out", required=True, metavar="FILE", help="tab-separated, not zipped")
    parser.add_argument(
        "--back",
        action="store_true",
        help="write the translation first, for a model of the other direction (Sennrich et al. 2016)",
    )
    add_decoding(parser)
    add_device(parser)


def run(options: argparse.Namespace) -> int:
    decoding = choose_decoding(options)
    teacher = load_model(options.model, choose_device(options), decoding)
    pairs, _ = read_pairs(options.pairs, bool(teacher.meta.get("swap")))
    train = split_of(teacher, pairs, options.pairs).train
    sources = [item.source for item in within_limits(group_references(train), teacher.vocab, teacher.model.max_length)]
    with tqdm(total=len(sources), unit="sentence", dynamic_ncols=True) as bar:
        written, left = distil(teacher, sources, Path(options.out), decoding, bar.update, back=options.back)
    say(f"{written:,} rows in {options.out}; {left:,} sentences left out, which the teacher did not finish.")
    return 0
