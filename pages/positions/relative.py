"""Relative positions: what each head adds to a score for the distance alone, where such a model is on the shelf."""

from __future__ import annotations

import streamlit as st

from nmtcore.analysis.relative_bias import relative_bias
from nmtcore.config import DecodingConfig
from nmtcore.figures.relative_bias import bias_by_distance, bias_table
from pages.common import models
from pages.common.figure import figure
from pages.common.i18n import _


def relative_positions(choice: str, sentence: str, decoding: DecodingConfig) -> None:
    """The curves of every layer for this sentence; nothing without a relative model."""
    model = models.every(choice).get("relative")
    if model is None:
        return
    table = bias_table(relative_bias(models.load(model), models.translate(model, sentence, decoding)))
    limit = float(table["mean"].abs().max())
    st.header(_("What does a head add for the distance alone?"), anchor=False)
    st.markdown(
        _(
            "The relative Transformer adds nothing to its words. Each layer learned a vector for every distance up to "
            "{farthest}, which all its heads share; a query turns it into more or less score. A curve is one head, its "
            "mean over the words of this sentence."
        ).format(farthest=int(table["distance"].max()))
    )
    st.latex(r"score_{ij}=q_i\cdot(k_j+a_{j-i})/\sqrt{d_k}")
    columns = st.columns(2, gap="medium")
    for number, layer in enumerate(table["layer"].unique()):
        with columns[number % 2]:
            figure(
                bias_by_distance(table, int(layer), limit, _("distance j − i"), _("added to the score"), _("head")),
                key=f"relative-{layer}",
                title=_("Added to the scores by distance, encoder layer {layer}: {sentence}").format(
                    layer=layer, sentence=sentence
                ),
                table=table[table["layer"] == layer],
            )
