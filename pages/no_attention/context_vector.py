"""Occlusion of source words: what the output loses without each, through one vector and with attention."""

from functools import partial

import pandas as pd
import streamlit as st

from nmtcore.config import Architecture, DecodingConfig
from nmtcore.figures import word_bars
from nmtcore.figures.palette import HUES
from nmtcore.limits import MAX_OMITTED_WORDS
from nmtcore.text.words import group_pieces
from pages.common import models, probes
from pages.common.figure import draw_figure, theme_colors
from pages.common.i18n import _, title
from pages.common.question import Question
from pages.common.result import log_p, translation_line, unfinished_note

COMPARED: tuple[Architecture, ...] = ("none", "additive")


def word_losses(asked: Question) -> None:
    """Bars of the loss of log P without each source word, for both models."""
    st.header(_("What does the vector still know about each word?"), anchor=False)
    ids = {name: model for name, model in models.available(asked.choice).items() if name in COMPARED}
    decoding = DecodingConfig(asked.beam)
    answers = models.ask([models.request(model, asked.source, decoding) for model in ids.values()])
    traces = dict(zip(ids, answers, strict=True))
    if max(len(group_pieces(trace.source[:-1])) for trace in traces.values()) > MAX_OMITTED_WORDS:
        st.text(
            _("Each word is left out in turn: this is done for sentences of up to {limit} words.").format(
                limit=MAX_OMITTED_WORDS
            )
        )
        return
    probed = {}
    for name, model in ids.items():
        occlusion = probes.occluded(model, asked.source, decoding)
        if occlusion is None:
            st.text(_("This sentence and its translation are too long to leave out each word in turn: shorten it."))
            return
        probed[name] = occlusion
    low = min(0.0, *(float(p.drops.min()) for p in probed.values()))
    high = max(1.0, *(float(p.drops.max()) for p in probed.values()))
    *columns, words = st.columns([*[1] * len(probed), 0.8], gap="medium")
    for column, (name, occlusion) in zip(columns, probed.items(), strict=True):
        with column:
            st.markdown(f"**{title(name)}**")
            draw_figure(
                partial(
                    word_bars.bars_by_word,
                    occlusion.words,
                    occlusion.drops,
                    HUES[name],
                    (low, high),
                    _("loss of log P"),
                    theme_colors().ink,
                ),
                key=f"drops-{name}",
                title=_("{model}, loss of log P without each word: {sentence}").format(
                    model=title(name), sentence=asked.source.text
                ),
                table=pd.DataFrame({"word": occlusion.words, "loss": occlusion.drops}),
            )
            trace = traces[name]
            translation_line(
                _("its translation"), name, trace.text, log_p(float(occlusion.whole.sum())), *unfinished_note(trace)
            )
    with words:
        st.markdown(
            _(
                "Leave one word out and ask the model again how likely its own translation is. A long bar: the "
                "translation depends on this word. No bar: the word might as well not have been there. A bar to the "
                "left of zero: without the word, the same translation is likelier."
            )
        )
        st.latex(r"\log P(y\mid x)-\log P(y\mid x\setminus x_i)")
        st.latex(r"P(y\mid x)=\prod_j P(y_j\mid y_{<j},x)")
