"""A file of sentence pairs that a person gives to a page: the box for it, its rows, and why it is refused."""

import tempfile
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from nmtcore.errors import DataError
from nmtcore.limits import FILE_MEGABYTES, check_file
from nmtcore.training.corpus import Pair, ReadReport, read_pairs
from pages.common.form import held, hold
from pages.common.i18n import _
from pages.common.shared import kept


class GivenFile(NamedTuple):
    """A file that a person has given, kept while its box is not drawn; its name is empty if there is none."""

    name: str = ""
    content: bytes = b""


def ask_for_file(box: str, kept_as: str) -> GivenFile:
    """The box for a file, and the file last given there. box: key of the widget; kept_as: key in the session."""
    st.file_uploader(
        _("A file of pairs, TSV, at most {most} MB").format(most=FILE_MEGABYTES),
        type=["tsv", "txt"],
        key=box,
        on_change=_keep,
        args=(box, kept_as),
        max_upload_size=FILE_MEGABYTES,
    )
    return given_file(kept_as)


def given_file(kept_as: str) -> GivenFile:
    """The file given last."""
    return held(kept_as, GivenFile()) or GivenFile()


def _keep(box: str, kept_as: str) -> None:
    """Keep the file: Streamlit forgets it when its widget is not drawn, as elsewhere. Removed by hand, it goes."""
    file = held(box)
    hold(kept_as, GivenFile(file.name, file.getvalue()) if file is not None else GivenFile())


@kept(20)
def read_content(content: bytes) -> tuple[tuple[Pair, ...], ReadReport]:
    """The pairs of a file or of pasted text, and the rows left out.

    Raises DataError, with a sentence for the person, if no row can be used.
    """
    if not content.strip():
        raise DataError(_("It is empty: give rows of a sentence, a tab and its translation."))
    check_file(content, _)  # the box limits the size, but a browser need not obey
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise DataError(_("The file is in UTF-16: save it again as UTF-8."))
    if content[:2] in (b"\x1f\x8b", b"PK") or content[:3] in (b"BZh", b"\xfd7z"):
        raise DataError(_("The file is compressed: unpack it and give the text itself."))
    if b"\0" in content[:4096]:
        raise DataError(
            _(
                "This has NUL bytes, which no text file has: give rows of a sentence, a tab and its translation, in "
                "UTF-8."
            )
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.tsv"
        path.write_bytes(content)
        try:
            pairs, report = read_pairs(path)
        except DataError as error:
            raise DataError(str(error).replace(f"{path} ", _("The data ")).replace(str(path), "")) from error
    return tuple(pairs), report
