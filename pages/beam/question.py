"""The question row of the Beam search page: sentence, pair, model and width, bound to the address by their keys."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from nmtcore.config import Architecture
from nmtcore.models.checkpoint import CONFIG
from pages.beam import contrasts
from pages.beam.contrasts import contrast_sentences, first_model
from pages.beam.search_link import forget_search, forget_truth
from pages.common import models, saved_models
from pages.common.controls import (
    Question,
    beam_slider,
    choice_box,
    example_links,
    linked_selectbox,
    of_this_page,
    offered_examples,
    question_row,
    remember_question,
    restore_question,
    sentence_box,
    show_notes,
    source_language,
)
from pages.common.examples import Example
from pages.common.i18n import _, title
from pages.common.link_checks import brings_sentence, drop_long_sentence, notes_of_last_run, unknown_choice
from pages.common.link_parameters import ALPHA, BETA, LATER, MODEL, SEARCH_BEAM, SEARCH_STEP, not_here
from pages.common.link_state import forget

EXAMPLES_ASKED = "examples asked"  # in the session: how often an example was pressed


def examples_asked() -> int:
    """How often an example was pressed: each brings penalties of its own to the tree."""
    return int(st.session_state.get(EXAMPLES_ASKED, 0))


def search_question(choices: Sequence[str]) -> Question:
    """The row of controls: sentence, pair, model, width; below it the examples and the link to copy."""
    left = notes_of_last_run()
    notes = (*left, *unknown_choice(choices), *SEARCH_BEAM.note())
    linked = brings_sentence()
    restore_question(choices)
    with question_row():
        sentence = st.container(width="stretch")
        choice = choice_box(choices, _change_choice, 190)
        ids = models.word_by_word(choice)
        offered, opens = _offered(choice)
        parameter = MODEL.among(offered, opens, {title(one): one for one in offered}, not_here(title(opens)))
        notes = (*notes, *parameter.note())
        with of_this_page():
            code = linked_selectbox(parameter, _("Model"), title, 150, forget_search)
            architecture = next(one for one in offered if one == code)
        beam = beam_slider(_("Width {width}"), 120, lambda: forget(SEARCH_STEP, LATER))
        model = ids[architecture]
        if left:
            st.session_state["text"] = _opening(choice, model)
        text = sentence_box(sentence, _opening(choice, model), forget_search)
    if linked:
        drop_long_sentence(text, notes)
    remember_question(choice, text)
    example_links(_examples(choice, model), partial(_ask, model), models.pair_of(choice))
    show_notes(*saved_models.usable()[1], *notes)
    return Question(choice, models.pair_of(choice), text, beam, architecture)


def _examples(choice: str, model: str) -> tuple[Example, ...]:
    return contrast_sentences(model) or offered_examples(choice)


def _opening(choice: str, model: str) -> str:
    offered = _examples(choice, model)
    return offered[0].text if offered else ""


def _first(choice: str) -> Architecture | None:
    """The architecture that a choice opens with: of a saved model its own."""
    found = saved_models.usable()[0].get(choice)
    return found.architecture if found else first_model(choice)


def _offered(choice: str) -> tuple[list[Architecture], Architecture]:
    """The architectures that a choice has, and the one that it opens with."""
    ids = models.word_by_word(choice)
    there = [architecture for architecture, model in ids.items() if (models.folder(model) / CONFIG).exists()]
    first = _first(choice)
    opening = [architecture for architecture in there if architecture in models.available(choice)] or there
    return there, first if first is not None and first in there else opening[-1]


def _change_choice() -> None:
    """A sentence in another language than the new source makes way for the opening sentence."""
    new = st.session_state["pair"]
    forget_search()
    forget(MODEL)
    if source_language(new) != st.session_state.get("last source language"):
        forget_truth()
        first = _first(new)
        st.session_state["text"] = _opening(new, models.available(new).get(first, "") if first else "")


def _ask(model: str, text: str) -> None:
    """Ask an example with the penalties at which it shows its point."""
    ALPHA.write(contrasts.alpha_of(model, text))
    forget(BETA)
    st.session_state[EXAMPLES_ASKED] = examples_asked() + 1
    forget_search()
    forget_truth()
    st.session_state["text"] = text
