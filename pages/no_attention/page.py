"""No attention: the one vector that a sentence must go through, and what is left of the sentence behind it."""

from __future__ import annotations

import streamlit as st

from nmtcore.config import DecodingConfig
from nmtcore.errors import CheckpointError, NmtError
from pages.common import models
from pages.common.bottleneck import bottleneck
from pages.common.controls import show_notes
from pages.common.footer import page_footer
from pages.common.i18n import _, languages
from pages.common.link_checks import checked_question
from pages.common.text import clean
from pages.no_attention.context_vector import word_losses
from pages.no_attention.length_effect import lengthening, scores_by_length

st.title(_("Can one vector hold a sentence?"), anchor=False)
st.markdown(
    _("Before attention, the decoder got one vector C, made from the encoder's states, and never saw the sentence.")
)

pairs = models.pairs()
if not pairs:
    show_notes(_("There is no model yet. Train one with the command in README.md, or name a folder of models."))
    st.stop()

asked = checked_question(models.choices("none"))
try:
    ready = clean(asked.text, languages(asked.pair)[0])
    show_notes(*ready.notes)
    try:
        model = asked.model("none")
        trace = models.translate(model, ready.text, DecodingConfig(asked.beam))
        bottleneck(trace, models.load(model).config, key="bottleneck")
        word_losses(asked, ready.text)
    except CheckpointError as error:
        st.text(str(error))
    scores_by_length(asked)
    lengthening(asked, ready.text)
except NmtError as error:
    st.text(str(error))

page_footer(
    "no_attention",
    _(
        "Without attention, should the encoder read the sentence forwards or backwards? Sutskever et al. (2014) fed it "
        "the source in reverse and went from 25.9 to 30.6 BLEU. Why?"
    ),
    _(
        "The first words of the translation are mostly made from the first words of the source. Read in reverse, these "
        "come last, and nothing has been written over them when C is taken. The average distance stays the same, but "
        "the decoder gets off to a good start. This model reads both ways: what C forgets first is the middle."
    ),
)
