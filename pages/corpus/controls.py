"""The controls of the Corpus page: languages and models above, the order and the filters over the table."""

from collections.abc import Mapping

import streamlit as st

from nmtcore.analysis.sentence_scores import SORTS
from nmtcore.config import MAX_BEAM
from pages.common import models
from pages.common.address import control, typed
from pages.common.controls import choice_box
from pages.common.i18n import _
from pages.common.side_by_side import offered
from pages.common.text import not_markdown
from pages.corpus.state import LONGEST, CorpusState
from pages.corpus.table import SORT_NAMES


def said_choice(state: CorpusState, labels: Mapping[str, str], sentences: str) -> str:
    """The choice in words, for the button that opens it: the sentences, the languages and the models."""
    there = offered(state.question.choice)
    names = [models.heading(there[code]) for code in state.models]
    return " · ".join((not_markdown(sentences), labels.get(state.question.choice, state.question.choice), *names))


def draw_choices(state: CorpusState, labels: Mapping[str, str]) -> None:
    """The languages, one model or two, and the beam."""
    there = offered(state.question.choice)
    codes = list(there)
    chosen = [*state.models, "", ""]
    choice_box(state, state.question, labels)
    st.selectbox(
        _("Model"),
        codes,
        format_func=lambda code: models.heading(there[code]),
        **control(state, "first", value=chosen[0]),
    )
    st.selectbox(
        _("Compared with"),
        ["", *(code for code in codes if code != chosen[0])],
        format_func=lambda code: models.heading(there[code]) if code else _("none"),
        **control(state, "second", value=chosen[1]),
    )
    st.number_input(_("Beam width"), 1, MAX_BEAM, **control(state, "beam"))


def draw_filters(state: CorpusState) -> None:
    """Which sentences are shown, and in which order."""
    sorts = {sort: _(SORT_NAMES[sort]) for sort in SORTS if sort != "difference" or len(state.models) > 1}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="corpus filters"):
        st.selectbox(_("Worst first, by"), list(sorts), format_func=sorts.__getitem__, **control(state, "sort"))
        st.text_input(_("With this word"), **typed(state, "word"))
        st.number_input(_("At least this many words"), 0, LONGEST, width=180, **control(state, "shortest"))
        st.number_input(_("At most, 0 for no limit"), 0, LONGEST, width=180, **control(state, "longest"))
