"""Positional encodings: the table as curves and as a matrix, with what it is added to; a rotation; by distance."""

from functools import partial

import pandas as pd
import streamlit as st

from nmtcore.analysis.positional_encodings import PositionTable
from nmtcore.decoding.trace import Array
from nmtcore.figures import positions
from nmtcore.models.sinusoidal_frequencies import wavelength
from nmtcore.text.words import sentence_names
from nmtcore.views.rotation.data import data, limits
from pages.common.component import Slice, mount
from pages.common.controls import show_notes
from pages.common.figure import draw_figure, theme_colors
from pages.common.i18n import _
from pages.common.neighbors import neighbors_links
from pages.common.piece_choice import PickedPiece
from pages.common.question import Question
from pages.common.result import number_text
from pages.positions.state import TURN, PositionsState

LEAST = 32  # drawn positions, or as many as the sentence has
MAX_DISTANCE = 32  # distance k
PAIRS = (0, 8, 24, 48)  # drawn as curves, from fast to slow


def positional_encodings(table: PositionTable, tokens: tuple[str, ...]) -> None:
    """The model's table of positions, as curves and as a matrix."""
    own = _drawn(table, tokens)
    N, D = own.shape
    beside = table.config.concatenate_positions
    asks = _("What is put beside each word?") if beside else _("What is added to each word?")
    st.header(asks, anchor=False)
    if table.config.positions != "sinusoidal":
        st.text(
            _(
                "This model learned its positions: the matrix and the dot products are its own, the waves are "
                "for comparison."
            )
            if table.config.positions == "learned"
            else _("This model has no positions: these are the sinusoids that it could have had.")
        )
    drawing, words = st.columns([5, 2], gap="medium")
    pairs = [pair for pair in PAIRS if pair < D // 2]
    with drawing:
        draw_figure(
            partial(
                positions.curves, table.sinusoids[:N], pairs, tokens, _("position"), _("dimensions"), theme_colors().ink
            ),
            key="curves",
            title=_("Positional encodings by dimension, {D} dimensions").format(D=D),
            table=positions.curve_table(table.sinusoids[:N], pairs),
        )
    with words:
        st.markdown(_("Each dimension is a wave over the positions; each position is one point on every wave."))
        st.latex(
            r"\small\begin{aligned}PE(pos,2i)&=\sin(pos\,\omega_i)\\PE(pos,2i{+}1)&=\cos(pos\,\omega_i)\end{aligned}"
        )
        st.latex(rf"\small\omega_i=10000^{{-2i/{D}}}")
        st.markdown(_("Solid: sine. Dashed: cosine. Click the legend to see one pair alone."))
    drawing, words = st.columns([5, 2], gap="medium")
    limit = 1.0 if table.config.positions == "sinusoidal" else float(abs(own).max())
    with drawing:
        draw_figure(
            partial(
                positions.matrix,
                *(own, tokens, limit, _("dimension"), _("position"), theme_colors().neutral, theme_colors().ink),
            ),
            key="matrix",
            title=_("The positional encodings of {N} positions in {D} dimensions").format(N=N, D=D),
            table=pd.DataFrame(own).rename_axis("position").reset_index(),
        )
    with words:
        whole = _("The whole table, one row a position, from −{limit:.2g} red to {limit:.2g} blue.").format(limit=limit)
        if table.config.positions == "sinusoidal":
            slow = _(
                "Fast waves are on the left; on the right they are so slow that the words of one sentence hardly "
                "differ."
            )
            whole = f"{whole} {slow}"
        st.markdown(whole)
        word, place = (r"\sqrt{d}\,e(x_{pos})" if table.config.scale_embedding else "e(x_{pos})"), "PE(pos)"
        st.latex(f"h_{{pos}}=[{word};\\,{place}]\\,W" if beside else f"h_{{pos}}={word}+{place}")


def piece_vectors(question: Question, model: str, tokens: tuple[str, ...]) -> None:
    """The embeddings that the encodings are added to: one link per piece, to its nearest pieces."""
    st.markdown(
        _(
            "The other part is the piece itself: $e(x_{pos})$ is its row of the embedding table. Pick a piece to see "
            "which others are nearest to it, on the page about the Transformer."
        )
    )
    names = {PickedPiece("source", i).code: name for i, name in enumerate(sentence_names(tokens))}
    neighbors_links(question, model, names, key="position pieces")


def positions_as_rotation(state: PositionsState, table: PositionTable, tokens: tuple[str, ...]) -> None:
    """What a position says about the others: the encodings as a rotation, and by distance."""
    own = _drawn(table, tokens)
    N, D = own.shape
    st.header(_("How can it look a few words ahead?"), anchor=False)
    title = _("Positional encodings as a turn, {D} dimensions").format(D=D)
    sinusoids = table.sinusoids[: N + MAX_DISTANCE]
    record = partial(data, sinusoids, tokens, MAX_DISTANCE, title=title)
    show_notes(*state.beyond(limits(N, D, MAX_DISTANCE)))
    mount("rotation", record, key="turn", state=Slice(state, TURN))
    distances(own, tokens, learned=table.config.positions == "learned")


def _drawn(table: PositionTable, tokens: tuple[str, ...]) -> Array:
    """The drawn encodings, (N, D): the sentence's and a few more."""
    return (table.sinusoids if table.own is None else table.own)[: max(LEAST, len(tokens))]


def distances(table: Array, tokens: tuple[str, ...], learned: bool) -> None:
    """Consequences of the rotation, and how slow the waves get."""
    D = table.shape[1]
    left, right = st.columns(2, gap="medium")
    dots = positions.dot_table(table)
    with left:
        st.header(_("Are nearby positions alike?"), anchor=False)
        draw_figure(
            partial(positions.dot_by_distance, dots, _("distance k")),
            key="dots",
            title=_("Dot product of two positions by their distance, {D} dimensions").format(D=D),
            table=dots,
        )
        spread = number_text(float((dots["high"] - dots["low"]).max()))
        if learned:
            st.latex(r"PE(p)\cdot PE(p{+}k)")
            says = _("Distance is not all that counts: at the same distance, products differ by up to {spread}.")
        else:
            st.latex(r"PE(p)\cdot PE(p{+}k)=\textstyle\sum_i\cos k\,\omega_i")
            says = _("Only distance counts: at the same distance, products differ by at most {spread}.")
        st.markdown(says.format(spread=spread))
    with right:
        st.header(_("How long are the waves?"), anchor=False)
        lengths = [wavelength(i, D) for i in range(D // 2)]
        draw_figure(
            partial(positions.wavelengths, D, len(tokens), _("pair i"), _("wavelength in positions")),
            key="wavelengths",
            title=_("Wavelength of every pair, {D} dimensions").format(D=D),
            table=pd.DataFrame({"pair": range(D // 2), "wavelength": lengths}),
        )
        st.latex(rf"\lambda_i=2\pi\cdot10000^{{2i/{D}}}")
        st.markdown(_("The dashed line is the length of this sentence: {count} pieces.").format(count=len(tokens)))
