"""Print the scores in the models' cards as one table.

The table is in Markdown.
"""

import argparse
import re
from collections.abc import Mapping
from pathlib import Path

from nmtcore.config import ARCHITECTURES
from nmtcore.errors import DataError, SettingError
from nmtcore.evaluation.cards import table, trained_before
from nmtcore.models.checkpoint import CONFIG, WEIGHTS, meta_numbers, read_config

HEAD = (
    *("model", "BLEU", "chrF", "AER", "AER, exact", "AER, news", "typed", "names", "numbers", "epochs", "hours"),
    *("validation loss", "MB"),
)
MARKS = ("<!-- scores -->\n", "<!-- end of scores -->\n")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--models", default="pretrained", metavar="DIR", help="the folder of models, with PAIR/NAME in it (%(default)s)"
    )
    parser.add_argument(
        "--into",
        metavar="FILE",
        help="write the table into this file, between its lines <!-- scores --> and <!-- end of scores -->",
    )


def run(options: argparse.Namespace) -> int:
    directory = Path(options.models)
    folders = sorted(
        (path.parent for path in directory.glob(f"*/*/{CONFIG}") if path.parent.name in ARCHITECTURES),
        key=lambda folder: (folder.parent.name, list(ARCHITECTURES).index(folder.name)),
    )
    if not folders:
        raise SettingError(f"There is no model in {directory}.")
    printed = "".join(f"{line}\n" for line in table(HEAD, map(_row, folders)))
    if not options.into:
        print(printed, end="")
        return 0
    file = Path(options.into)
    text = file.read_bytes().decode(errors="replace")
    if any(text.count(mark) != 1 for mark in MARKS):
        raise DataError(f"{file} must have the lines {' and '.join(mark.strip() for mark in MARKS)} once each.")
    between = re.compile(f"(?<={re.escape(MARKS[0])}).*(?={re.escape(MARKS[1])})", re.DOTALL)
    file.write_text(between.sub(lambda _: printed, text), encoding="utf-8")
    return 0


def _row(folder: Path) -> list[str]:
    """typed: the share of correct translations of sentences as people type them; names, numbers: shares copied."""
    _, meta = read_config(folder)
    scores, trained = meta_numbers(meta, "scores"), meta_numbers(meta, "trained")
    trained |= trained_before(meta)
    return [
        f"[{folder.parent.name}/{folder.name}]({folder.parent.name}/{folder.name}/card.md)",
        _shown(scores, "bleu", "{:.1f}"),
        _shown(scores, "chrf", "{:.1f}"),
        _shown(meta_numbers(meta, "alignments", "best"), "aer", "{:.3f}"),
        _shown(meta_numbers(meta, "exact_alignments", "best"), "aer", "{:.3f}"),
        _shown(meta_numbers(meta, "news_alignments", "best"), "aer", "{:.3f}"),
        _shown(meta_numbers(meta, "robustness"), "right", "{:.0%}"),
        _shown(meta_numbers(meta, "copying"), "names", "{:.0%}"),
        _shown(meta_numbers(meta, "copying"), "numbers", "{:.0%}"),
        _shown(trained, "epochs", "{:.1f}"),
        f"{trained['seconds'] / 3600:.1f}" if "seconds" in trained else "",
        _shown(trained, "validation_loss", "{:.3f}"),
        f"{(folder / WEIGHTS).stat().st_size / 1e6:.1f}",
    ]


def _shown(values: Mapping[str, float], name: str, form: str) -> str:
    """Format the number; empty if it was not measured."""
    return form.format(values[name]) if name in values else ""
