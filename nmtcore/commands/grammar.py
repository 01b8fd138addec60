"""python -m nmtcore grammar: print sentence pairs that a synchronous grammar makes, with their word links."""

from __future__ import annotations

import argparse

from nmtcore.commands.shared import Commands
from nmtcore.config import check_range
from nmtcore.grammar.grammar import FOLDER, LANGUAGES, Grammar


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "grammar",
        help="print sentence pairs that a grammar makes",
        allow_abbrev=False,
        description="Print sentence pairs that a synchronous grammar makes, with their word links if asked for.",
    )
    parser.set_defaults(run=run, prog=parser.prog)
    parser.add_argument("--pair", default="en-fr", choices=tuple(LANGUAGES), help="the languages (%(default)s)")
    parser.add_argument("--count", type=int, default=20, metavar="N", help="number of pairs (%(default)s)")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="the same seed makes the same pairs (%(default)s)"
    )
    parser.add_argument(
        "--links",
        action="store_true",
        help="add a third column, the word links: source-target, counted from zero; Mandarin words then stand apart",
    )
    parser.add_argument(
        "--alignments",
        action="store_true",
        help="print a file of alignments, as `evaluate --alignments` reads it: words, words, links",
    )
    parser.add_argument(
        "--data", default=str(FOLDER), metavar="DIR", help="the folder of rules and lexicon (%(default)s)"
    )


def run(options: argparse.Namespace) -> int:
    check_range("count", options.count, 1, 10_000_000)
    if options.alignments:
        print(f"# languages: {options.pair}")
    for pair in Grammar.load(options.data, options.pair).pairs(options.count, options.seed):
        if options.alignments:
            print(pair.row)
        elif options.links:
            print(pair.words, pair.target, " ".join(f"{i}-{j}" for i, j in pair.links), sep="\t")
        else:
            print(pair.source, pair.target, sep="\t")
    return 0
