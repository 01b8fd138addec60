"""Dot attention: the same six steps with a plain product, and what scaling does to the softmax."""

import streamlit as st

from pages.attention.general_score import draw_general_score
from pages.attention.lookup import draw_soft_dictionary
from pages.attention.score_comparison import comparison_record
from pages.attention.state import DotState
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
    _("Is a plain product enough to know where to look?"),
    _("The dot score has no parameters of its own: the decoder's state is multiplied by every encoder state."),
    DotState,
)
shown = decode_walkthrough(page)
draw_walkthrough(shown, comparison_record(shown))
st.markdown(asks_like(shown.config))
draw_soft_dictionary(shown, gradient=False)
draw_general_score(page)
word_vectors(page.state, page.model, page.trace)
offer_projection("dot", KEY, sentence=page.source.text)
guided_tour(tour_steps(shown))
page_footer(
    "dot",
    _("A dot product needs the query and the state to have the same number of components. What else does it need?"),
    _(
        "The components must mean the same on both sides: the third component of s is only ever multiplied by the "
        "third of h. Nothing in the score can turn one into the other, so encoder and decoder must learn a common "
        "code. The additive score has a network that can translate between two codes; Luong's *general* score, s W h, "
        "buys that freedom with one matrix."
    ),
)
