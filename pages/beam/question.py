"""The question row of the Beam search page: sentence, pair, model and width."""

from __future__ import annotations

from typing import Any

import streamlit as st

from nmtcore.config import DecodingConfig
from pages.beam import contrasts
from pages.beam.state import BeamState, SearchQuestion
from pages.common import models
from pages.common.address import control
from pages.common.controls import beam_slider, choice_box, example_links, sentence_box
from pages.common.examples import Example
from pages.common.i18n import _, title


def search_question(state: BeamState, question: SearchQuestion) -> None:
    """The row of controls: sentence, pair, model, width; below it the examples and the link to copy."""
    with st.container(key="question", horizontal=True, vertical_alignment="bottom", gap="small"):
        sentence_box(state, question)
        choice_box(state, question, 190)
        st.selectbox(
            _("Model"),
            question.architectures,
            format_func=title,
            label_visibility="collapsed",
            width=150,
            **control(state, "model_code", value=question.architecture),
        )
        beam_slider(state, question, _("Width {width}"), 120)
    model = models.word_by_word(question.choice).get(question.architecture, "")

    def ask(example: Example) -> dict[str, Any]:
        """An example is asked with the penalties at which it shows its point."""
        alpha = contrasts.alpha_of(model, example.text)
        return {"typed": example.text, "alpha": alpha, "beta": DecodingConfig.beta, "truth": ""}

    example_links(state, question, ask)
