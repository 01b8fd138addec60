"""Additive attention: six steps from the encoder's states to the next word, with the model's own numbers."""

import streamlit as st

from pages.attention.lookup import draw_soft_dictionary
from pages.attention.state import AdditiveState
from pages.attention.tour import tour_steps
from pages.attention.walkthrough import KEY, decode_walkthrough, draw_walkthrough
from pages.attention.wording import asks_like
from pages.common.embeddings import word_vectors
from pages.common.footer import page_footer
from pages.common.i18n import _
from pages.common.opening import open_model_page
from pages.common.projection import offer_projection
from pages.common.tour import guided_tour

page = open_model_page(
    _("How does a decoder choose where to look?"),
    _("Before every word, additive attention asks each source state how well it fits. Then try bending it."),
    AdditiveState,
)
shown = decode_walkthrough(page)
draw_walkthrough(shown)
st.markdown(asks_like(shown.config))
draw_soft_dictionary(shown)
word_vectors(page.state, page.model, page.trace)
offer_projection("additive", KEY, sentence=page.source.text)
guided_tour(tour_steps(shown))
page_footer(
    "additive",
    _("If all the weight of one step is put on the wrong word, does the rest of the translation go wrong too?"),
    _(
        "Try it on several words. The word written at that step usually changes, often into a translation of the word "
        "that you pointed at: the context holds nothing else. After that the decoder often recovers, because every "
        "step asks anew. But what is written stays written, and a word that was skipped may never be translated."
    ),
)
