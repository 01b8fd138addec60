"""The pairs that are listed: a file that a person gives, or some of our own sentences."""

from pathlib import Path

import streamlit as st

from nmtcore.errors import DataError
from nmtcore.limits import LISTED_PAIRS
from nmtcore.places import pretrained_folder
from nmtcore.training.corpus import Pair
from pages.common.controls import show_notes
from pages.common.i18n import _
from pages.common.pairs_file import ask_for_file, given_file, read_content
from pages.common.saved_models import modification_times
from pages.common.shared import kept

FILE = "corpus file kept"  # in the session: name and content, while its widget is not drawn
OWN = 200  # sentences of our own, evenly from the whole file


def ask_for_pairs(pair: str) -> tuple[Pair, ...]:
    """The box for a file; its pairs, or our own where none is given."""
    file = ask_for_file("corpus file", FILE)
    if not file.name:
        own = own_sentences(pair)
        if own:
            st.caption(_("Until a file is given: {count} sentences of our own.").format(count=len(own)))
        return own
    try:
        pairs, report = read_content(file.content)
    except DataError as error:
        show_notes(str(error))
        return ()
    show_notes(*report.lines())
    if len(pairs) > LISTED_PAIRS:
        show_notes(_("The first {most} pairs are taken.").format(most=f"{LISTED_PAIRS:,}"))
    return pairs[:LISTED_PAIRS]


def given() -> str:
    """The name of the file that was given; empty where there is none."""
    return given_file(FILE).name


def own_sentences(pair: str) -> tuple[Pair, ...]:
    """Some of our own sentences of a pair; none where there is no file of them."""
    path = pretrained_folder() / "corpus" / f"{pair}.tsv"
    return _some(path, modification_times([path])) if path.is_file() else ()


@kept(8)
def _some(path: Path, stamp: tuple[int, ...]) -> tuple[Pair, ...]:
    """Of a file whose rows are a topic, a sentence and its translation."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    pairs = [Pair(*row[1:3]) for row in rows if len(row) == 3]
    return tuple(dict.fromkeys(pairs[:: max(1, len(pairs) // OWN)]))[:OWN]
