"""Knowledge distillation: let a model translate sentences that others learn from (Kim and Rush 2016).

Writes one row, source, tab, translation, for each sentence in the training split of --pairs and in the other files, for
`train --synthetic`; evaluation sentences are left out. After an interruption, the same command continues.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from nmtcore.commands import shared
from nmtcore.errors import SettingError
from nmtcore.evaluation.challenge_set import read_challenges
from nmtcore.evaluation.distillation import distil
from nmtcore.evaluation.references import group_references, within_limits
from nmtcore.training.corpus import Pair, Split, read_pairs
from nmtcore.training.supplement import read_sentences, without_held_out, without_linked, without_overlap


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", required=True, metavar="DIR", help="the folder of the teacher, the model that translates"
    )
    parser.add_argument(
        "--pairs", required=True, metavar="FILE", help="the sentence pairs that the teacher was trained on"
    )
    parser.add_argument(
        "--extra",
        nargs="+",
        default=[],
        metavar="FILE",
        help="translate the sources of these pairs too, whose columns are those of --pairs; pairs that are linked to a "
        "sentence set aside are left out",
    )
    parser.add_argument(
        "--texts",
        metavar="FILE",
        help="monolingual data: translate the sentences of this file too, one per line. Left out are sentences that "
        "--pairs sets aside for validation and testing, that share six consecutive words with a test sentence, or that "
        "equal a shorter test sentence",
    )
    parser.add_argument(
        "--robustness",
        metavar="FILE",
        help="with --texts: also leave out sentences that are that close to a sentence of this challenge set",
    )
    parser.add_argument(
        "--out", required=True, metavar="FILE", help="the file to write: text, a tab between the columns"
    )
    shared.add_device(parser)


def run(options: argparse.Namespace) -> int:
    if options.robustness and not options.texts:
        raise SettingError("--robustness limits what --texts adds: give --texts FILE too, or leave it out.")
    teacher = shared.load_model(options.model, shared.choose_device(options))
    swap = bool(teacher.meta.get("swap"))
    pairs, _ = read_pairs(options.pairs, swap)
    split = shared.split_of(teacher.name, teacher.meta, pairs, options.pairs)
    extra = [pair for file in options.extra for pair in without_linked(read_pairs(file, swap)[0], split)]
    rows = [*split.train, *extra, *(_monolingual(options, split) if options.texts else ())]
    sources = [item.source for item in within_limits(group_references(rows), teacher.vocab, teacher.model.max_length)]
    with tqdm(total=len(sources), unit="sentence", dynamic_ncols=True) as bar:
        written, left = distil(teacher, sources, Path(options.out), bar.update)
    shared.say(f"{written:,} rows in {options.out}; left out {left:,} sentences that the teacher did not finish.")
    return 0


def _monolingual(options: argparse.Namespace, split: Split) -> Sequence[Pair]:
    """The sentences of --texts that do not overlap with evaluation sentences, as pairs without a translation."""
    texts = read_sentences(options.texts)
    judged_by = [pair.source for pair in split.test]
    if options.robustness:
        judged_by += [challenge.source for challenge in read_challenges(options.robustness)[1]]
    rows = without_held_out([Pair(text, "") for text in without_overlap(texts, judged_by)], split)
    left_out = len(texts) - len(rows)
    shared.say(f"Left out {left_out:,} of {len(texts):,} sentences, too similar to evaluation sentences.")
    return rows
