"""List every sentence in a file of pairs with its scores, worst first.

For each sentence: the translations of one or two models, chrF, coverage of the source, attention on <eos>, repetition
and confidence. Ctrl-C lists the sentences done so far.
"""

import argparse
import csv
import io
import json
import math
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tqdm import tqdm

from nmtcore.analysis.sentence_scores import SORTS, SentenceRow, filtered, sentence_rows, worst_first
from nmtcore.commands import shared
from nmtcore.config import DecodingConfig, check_range
from nmtcore.errors import SettingError
from nmtcore.files import atomic_write, csv_cell
from nmtcore.limits import LISTED_PAIRS
from nmtcore.system.processes import end_after, lower_priority

NICENESS = 10
SCORES = ("chrf", "coverage", "on_eos", "repetition", "confidence", "translation", "refused")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", nargs="+", required=True, metavar="DIR", help="one model folder, or two to compare")
    parser.add_argument("--pairs", required=True, metavar="FILE", help="tab-separated sentence pairs, plain or gzip")
    shared.add_split(parser)
    parser.add_argument("--sort", choices=SORTS, default="chrf", help="the number to sort by (%(default)s)")
    parser.add_argument("--word", default="", metavar="TEXT", help="only sentences with this in source or target")
    parser.add_argument("--shortest", type=int, default=0, metavar="N", help="only sources of at least N words")
    parser.add_argument("--longest", type=int, default=0, metavar="N", help="only sources of at most N words")
    parser.add_argument(
        "--out", metavar="FILE", help="write to this file: .tsv, .json, or .jsonl, growing as it runs (default: TSV)"
    )
    parser.add_argument("--end-with", type=int, default=0, metavar="PID", help="end when this process does")
    shared.add_beam(parser)
    shared.add_device(parser)


def run(options: argparse.Namespace) -> int:
    check_range("shortest", options.shortest, 0, 1e9)
    check_range("longest", options.longest, 0, 1e9)
    if len(options.model) > 2:
        raise SettingError("At most two models can be compared.")
    if options.sort == "difference" and len(options.model) < 2:
        raise SettingError("--sort difference needs two models.")
    out = shared.output_file(Path(options.out), ".tsv", ".json", ".jsonl") if options.out else None
    if options.end_with:
        lower_priority(NICENESS)
        threading.Thread(target=end_after, args=(options.end_with,), daemon=True).start()
    decoding, device = DecodingConfig(beam=options.beam), shared.choose_device(options)
    pairs = shared.read_given(options, LISTED_PAIRS if options.split == "all" else math.inf)
    models = [shared.load_model(folder, device) for folder in options.model]
    if len({model.name for model in models}) < len(models):
        raise SettingError(f"Both models are called {models[0].name}: give two different ones.")
    shared.check_languages(models, "source", "target")
    pairs = list(shared.rows_of_split(models[0], pairs, options))[:LISTED_PAIRS]
    rows: list[SentenceRow] = []
    growing = open(out, "w", encoding="utf-8") if out and out.suffix == ".jsonl" else None  # noqa: SIM115
    stopped = False
    with tqdm(total=len(pairs), unit="sentence", disable=bool(options.end_with)) as bar:
        try:
            for row in sentence_rows(models, pairs, decoding, bar.update):
                rows.append(row)
                if growing:
                    growing.write(json.dumps(row.to_json(), ensure_ascii=False) + "\n")
                    growing.flush()
        except KeyboardInterrupt:
            stopped = True
        finally:
            if growing:
                growing.close()
    if stopped:
        shared.say(f"Stopped after {len(rows):,} of {len(pairs):,} sentences.")
    kept = filtered(rows, options.word, options.shortest, options.longest)
    if not growing:
        _write(worst_first(kept, options.sort, models[0].name), out)
    return 130 if stopped else 0


def _write(rows: Sequence[SentenceRow], out: Path | None) -> None:
    if out and out.suffix == ".json":
        atomic_write(out, (json.dumps([row.to_json() for row in rows], ensure_ascii=False, indent=1) + "\n").encode())
    elif out:
        atomic_write(out, table(rows).encode())
    else:
        print(table(rows), end="")


def table(rows: Sequence[SentenceRow]) -> str:
    """The rows as TSV: the columns of the pair, then those of each model."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    names = list(rows[0].scores) if rows else []
    several = len(names) > 1
    columns = [f"{column} {name}" if several else column for name in names for column in SCORES]
    writer.writerow(["number", "length", "source", "reference", *columns, *(["difference"] if several else [])])
    for row in rows:
        scores = [asdict(row.scores[name])[column] for name in names for column in SCORES]
        difference = [row.difference()] if several else []
        writer.writerow(map(csv_cell, [row.number, row.length, row.source, row.reference, *scores, *difference]))
    return text.getvalue()
