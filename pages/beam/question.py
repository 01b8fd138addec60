"""The question row of the Beam search page: sentence, pair, model and width."""

from typing import Any

import streamlit as st

from nmtcore.config import DecodingConfig
from pages.beam import contrasts
from pages.beam.state import BeamState, SearchQuestion
from pages.common import models
from pages.common.address import control
from pages.common.controls import question_row
from pages.common.examples import Example
from pages.common.i18n import _, title


def search_question(state: BeamState, question: SearchQuestion) -> None:
    """The row of controls, with the model among the settings."""
    model = models.word_by_word(question.choice).get(question.architecture, "")

    def ask(example: Example) -> dict[str, Any]:
        """Open an example with the penalties at which it makes its point."""
        alpha = contrasts.alpha_of(model, example.text)
        return {"typed": example.text, "alpha": alpha, "beta": DecodingConfig.beta, "truth": ""}

    def model_box() -> None:
        st.selectbox(
            _("Model"),
            question.architectures,
            format_func=title,
            **control(state, "model_code", value=question.architecture),
        )

    question_row(state, question, [title(question.architecture)], model_box, ask)
