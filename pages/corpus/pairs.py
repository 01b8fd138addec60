"""The pairs that are listed: a file that a person gives, or some of our own sentences."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from nmtcore.errors import DataError
from nmtcore.places import pretrained_folder
from nmtcore.training.corpus import Pair, read_pairs
from pages.common.controls import show_notes
from pages.common.form import held, hold
from pages.common.i18n import _

FILE = "corpus file kept"  # in the session: name and content, while its widget is not drawn
MOST = 10_000  # pairs
MOST_BYTES = 5_000_000  # of a file
OWN = 200  # sentences of our own, evenly from the whole file


def ask_for_pairs(pair: str) -> tuple[Pair, ...]:
    """The box for a file; its pairs, or our own where none is given."""
    st.file_uploader(
        _("A file of pairs, TSV, at most 5 MB"),
        type=["tsv", "txt"],
        key="corpus file",
        on_change=_keep_file,
        max_upload_size=5,
    )
    name, content = held(FILE, ("", b""))
    if not name:
        own = own_sentences(pair)
        if own:
            st.caption(_("Until a file is given: {count} sentences of our own.").format(count=len(own)))
        return own
    try:
        pairs, report = _read(content)
    except DataError as error:
        show_notes(str(error))
        return ()
    show_notes(*report)
    if len(pairs) > MOST:
        show_notes(_("The first {most} pairs are taken.").format(most=f"{MOST:,}"))
    return tuple(pairs[:MOST])


def given() -> str:
    """The name of the file that was given; empty where there is none."""
    name: str = held(FILE, ("", b""))[0]
    return name


def _keep_file() -> None:
    file = held("corpus file")
    hold(FILE, (file.name, file.getvalue()) if file is not None else ("", b""))


@st.cache_data(max_entries=20, show_spinner=False)
def _read(content: bytes) -> tuple[Sequence[Pair], list[str]]:
    if len(content) > MOST_BYTES:  # the box says so too, which a browser need not heed
        raise DataError(_("This is more than 5 MB: give fewer rows."))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.tsv"
        path.write_bytes(content)
        try:
            pairs, report = read_pairs(path)
        except DataError as error:
            raise DataError(str(error).replace(f"{path} ", _("The file "))) from error
    return [Pair(*pair) for pair in pairs], report.lines()


@st.cache_data(max_entries=8, show_spinner=False)
def own_sentences(pair: str) -> tuple[Pair, ...]:
    """Some of our own sentences of a pair, whose rows are a topic, a sentence and its translation."""
    path = pretrained_folder() / "corpus" / f"{pair}.tsv"
    if not path.is_file():
        return ()
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    pairs = [Pair(*row[1:3]) for row in rows if len(row) == 3]
    return tuple(dict.fromkeys(pairs[:: max(1, len(pairs) // OWN)]))[:OWN]
