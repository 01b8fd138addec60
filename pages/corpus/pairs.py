"""The listed pairs: a file that a person gives, some of our own sentences, or a model's test split."""

from pathlib import Path

import streamlit as st

from nmtcore.commands.shared import split_of
from nmtcore.errors import DataError, NmtError
from nmtcore.limits import LISTED_PAIRS
from nmtcore.places import pretrained_folder, writable_folder
from nmtcore.training.corpus import Pair, read_pairs
from pages.common import models
from pages.common.address import control
from pages.common.controls import show_notes
from pages.common.i18n import _
from pages.common.pairs_file import ask_for_file, given_file, read_content
from pages.common.saved_models import modification_times
from pages.common.shared import kept
from pages.corpus.state import SETS, CorpusState

FILE = "corpus file kept"  # in the session: name and content, while its widget is not drawn
FEW, MANY = 24, 200  # sentences of our own, evenly from the whole file


def set_names() -> dict[str, str]:
    """The sets of sentences in words."""
    return {
        "example": _("an example"),
        "own": _("{count} sentences of our own").format(count=MANY),
        "test": _("the model's test split"),
    }


def ask_for_pairs(state: CorpusState) -> tuple[Pair, ...]:
    """The choice of a set and the box for a file, which overrides it; returns the pairs. Raises NmtError if there are
    none."""
    st.selectbox(_("Sentences"), SETS, format_func=set_names().__getitem__, **control(state, "pairs"))
    file = ask_for_file("corpus file", FILE)
    if not file.name:
        if state.pairs == "test":
            return held_out_pairs(next(iter(state.models.values()), ""))
        return own_sentences(state.question.pair, FEW if state.pairs == "example" else MANY)
    pairs, report = read_content(file.content)
    show_notes(*report.lines())
    if len(pairs) > LISTED_PAIRS:
        show_notes(_("The first {most} pairs are taken.").format(most=f"{LISTED_PAIRS:,}"))
    return pairs[:LISTED_PAIRS]


def given() -> str:
    """The name of the given file; empty if there is none."""
    return given_file(FILE).name


@kept(8)
def own_sentences(pair: str, count: int) -> tuple[Pair, ...]:
    """Some of our own sentences of a pair. Raises DataError if there is no file of them."""
    path = pretrained_folder() / "corpus" / f"{pair}.tsv"  # each row is a topic, a sentence and its translation
    if not path.is_file():
        raise DataError(_("There are no sentences of our own in these languages: give a file of pairs."))
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    pairs = [Pair(*row[1:3]) for row in rows if len(row) == 3]
    return tuple(dict.fromkeys(pairs[:: max(1, len(pairs) // count)]))[:count]


def held_out_pairs(model: str) -> tuple[Pair, ...]:
    """The pairs that were set aside when a model was trained. Raises NmtError if they cannot be found again.

    Their file does not come with the model: it exists only if somebody has put it into the folder `data`.
    """
    data = models.settings(model)[1].get("data", {})
    file = str(data.get("file", "")) if isinstance(data, dict) else ""
    if not file or Path(file).name != file:
        raise DataError(_("This model does not record which file its test split comes from."))
    path = writable_folder() / "data" / file
    if not path.is_file():
        says = _("This model's test split comes from {file}, which is not included: put it into the folder data.")
        raise DataError(says.format(file=file))
    return _held_out(model, path, modification_times([path]))


@models.kept_by_model(4)
def _held_out(model: str, path: Path, stamp: tuple[int, ...]) -> tuple[Pair, ...]:
    meta = models.settings(model)[1]
    try:
        pairs, _report = read_pairs(path, bool(meta.get("swap")))
        return tuple(split_of(_("This model"), meta, pairs, path.name).test)[:LISTED_PAIRS]
    except NmtError as error:
        raise DataError(str(error).replace(str(path), path.name)) from error
