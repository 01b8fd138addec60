"""Knowledge distillation: let a model translate sentences that others learn from (Kim and Rush 2016).

Writes a row, source, tab, translation, for each sentence of the training split of --pairs and of the other files, for
`train --synthetic`; what models are judged by is left out. When it was stopped, the same command goes on.
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
        "--model", required=True, metavar="DIR", help="the folder of the model that translates, the teacher"
    )
    parser.add_argument(
        "--pairs", required=True, metavar="FILE", help="the sentence pairs that the teacher was trained on"
    )
    parser.add_argument(
        "--extra",
        nargs="+",
        default=[],
        metavar="FILE",
        help="translate the sources of these pairs too; their columns are those of --pairs. What is linked to a "
        "sentence set aside is left out",
    )
    parser.add_argument(
        "--texts",
        metavar="FILE",
        help="monolingual data: translate the sentences of this file too, one a line. Left out is what --pairs sets "
        "aside for validation and testing, what shares six words in a row with a test sentence, and what is itself a "
        "test sentence of fewer words",
    )
    parser.add_argument(
        "--robustness",
        metavar="FILE",
        help="with --texts: leave out what is that close to a sentence of this challenge set too",
    )
    parser.add_argument(
        "--out", required=True, metavar="FILE", help="the file to write: text, a tab between the columns"
    )
    shared.add_decoding(parser)
    shared.add_device(parser)


def run(options: argparse.Namespace) -> int:
    if options.robustness and not options.texts:
        raise SettingError("--robustness says what to leave out of --texts: give --texts FILE too, or leave it away.")
    decoding = shared.choose_decoding(options)
    teacher = shared.load_model(options.model, shared.choose_device(options), decoding)
    swap = bool(teacher.meta.get("swap"))
    pairs, _ = read_pairs(options.pairs, swap)
    split = shared.split_of(teacher.name, teacher.meta, pairs, options.pairs)
    extra = [pair for file in options.extra for pair in without_linked(read_pairs(file, swap)[0], split)]
    rows = [*split.train, *extra, *(_monolingual(options, split) if options.texts else ())]
    sources = [item.source for item in within_limits(group_references(rows), teacher.vocab, teacher.model.max_length)]
    with tqdm(total=len(sources), unit="sentence", dynamic_ncols=True) as bar:
        written, left = distil(teacher, sources, Path(options.out), decoding, bar.update)
    shared.say(f"{written:,} rows in {options.out}; {left:,} sentences left out, which the teacher did not finish.")
    return 0


def _monolingual(options: argparse.Namespace, split: Split) -> Sequence[Pair]:
    """The sentences of --texts that are far from those that models are judged by, as pairs without a translation."""
    texts = read_sentences(options.texts)
    judged_by = [pair.source for pair in split.test]
    if options.robustness:
        judged_by += [challenge.source for challenge in read_challenges(options.robustness)[1]]
    rows = without_held_out([Pair(text, "") for text in without_overlap(texts, judged_by)], split)
    left_out = len(texts) - len(rows)
    shared.say(f"Left out {left_out:,} of {len(texts):,} sentences, too like one that models are judged by.")
    return rows
