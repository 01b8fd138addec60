"""No attention: the one vector that a sentence must pass through, and what is left of the sentence after it."""

from functools import partial

import streamlit as st

from nmtcore.analysis.gates import recompute_gates
from nmtcore.config import RecurrentConfig
from nmtcore.errors import CheckpointError, NmtError, SettingError
from nmtcore.views.context_vector.data import data
from pages.common import models
from pages.common.component import Slice, mount
from pages.common.controls import show_notes
from pages.common.embeddings import word_vectors
from pages.common.footer import page_footer
from pages.common.i18n import _, title
from pages.common.opening import fewer_sentences, narrowed_beam, open_page
from pages.common.projection import offer_projection
from pages.common.switch import draw_contents, shown_for
from pages.common.tour import guided_tour
from pages.common.vectors import NEIGHBORS
from pages.no_attention.context_vector import word_losses
from pages.no_attention.forgetting import kept_by_place
from pages.no_attention.length_effect import GROWTH, lengthening, scores_by_length
from pages.no_attention.lstm_gates import lstm_gates
from pages.no_attention.state import NoAttentionState
from pages.no_attention.tour import tour_steps

page = open_page(
    _("Can one vector hold a sentence?"),
    _("Before attention, the decoder saw only one vector C, made from the encoder's states."),
    NoAttentionState,
)
draw_contents(
    {"vector": _("One vector"), "words": _("What it knows about each word"), "length": _("What length does")},
    page.state,
)
try:
    try:
        model = page.question.model("none")
        config = models.load(model).config
        assert isinstance(config, RecurrentConfig)
        if config.bidirectional and config.merge != "concat":
            raise SettingError(
                _(
                    "This model adds or averages the two directions of its encoder; the picture of this page is for "
                    "directions that stand side by side. Choose another model."
                )
            )
        (trace,) = models.ask([models.request(model, page.source, page.decoding)])
        show_notes(*narrowed_beam(page.question.beam, trace), *fewer_sentences(trace.source_text, trace.text))
        gates = None if config.cell == "rnn" else recompute_gates(models.load(model), trace)
        record = partial(data, trace, config, model=title("none"), gates=gates)
        fields = {"step": "state_step", **NEIGHBORS}
        with shown_for("section", "vector"):
            mount("context_vector", record, key="bottleneck", state=Slice(page.state, fields, ("vectors",)))
            lstm_gates()
            word_vectors(page.state, model, trace)
        with shown_for("section", "words"):
            word_losses(page.question)
            kept_by_place(page.question.choice, model)
        offer_projection("no_attention", "bottleneck", GROWTH, sentence=page.source.text)
        guided_tour(tour_steps(page, model, trace, config, gates))
    except CheckpointError as error:  # what follows needs the other models too
        st.text(str(error))
    with shown_for("section", "length"):
        scores_by_length(page.state)
        lengthening()
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
        "the decoder gets off to a good start. Where a model reads both ways, each end of the sentence is near one of "
        "the two states that C is made from."
    ),
)
