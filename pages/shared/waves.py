"""The Positions page's second half: the table of positions as curves, as a matrix, as a turn, and by distance."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nmtcore.figures import positions
from nmtcore.probe import PositionTable
from nmtcore.trace import Array
from pages.shared.figure import figure, look
from pages.shared.result import number_text
from pages.shared.sliders import slider
from pages.shared.words import _

LEAST = 32  # positions that are drawn, or as many as the sentence has
FARTHEST = 32  # distance k
BESIDE = (0, 4, 12, 24, 48)  # pairs drawn beside the chosen one
OPENS = 8  # the pair that the page opens with


@st.fragment
def waves(table: PositionTable, tokens: tuple[str, ...]) -> None:
    """The table that the model adds to its embeddings: as curves, as a matrix, as a turn, and by distance."""
    own = (table.waves if table.own is None else table.own)[: max(LEAST, len(tokens))]
    N, D = own.shape
    st.header(_("What is added to each word?"), anchor=False)
    if table.kind != "sinusoidal":
        st.text(
            _(
                "This model learned its positions: the matrix and the dot products are its own, the waves are "
                "for comparison."
            )
            if table.kind == "learned"
            else _("This model has no positions: what follows are the sinusoids that it could have had.")
        )
    last = D // 2 - 1
    pair = slider(st.columns(3, gap="medium")[0], _("Pair i: dimensions 2i and 2i + 1"), 0, last, OPENS, "i")
    drawing, words = st.columns([5, 2], gap="medium")
    pairs = sorted({pair, *(i for i in BESIDE if i <= last)})
    with drawing:
        figure(
            positions.curves(table.waves[:N], pairs, pair, tokens, _("position"), _("dimensions"), look().ink),
            key="curves",
            title=_("Positional encodings by dimension, pair {i} of {D} dimensions").format(i=pair, D=D),
            table=positions.curve_table(table.waves[:N], pairs),
        )
    with words:
        st.markdown(_("Each dimension is a wave over the positions; each position is one point on every wave."))
        st.latex(
            r"\small\begin{aligned}PE(pos,2i)&=\sin(pos\,\omega_i)\\PE(pos,2i{+}1)&=\cos(pos\,\omega_i)\end{aligned}"
        )
        st.latex(rf"\small\omega_{{{pair}}}=10000^{{-{2 * pair}/{D}}}={positions.rate(pair, D):.4g}")
        st.markdown(_("Solid: sine. Dashed: cosine. A click in the legend keeps one pair alone."))
    drawing, words = st.columns([5, 2], gap="medium")
    limit = 1.0 if table.kind == "sinusoidal" else float(abs(own).max())
    with drawing:
        figure(
            positions.matrix(own, pair, tokens, limit, look().neutral, look().ink, _("dimension"), _("position")),
            key="matrix",
            title=_("The positional encodings of {N} positions in {D} dimensions").format(N=N, D=D),
            table=pd.DataFrame(own).rename_axis("position").reset_index(),
        )
    with words:
        st.markdown(
            _(
                "The whole table, a row a position, from −{limit:.2g} red to {limit:.2g} blue. Fast waves are on the "
                "left; on the right they are so slow that the words of one sentence hardly differ."
            ).format(limit=limit)
        )
        st.latex(r"x_{pos}=\sqrt{d}\,e(y_{pos})+PE(pos)")
    turned(table.waves, tokens, pair, N)
    distances(own, tokens, pair)


@st.fragment
def turned(table: Array, tokens: tuple[str, ...], pair: int, count: int) -> None:
    """The rotation that takes a position, one of `count`, to one k further on, with its numbers.

    A fragment in the fragment: its two sliders redraw this figure and leave the others alone.
    """
    D = table.shape[1]
    st.header(_("How can it look a few words ahead?"), anchor=False)
    first, second, __ = st.columns(3, gap="medium")
    position = slider(first, _("Position p"), 0, count - 1, 2, "position")
    k = slider(second, _("Distance k"), 1, FARTHEST, 3, "k")
    drawing, words = st.columns([1, 1], gap="medium")
    both = table[:, 2 * pair : 2 * pair + 2]
    with drawing:
        figure(
            positions.circle(table, pair, position, k, tokens, look().ink),
            key="circle",
            title=_("Pair {i}: position {p} turns to position {q}").format(i=pair, p=position, q=position + k),
            table=pd.DataFrame(both, columns=["sin", "cos"]).rename_axis("position").reset_index(),
            width="content",
        )
    with words:
        st.markdown(
            _(
                "Pair {i} puts each position on a circle. To go {k} further is to turn by kω = {angle}, wherever one "
                "starts: one matrix for k, which a model can learn."
            ).format(i=pair, k=k, angle=f"{k * positions.rate(pair, D):.3f}")
        )
        st.latex(
            r"\small\begin{pmatrix}\cos k\omega&\sin k\omega\\-\sin k\omega&\cos k\omega\end{pmatrix}"
            r"\begin{pmatrix}\sin p\,\omega\\\cos p\,\omega\end{pmatrix}="
            r"\begin{pmatrix}\sin(p{+}k)\omega\\\cos(p{+}k)\omega\end{pmatrix}"
        )
        columns = (positions.rotation(pair, k, D), both[position][:, None], both[position + k][:, None])
        st.latex(r"\small{}{}={}".format(*map(latex_matrix, columns)))
        error = number_text(positions.rotation_error(table, pair, k))
        st.markdown(_("Over all positions drawn here, both sides differ by at most {error}.").format(error=error))


def distances(table: Array, tokens: tuple[str, ...], pair: int) -> None:
    """What follows from the rotation, and how slow the waves get."""
    D = table.shape[1]
    left, right = st.columns(2, gap="medium")
    dots = positions.dot_table(table)
    with left:
        st.header(_("Are near positions alike?"), anchor=False)
        figure(
            positions.dot_by_distance(dots, _("distance k")),
            key="dots",
            title=_("Dot product of two positions by their distance, {D} dimensions").format(D=D),
            table=dots,
        )
        st.latex(r"PE(p)\cdot PE(p{+}k)=\textstyle\sum_i\cos k\,\omega_i")
        spread = number_text(float((dots["high"] - dots["low"]).max()))
        st.markdown(_("Only the distance counts: over all p, the largest spread is {spread}.").format(spread=spread))
    with right:
        st.header(_("How long are the waves?"), anchor=False)
        lengths = [positions.wavelength(i, D) for i in range(D // 2)]
        figure(
            positions.wavelengths(D, pair, len(tokens), _("pair i"), _("wavelength in positions")),
            key="wavelengths",
            title=_("Wavelength of every pair, {D} dimensions").format(D=D),
            table=pd.DataFrame({"pair": range(D // 2), "wavelength": lengths}),
        )
        st.latex(rf"\lambda_{{{pair}}}=2\pi\cdot10000^{{{2 * pair}/{D}}}={lengths[pair]:,.1f}".replace(",", "{,}"))
        st.markdown(_("The dashed line is the length of this sentence: {count} pieces.").format(count=len(tokens)))


def latex_matrix(values: Array) -> str:
    rows = r"\\".join("&".join(f"{value:.3f}" for value in row) for row in values)
    return rf"\begin{{pmatrix}}{rows}\end{{pmatrix}}"
