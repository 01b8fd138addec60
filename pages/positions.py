"""Positions: what tells a Transformer the order of the words, and what is left without it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nmtcore import probe
from nmtcore.config import DecodingConfig
from nmtcore.errors import NmtError
from nmtcore.figures import context, positions
from nmtcore.figures.heatmap import token_name
from nmtcore.figures.palette import ARCHITECTURE
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.probe import Permuted, PositionTable
from nmtcore.trace import Array
from pages.shared import models, probes
from pages.shared.controls import question, say
from pages.shared.figure import figure, look
from pages.shared.lesson import lesson
from pages.shared.result import log_p, result
from pages.shared.sliders import slider
from pages.shared.text import clean
from pages.shared.words import _, languages

SHUFFLES = 5
LEAST = 32  # positions that are drawn, or as many as the sentence has
FARTHEST = 32  # distance k
BESIDE = (0, 4, 12, 24, 48)  # pairs drawn beside the chosen one
OPENS = 8  # the pair that the page opens with
DROPPED = Intervention(positions="dropped")


@st.fragment
def broken(model: str, sentence: str, decoding: DecodingConfig) -> None:
    """Four runs of the live model: words in order and shuffled, positions kept and removed."""
    seed = st.segmented_control(
        _("Shuffle the words"), range(1, SHUFFLES + 1), default=1, required=True, key="shuffle", bind="query-params"
    )
    ordinary = models.translate(model, sentence, decoding)
    order = probe.shuffle(len(ordinary.source) - 1, seed)
    left, right = st.columns(2, gap="medium")
    left.text(" ".join(map(token_name, ordinary.source[:-1])))
    right.text(" ".join(token_name(ordinary.source[i]) for i in order))
    compared = []
    for number, change in enumerate((NO_CHANGE, DROPPED)):
        kept = models.translate(model, sentence, decoding, change)
        moved = probes.reordered(model, sentence, order, decoding, change)
        names = [
            (_("In order, with positions"), _("Shuffled, with positions")),
            (_("In order, positions removed"), _("Shuffled, positions removed")),
        ][number]
        for column, name, trace in zip(st.columns(2, gap="medium"), names, (kept, moved), strict=True):
            same = [_("the same, word for word")] if trace is moved and moved.text == kept.text else []
            with column:
                result(name, "transformer", trace.text, log_p(trace.log_probability), *same)
        compared.append(probe.permuted(kept, moved, order))
    outputs(sentence, *compared)


def outputs(sentence: str, kept: Permuted, removed: Permuted) -> None:
    """How far the encoder's outputs move when the words are shuffled, with positions and without."""
    st.header(_("How far does the encoder's output for each word move?"), anchor=False)
    *columns, words = st.columns([1, 1, 0.8], gap="medium")
    most = max(1.0, float(kept.moved.max()), float(removed.moved.max()))
    names = (_("With positions"), _("Positions removed"))
    for column, name, found in zip(columns, names, (kept, removed), strict=True):
        with column:
            largest = number_text(found.largest)
            st.markdown(_("**{name}**: differences up to **{value}**").format(name=name, value=largest))
            hue, domain = ARCHITECTURE["transformer"], (0, most)
            figure(
                context.bars_by_word(found.tokens, found.moved, hue, domain, "|h′ − h| / |h|", look().ink),
                key="moved-kept" if found is kept else "moved-removed",
                title=_("How far the encoder's outputs move when the words are shuffled. {name}: {sentence}").format(
                    name=name, sentence=sentence
                ),
                table=pd.DataFrame({"piece": found.tokens, "moved": found.moved}),
            )
    with words:
        st.markdown(
            _(
                "The encoder reads the same pieces in another order. Without positions each piece gets the very output "
                "that it had: the outputs are permuted as the words are, up to the rounding of 32-bit numbers."
            )
        )
        st.latex(r"f(\Pi X)=\Pi f(X)")
        st.markdown(_("With positions, each word carries its place, and every output changes."))
        st.latex(r"f(\Pi X{+}PE)\neq\Pi f(X{+}PE)")


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
    first, second, third = st.columns(3, gap="medium")
    last = D // 2 - 1
    pair = slider(first, _("Pair i: dimensions 2i and 2i + 1"), 0, last, OPENS, "i")
    position = slider(second, _("Position p"), 0, N - 1, 2, "position")
    k = slider(third, _("Distance k"), 1, FARTHEST, 3, "k")
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
    turned(table.waves, tokens, pair, position, k)
    distances(own, tokens, pair)


def turned(table: Array, tokens: tuple[str, ...], pair: int, position: int, k: int) -> None:
    """The rotation that takes a position to one k further on, with its numbers."""
    D = table.shape[1]
    st.header(_("How can it look a few words ahead?"), anchor=False)
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


def number_text(value: float) -> str:
    """A small number as people write it: 2.31, 0.0000012."""
    return f"{value:.2f}" if value >= 0.01 or value == 0 else f"{value:.8f}".rstrip("0")


def latex_matrix(values: Array) -> str:
    rows = r"\\".join("&".join(f"{value:.3f}" for value in row) for row in values)
    return rf"\begin{{pmatrix}}{rows}\end{{pmatrix}}"


st.title(_("How does it know the order of the words?"), anchor=False)
st.markdown(
    _(
        "Attention alone sees a bag of words. A Transformer adds to each word a pattern that says where it stands: "
        "take it away, or shuffle the words, and see what the live model makes of it."
    )
)

pairs = models.pairs()
if not pairs:
    say(_("There is no model yet. Train one with the command in README.md, or name a folder of models."))
    st.stop()

asked = question(pairs)
model = f"{asked.pair}/transformer"
try:
    ready = clean(asked.text, languages(asked.pair)[0])
    say(*ready.notes)
    trace = models.translate(model, ready.text, DecodingConfig(asked.beam))
    broken(model, ready.text, DecodingConfig(asked.beam))
    waves(probes.position_table(model, max(LEAST, len(trace.source)) + FARTHEST), trace.source)
except NmtError as error:
    st.text(str(error))

lesson(
    "positions",
    _("Shuffle the words and remove the positions: why does the model still write the very same translation?"),
    _(
        "Self-attention compares every word with every other, wherever they stand: shuffling the words shuffles the "
        "outputs and changes none of them. The decoder looks at these outputs by what they hold, not by where they "
        "are, so nothing has changed for it. Without positions the sentence was a bag of words already."
    ),
)
