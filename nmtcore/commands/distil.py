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
from nmtcore.evaluation.challenge_set import read_challenges
from nmtcore.evaluation.distillation import distil
from nmtcore.training.corpus import Pair, read_pairs
from nmtcore.training.supplement import read_sentences, without_held_out, without_overlap


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
    parser.add_argument(
        "--texts",
        metavar="FILE",
        help="translate these sentences instead, one a line, for `train --extra`; those that --pairs sets aside, or "
        "that share six words in a row with a test sentence, are left out",
    )
    parser.add_argument(
        "--robustness", metavar="FILE", help="of --texts leave out likewise what shares words with this challenge set"
    )
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
    split = split_of(teacher, pairs, options.pairs)
    rows = split.train
    if options.texts:
        judged_by = [pair.source for pair in split.test]
        if options.robustness:
            judged_by += [challenge.source for challenge in read_challenges(options.robustness)[1]]
        texts = without_overlap(read_sentences(options.texts), judged_by)
        rows = without_held_out([Pair(text, "") for text in texts], split)
    sources = [item.source for item in within_limits(group_references(rows), teacher.vocab, teacher.model.max_length)]
    with tqdm(total=len(sources), unit="sentence", dynamic_ncols=True) as bar:
        written, left = distil(teacher, sources, Path(options.out), decoding, bar.update, back=options.back)
    say(f"{written:,} rows in {options.out}; {left:,} sentences left out, which the teacher did not finish.")
    return 0
