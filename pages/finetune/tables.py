"""A small table whose texts wrap, so that every column is visible however long the texts are."""

import html
from collections.abc import Sequence

import streamlit as st

STYLE = "border-collapse: collapse; width: 100%; font-size: 0.9rem"
CELL = (
    "padding: 0.3rem 0.9rem 0.3rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; "
    "border-bottom: 1px solid color-mix(in srgb, currentColor 18%, transparent)"
)


def text_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Draw the table. Every text is escaped: pasted text must not become markup."""
    heads = "".join(f'<th style="{CELL}; font-weight: 400; opacity: 0.75">{html.escape(name)}</th>' for name in columns)
    lines = ("".join(f'<td style="{CELL}">{html.escape(text)}</td>' for text in row) for row in rows)
    st.html(f'<table style="{STYLE}"><tr>{heads}</tr>{"".join(f"<tr>{line}</tr>" for line in lines)}</table>')
