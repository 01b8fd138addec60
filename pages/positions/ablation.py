"""Position ablation: the live Transformer without positions, and with its words shuffled."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nmtcore.analysis.position_ablation import PermutedStates, compare_states, random_order
from nmtcore.config import DecodingConfig
from nmtcore.figures import context
from nmtcore.figures.palette import ARCHITECTURE
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.text.words import token_name
from pages.common import models, probes
from pages.common.controls import show_notes
from pages.common.figure import figure, look
from pages.common.i18n import _
from pages.common.link_parameters import SHUFFLE
from pages.common.result import cut, log_p, number_text, translation_line

DROPPED = Intervention(positions="dropped")


@st.fragment
def position_ablation(model: str, sentence: str, decoding: DecodingConfig) -> None:
    """Four runs of the live model: words in order and shuffled, positions kept and removed."""
    show_notes(*SHUFFLE.note())
    seed = st.segmented_control(
        _("Shuffle the pieces"),
        range(SHUFFLE.low, SHUFFLE.high + 1),
        default=SHUFFLE.default,
        required=True,
        key=SHUFFLE.name,
        bind="query-params",
    )
    ordinary = models.translate(model, sentence, decoding)
    order = random_order(len(ordinary.source) - 1, seed)
    left, right = st.columns(2, gap="medium")
    left.text(" ".join(map(token_name, ordinary.source[:-1])))
    right.text(" ".join(token_name(ordinary.source[i]) for i in order))
    compared = []
    for number, change in enumerate((NO_CHANGE, DROPPED)):
        kept = models.translate(model, sentence, decoding, change)
        moved = probes.reordered(model, sentence, order, decoding, change)
        names = [
            (_("In order, with positions"), _("Shuffled, with positions")),
            (_("In order, positions of the source removed"), _("Shuffled, positions of the source removed")),
        ][number]
        for column, name, trace in zip(st.columns(2, gap="medium"), names, (kept, moved), strict=True):
            same = [_("the same, word for word")] if trace is moved and moved.text == kept.text else []
            with column:
                translation_line(name, "transformer", trace.text, log_p(trace.log_probability), *same, *cut(trace))
        compared.append(compare_states(kept, moved, order))
    encoder_output_shift(sentence, *compared)


def encoder_output_shift(sentence: str, kept: PermutedStates, removed: PermutedStates) -> None:
    """How far the encoder's outputs move when the words are shuffled, with positions and without."""
    st.header(_("How far does the encoder's output for each word move?"), anchor=False)
    *columns, words = st.columns([1, 1, 0.8], gap="medium")
    most = max(1.0, float(kept.moved.max()), float(removed.moved.max()))
    names = (_("With positions"), _("Positions of the source removed"))
    for column, name, found in zip(columns, names, (kept, removed), strict=True):
        with column:
            largest = number_text(found.largest)
            st.markdown(_("**{name}**: numbers change ≤ **{value}**").format(name=name, value=largest))
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
