"""Sentence pairs for Fine-tune: the file and the text box, kept while another page is open, checked row by row."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import streamlit as st

from nmtcore.errors import CheckpointError, DataError
from nmtcore.limits import TRAINING_CHARACTERS, TRAINING_PIECES
from nmtcore.models import checkpoint
from nmtcore.runs.preparation import FEWEST, set_aside, unknown_pieces, within_pieces
from nmtcore.text.normalization import normalize, simplify
from nmtcore.training.corpus import Pair, ReadReport
from nmtcore.training.exercises import Example
from pages.common.controls import show_notes
from pages.common.form import PASTED_PAIRS, drop, held, hold
from pages.common.i18n import _, ngettext
from pages.common.pairs_file import ask_for_file, read_content
from pages.common.saved_models import modification_times
from pages.common.shared import kept
from pages.common.text import not_markdown
from pages.finetune.tables import text_table

FIRST = 6  # pairs shown
SHOWN = 50  # rows of the table of problems
FILE = "pairs file kept"  # in the session, while its widget is not drawn


@dataclass(frozen=True)
class Checked:
    """The usable pairs, the report about all rows, and remarks.

    aside: how many pairs will be held out for validation; 0 if there are too few to train on. columns: the most that a
    row has. unknown: characters that occur only in held-out pairs, which the vocabulary of the others lacks.
    """

    pairs: tuple[Pair, ...]
    report: ReadReport
    aside: int
    columns: int
    notes: tuple[str, ...]
    unknown: tuple[str, ...]


@kept(20)
def check(content: bytes, source: str = "", target: str = "") -> Checked:
    """Read tab-separated pairs. source, target: codes of the model's languages, if it has any.

    Raises DataError with a sentence for the person if no row can be used.
    """
    pairs, report = read_content(content)
    read = list(dict.fromkeys(Pair(simplify(pair.source, source), pair.target) for pair in pairs))
    notes = _notes(pairs, source, target)
    if tuple(read) != pairs:
        notes.append(_("The models read simplified characters: traditional sources are converted."))
    columns = 1 + max(line.count(b"\t") for line in content.splitlines())
    train, aside = set_aside(read)
    unknown = tuple(sorted(_characters(aside) - _characters(train)))
    return Checked(tuple(read), report, len(aside), columns, tuple(notes), unknown)


def _characters(pairs: Iterable[Pair]) -> set[str]:
    return {character for pair in pairs for side in pair for character in normalize(side)}


def _notes(pairs: Sequence[Pair], source: str, target: str) -> list[str]:
    notes = []
    first, second = (sum(map(_chinese, side)) / len(pairs) for side in zip(*pairs, strict=True))
    if (source == "zh" and first < 0.5 <= second) or (target == "zh" and second < 0.5 <= first):
        notes.append(_("Source and target look swapped: Mandarin is not in the column where the model expects it."))
    same = sum(pair.source == pair.target for pair in pairs)
    if same > len(pairs) / 10:
        words = ngettext(
            "{count} row has the same sentence on both sides.",
            "{count} rows have the same sentence on both sides.",
            same,
        )
        notes.append(words.format(count=same))
    return notes


def _chinese(text: str) -> bool:
    return any("\u4e00" <= c <= "\u9fff" for c in text)


def own_pairs(folder: Path | None, source: str, target: str) -> list[Example]:
    """Ask for pairs; empty if there are too few, which the page then says. Raises DataError if there are none.

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
    checked = check(content if name else pasted.encode(), source, target)
    pairs, pieces = _as_pieces(folder, checked.pairs) if folder else (checked.pairs, {})
    show_notes(_usable(checked), *checked.notes, *_unknown(checked, pieces if folder else None))
    _how_read(checked)
    if not checked.aside:
        return []
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
    hold(PASTED_PAIRS, text)
    return text


@kept(20, key=lambda folder, pairs: (folder, modification_times([folder / checkpoint.CONFIG]), pairs))
def _as_pieces(folder: Path, pairs: tuple[Pair, ...]) -> tuple[tuple[Pair, ...], dict[str, int]]:
    """The pairs short enough in pieces of a model's vocabulary, and how often each unknown piece occurs.

    A damaged model, which is reported elsewhere, leaves out none.
    """
    try:
        vocab = checkpoint.load(folder).vocab
    except CheckpointError:
        return pairs, {}
    try:
        return tuple(within_pieces(vocab, list(pairs))), unknown_pieces(vocab, list(pairs))
    except DataError:  # no pair is short enough
        return (), unknown_pieces(vocab, list(pairs))


def _unknown(checked: Checked, pieces: dict[str, int] | None) -> list[str]:
    """Say what a vocabulary lacks. pieces: those unknown to the model's; None if it is learned from these pairs."""
    if pieces:
        count = sum(pieces.values())
        words = ngettext(
            "{count:,} piece is unknown to the model's vocabulary: {pieces}",
            "{count:,} pieces are unknown to the model's vocabulary; the most frequent: {pieces}",
            count,
        )
        return [words.format(count=count, pieces=" ".join(list(pieces)[:12]))]
    if pieces is not None:
        return [_("No piece is unknown to the model's vocabulary.")]
    if checked.unknown:
        words = ngettext(
            "The vocabulary is learned from the training pairs; {count} character of those held out is unknown to it: "
            "{characters}",
            "The vocabulary is learned from the training pairs; {count} characters of those held out are unknown to "
            "it: {characters}",
            len(checked.unknown),
        )
        return [words.format(count=len(checked.unknown), characters=" ".join(checked.unknown[:12]))]
    return [_("No piece is unknown: the vocabulary is learned from these pairs.")] if checked.aside else []


def _how_read(checked: Checked) -> None:
    """Say which column was read as what, and which rows were left out; show pairs that are too few for a preview."""
    words = ngettext(
        "{rows:,} row was read as UTF-8: before the first tab the source, after it the translation.",
        "{rows:,} rows were read as UTF-8: before the first tab the source, after it the translation.",
        checked.report.rows,
    ).format(rows=checked.report.rows)
    if checked.columns > 2:
        words += " " + _("Anything after a second tab is ignored.")
    st.caption(words)
    if not checked.aside:
        text_table([_("source"), _("translation")], checked.pairs[:FIRST])
    reasons = {
        "columns": _("no tab between two sentences"),
        "empty": _("an empty side"),
        "long": _("more than {limit:,} characters on a side").format(limit=TRAINING_CHARACTERS),
        "encoding": _("not in UTF-8"),
        "binary": _("with a NUL byte, which no text has"),
        "duplicate": _("given earlier"),
    }
    dropped = {reasons[reason]: lines for reason, lines in checked.report.dropped.items()}
    if problems := sorted((line, reason) for reason, lines in dropped.items() for line in lines):
        left_out = ngettext("{count:,} row is left out", "{count:,} rows are left out", len(problems))
        counts = ", ".join(f"{reason}: {len(lines):,}" for reason, lines in dropped.items())
        with st.expander(f"{left_out.format(count=len(problems))} ({counts})"):
            table = pd.DataFrame(problems[:SHOWN], columns=[_("line"), _("why")])
            st.dataframe(table, hide_index=True, height="content")


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
