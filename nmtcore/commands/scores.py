"""Print the scores in the models' cards as one table.

The table is in Markdown.
"""

import argparse
import re
from pathlib import Path

from nmtcore.config import ARCHITECTURES
from nmtcore.errors import DataError, SettingError
from nmtcore.evaluation.cards import table, trained_before
from nmtcore.models.checkpoint import CONFIG, WEIGHTS, meta_numbers, read_config

COLUMNS = (  # heading; place in the metadata of config.json, and name there; form
    ("BLEU", ("scores",), "bleu", "{:.1f}"),
    ("chrF", ("scores",), "chrf", "{:.1f}"),
    ("AER", ("alignments", "best"), "aer", "{:.3f}"),
    ("AER, exact", ("exact_alignments", "best"), "aer", "{:.3f}"),
    ("AER, news", ("news_alignments", "best"), "aer", "{:.3f}"),
    ("typed", ("robustness",), "right", "{:.0%}"),  # correct translations of sentences as people type them
    ("names", ("copying",), "names", "{:.0%}"),  # shares that are copied
    ("numbers", ("copying",), "numbers", "{:.0%}"),
    ("epochs", ("trained",), "epochs", "{:.1f}"),
    ("hours", ("trained",), "hours", "{:.1f}"),
    ("validation loss", ("trained",), "validation_loss", "{:.3f}"),
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
    head = ("model", *(heading for heading, *_ in COLUMNS), "MB")
    printed = "".join(f"{line}\n" for line in table(head, map(_row, folders)))
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
    """The cells of a model; empty for what was not measured."""
    _, meta = read_config(folder)
    trained = meta_numbers(meta, "trained") | trained_before(meta)
    if "seconds" in trained:
        trained["hours"] = trained["seconds"] / 3600
    cells = [f"[{folder.parent.name}/{folder.name}]({folder.parent.name}/{folder.name}/card.md)"]
    for _, place, name, form in COLUMNS:
        values = meta_numbers({**meta, "trained": trained}, *place)
        cells.append(form.format(values[name]) if name in values else "")
    return [*cells, f"{(folder / WEIGHTS).stat().st_size / 1e6:.1f}"]
