"""Relative positions: what each head adds to a score for the distance alone, if there is such a model."""

from collections.abc import Mapping
from functools import partial

import pandas as pd
import streamlit as st

from nmtcore.analysis.relative_bias import recompute_bias
from nmtcore.config import Architecture, DecodingConfig
from nmtcore.figures.length import by_length_table, quality_by_length
from nmtcore.figures.relative_bias import bias_by_distance, bias_table
from pages.common import models
from pages.common.figure import draw_figure
from pages.common.i18n import _, title
from pages.common.question import Question
from pages.common.training_data import training_data_note

COLUMNS = 3


def relative_positions(model: str, question: Question, decoding: DecodingConfig) -> None:
    """The curves of every layer for this sentence, and their effect on long ones."""
    (trace,) = models.ask([models.request(model, question.source, decoding)])
    table = bias_table(recompute_bias(models.load(model), trace))
    limit = float(table["mean"].abs().max())
    st.header(_("What does a head add for the distance alone?"), anchor=False)
    st.markdown(
        _(
            "The relative Transformer adds nothing to its words. Each layer learned a vector for every distance up to "
            "{distance}, which all its heads share; a query turns it into a higher or lower score. Each curve is one "
            "head, averaged over the words of this sentence."
        ).format(distance=int(table["distance"].max()))
    )
    st.latex(r"score_{ij}=q_i\cdot(k_j+a_{j-i})/\sqrt{d_k}")
    for number, layer in enumerate(table["layer"].unique()):
        if number % COLUMNS == 0:
            columns = st.columns(COLUMNS, gap="medium")  # one row for every three: on a phone they keep their order
        with columns[number % COLUMNS]:
            st.markdown(_("**Encoder layer {layer}**").format(layer=layer))
            draw_figure(
                partial(
                    bias_by_distance, table, int(layer), limit, _("distance j − i"), _("added to the score"), _("head")
                ),
                key=f"relative-{layer}",
                title=_("Added to the scores by distance, encoder layer {layer}: {sentence}").format(
                    layer=layer, sentence=question.source.text
                ),
                table=table[table["layer"] == layer],
            )
    _longer_sentences(question.choice)


def _longer_sentences(choice: str) -> None:
    """BLEU by length beside the shipped Transformer's, if both cards have it."""
    names: dict[Architecture, str] = {name: title(name) for name in ("transformer", "relative")}
    ids = {name: models.model(choice, name) for name in names}
    scores = {name: models.load(id).meta.get("by_length") for name, id in ids.items()}
    if not all(scores.values()):
        return
    table = by_length_table({name: parts for name, parts in scores.items() if parts}, "bleu")
    st.header(_("Which of them holds up on long sentences?"), anchor=False)
    drawing, words = st.columns([5, 2], gap="medium")
    across = _("words of the source")
    with drawing:
        draw_figure(
            partial(quality_by_length, table, names, across, "BLEU", height=280),
            key="relative-by-length",
            title=_("BLEU on the test split by length of the source, {models}").format(
                models=", ".join(names.values())
            ),
            table=table,
        )
    with words:
        st.markdown(_longest(table, names))
        st.markdown(
            _("From the models' cards. The long sentences are mostly joined from short ones. Bands are 95% intervals.")
        )
        if difference := training_data_note(ids.values()):
            st.markdown(difference)


def _longest(table: pd.DataFrame, names: Mapping[Architecture, str]) -> str:
    """The result on the longest sentences that both were tested on."""
    last = table[table["place"] == table.groupby("architecture")["place"].max().min()].set_index("architecture")
    more, less = last.loc["relative"], last.loc["transformer"]
    values = {"length": more["length"], "relative": names["relative"], "other": names["transformer"]}
    values |= {"more": f"{more['value']:.1f}", "less": f"{less['value']:.1f}"}
    apart = more["low"] > less["high"] or less["low"] > more["high"]
    says = (
        _("On sentences of {length} words {relative} has BLEU {more} and {other} {less}: their intervals are apart.")
        if apart
        else _("On sentences of {length} words {relative} has BLEU {more} and {other} {less}: their intervals overlap.")
    )
    return says.format(**values)
