"""Sentence pairs for Fine-tune: the file and the text box, kept while another page is open, and their contents."""

from pathlib import Path

import pandas as pd
import streamlit as st

from nmtcore.errors import CheckpointError, DataError, NmtError
from nmtcore.limits import TRAINING_PIECES
from nmtcore.models import checkpoint
from nmtcore.runs.preparation import FEWEST, unknown_pieces, within_pieces
from nmtcore.training.corpus import Pair
from nmtcore.training.exercises import Example
from pages.common.controls import show_notes
from pages.common.form import PASTED_PAIRS, drop, held, hold
from pages.common.i18n import _, ngettext
from pages.common.pairs_file import ask_for_file
from pages.common.saved_models import modification_times
from pages.common.shared import kept
from pages.common.text import not_markdown
from pages.finetune.data import SHOWN, Checked, check
from pages.finetune.tables import text_table

FIRST = 6  # pairs shown
FILE = "pairs file kept"  # in the session, while its widget is not drawn


def own_pairs(folder: Path | None, source: str, target: str) -> list[Example]:
    """Ask for pairs; empty if there are none or too few, which the page then says.

    folder: of the model to fine-tune, None for one from scratch; source, target: codes of its languages.
    """
    with st.container(horizontal=True, gap="small"):
        name, content = ask_for_file("pairs file", FILE)
        pasted = _kept_text()
    if name and held("pairs file") is None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(_("From the file {name}, given earlier.").format(name=not_markdown(name)), width="content")
            st.button(_("Leave this file out"), key="forget file", type="tertiary", on_click=drop, args=(FILE,))
    if name and pasted.strip():
        show_notes(_("The file's rows are used, the pasted ones are not: remove the file to use them."))
    content = content if name else pasted.encode()
    checked = _checked(content, source, target)
    if isinstance(checked, str):
        show_notes(checked)
        return []
    _report(checked, folder)
    if not checked.aside:
        return []
    pairs = checked.pairs
    if folder is not None:
        pairs = _short_enough(str(folder), modification_times([folder / checkpoint.CONFIG]), pairs)
        if left_out := len(checked.pairs) - len(pairs):
            words = ngettext(
                "{count:,} row is left out: this model's vocabulary splits a side of it into more than {limit} pieces.",
                "{count:,} rows are left out: this model's vocabulary splits a side into more than {limit} pieces.",
                left_out,
            )
            show_notes(words.format(count=left_out, limit=TRAINING_PIECES))
    return [(pair.source, pair.target) for pair in pairs]


def _kept_text() -> str:
    """The pasted text, kept while its box is not drawn."""
    if held("pasted") is None:
        hold("pasted", held(PASTED_PAIRS, ""))
    text = st.text_area(
        _("or paste them: a sentence, a tab, its translation"), key="pasted", height=120, max_chars=200_000
    )
    hold(PASTED_PAIRS, text or "")
    return text or ""


@kept(20)
def _checked(content: bytes, source: str, target: str) -> Checked | str:
    try:
        return check(content, source, target)
    except NmtError as error:
        return str(error)


def _report(checked: Checked, folder: Path | None) -> None:
    """Say how many rows are usable, and what is wrong with the others."""
    notes = [_usable(checked), *checked.notes]
    if folder is not None:
        pieces = _unknown(str(folder), modification_times([folder / checkpoint.CONFIG]), checked.pairs)
        if pieces:
            shown = " ".join(list(pieces)[:12])
            count = sum(pieces.values())
            words = ngettext(
                "{count:,} piece is unknown to the model's vocabulary: {pieces}",
                "{count:,} pieces are unknown to the model's vocabulary; the most frequent: {pieces}",
                count,
            )
            notes.append(words.format(count=count, pieces=shown))
        else:
            notes.append(_("No piece is unknown to the model's vocabulary."))
    elif checked.unknown:
        words = ngettext(
            "The vocabulary is learned from the training pairs; {count} character of those held out is unknown to it: "
            "{characters}",
            "The vocabulary is learned from the training pairs; {count} characters of those held out are unknown to "
            "it: {characters}",
            len(checked.unknown),
        )
        notes.append(words.format(count=len(checked.unknown), characters=" ".join(checked.unknown[:12])))
    elif checked.aside:
        notes.append(_("No piece is unknown: the vocabulary is learned from these pairs."))
    show_notes(*notes)
    _how_read(checked)
    if checked.problems:
        count = len(checked.problems)
        left_out = ngettext("{count:,} row is left out", "{count:,} rows are left out", count)
        reasons = ", ".join(f"{reason}: {number:,}" for reason, number in checked.reasons)
        with st.expander(f"{left_out.format(count=count)} ({reasons})"):
            table = pd.DataFrame(checked.problems[:SHOWN], columns=[_("line"), _("why")])
            st.dataframe(table, hide_index=True, height="content")


def _how_read(checked: Checked) -> None:
    """Say which column was read as what; show the first pairs if they are too few for a preview to follow."""
    words = ngettext(
        "{rows:,} row was read as UTF-8: before the first tab the source, after it the translation.",
        "{rows:,} rows were read as UTF-8: before the first tab the source, after it the translation.",
        checked.rows,
    ).format(rows=checked.rows)
    if checked.columns > 2:
        words += " " + _("Anything after a second tab is ignored.")
    st.caption(words)
    if not checked.aside:
        text_table([_("source"), _("translation")], [(pair.source, pair.target) for pair in checked.pairs[:FIRST]])


def _usable(checked: Checked) -> str:
    """Say how many pairs there are, and what to do if they are too few."""
    usable = len(checked.pairs)
    if not checked.aside:
        return ngettext(
            "{usable:,} pair can be used. That is too few to hold some out for evaluation: give at least {fewest} "
            "pairs that have no sentence in common.",
            "{usable:,} pairs can be used. That is too few to hold some out for evaluation: give at least {fewest} "
            "pairs that have no sentence in common.",
            usable,
        ).format(usable=usable, fewest=FEWEST)
    return ngettext(
        "{usable:,} pair can be used, {aside} of them only for evaluation.",
        "{usable:,} pairs can be used, {aside} of them only for evaluation.",
        usable,
    ).format(usable=usable, aside=checked.aside)


@kept(20)
def _short_enough(folder: str, stamp: tuple[int, ...], pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
    """The pairs short enough in pieces of a model's vocabulary; all of them for a damaged model, which is reported."""
    try:
        return tuple(within_pieces(checkpoint.load(folder).vocab, list(pairs)))
    except CheckpointError:
        return pairs
    except DataError:
        return ()


@kept(20)
def _unknown(folder: str, stamp: tuple[int, ...], pairs: tuple[Pair, ...]) -> dict[str, int]:
    try:
        return unknown_pieces(checkpoint.load(folder).vocab, list(pairs))
    except NmtError:
        return {}
