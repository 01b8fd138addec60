"""A translation as a line of the page: the model in its colour, the text, and a remark in quiet type."""

import html
from collections.abc import Iterable, Sequence

import streamlit as st

from nmtcore.config import Architecture
from nmtcore.decoding.trace import Trace
from nmtcore.figures.palette import HUES
from nmtcore.figures.text import signed
from pages.common.i18n import _

CELL = "padding: 0.15rem 1rem 0.15rem 0; vertical-align: baseline"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def translation_line(
    title: str, architecture: Architecture, text: str, *notes: str, parts: Sequence[tuple[str, bool]] = ()
) -> None:
    """Draw the line. All text is shown literally, never as markup; an empty translation is called so.

    parts: pieces of the text, each with whether it is underlined; joined, they are the text.
    """
    note = html.escape(" · ".join(notes))
    shown = underlined(parts or [(text, False)]) or html.escape(_("(nothing)"))
    st.html(
        f'<div style="border-left: 4px solid {HUES[architecture]}; padding: 0.1rem 0 0.1rem 0.7rem">'
        f'<div style="font-size: 0.84rem; font-weight: 650">{html.escape(title)}</div>'
        f'<div style="font-size: 1.08rem; line-height: 1.35; overflow-wrap: anywhere">{shown}</div>'
        f'<div style="font-size: 0.84rem; opacity: 0.7">{note}</div></div>'
    )


def underlined(parts: Iterable[tuple[str, bool]]) -> str:
    """Parts of a text as HTML, escaped; those that are marked are underlined."""
    return "".join(f"<u>{html.escape(part)}</u>" if marked else html.escape(part) for part, marked in parts)


def translations_table(heads: Iterable[str], rows: Iterable[tuple[Iterable[str], str]], numbers: str = "left") -> str:
    """A table of translations with their numbers, as HTML. heads: as plain text, the translation's last.

    rows: the cells of each as HTML, and its style; numbers: the alignment of all cells but the last in a row.
    """

    def row(cells: Iterable[str], style: str) -> str:
        *others, last = cells
        made = [f'<td style="{CELL}; text-align: {numbers}">{cell}</td>' for cell in others]
        return f'<tr style="{style}">{"".join(made)}<td style="{CELL}">{last}</td></tr>'

    head = row(map(html.escape, heads), "opacity: 0.7; font-size: 0.84rem")
    lines = "".join(row(*one) for one in rows)
    return f'<table style="border-collapse: collapse; font-variant-numeric: tabular-nums">{head}{lines}</table>'


def unfinished_note(trace: Trace) -> tuple[str, ...]:
    """The remark on a translation that did not end on its own."""
    return () if trace.finished else (_("stopped at the length limit"),)


def log_p(value: float) -> str:
    """A log-probability as a remark."""
    return _("log P {value}").format(value=signed(value))


def number_text(value: float) -> str:
    """A number as people write it: 2.31, 1.2·10⁻⁶."""
    if value >= 0.01 or value == 0:
        return f"{value:.2f}"
    digits, _e, power = f"{value:.1e}".partition("e")
    return f"{digits}·10{str(int(power)).translate(RAISED)}"
