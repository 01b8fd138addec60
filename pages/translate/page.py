"""Translate: all four models side by side on the same sentence."""

from __future__ import annotations

import streamlit as st

from nmtcore.errors import CheckpointError, TextError
from pages.common import models
from pages.common.alignment import draw_alignment
from pages.common.controls import Question, show_notes
from pages.common.footer import page_footer
from pages.common.i18n import _
from pages.common.open_page import open_page, stop_with
from pages.common.tour import guided_tour
from pages.translate.columns import column
from pages.translate.greedy import beam_against_greedy
from pages.translate.lessons import different_lessons
from pages.translate.tour import tour_steps


def about(question: Question) -> str:
    """The sentence under the title: a saved model may stand alone."""
    if len(models.available(question.choice)) > 1:
        return _("Four models translate the same sentence. Pick a word to see, in each of them, what it was made from.")
    return _("This model was trained for a task of its own. Pick a word to see what it was made from.")


page = open_page(_("Where does each model look?"), about, models.choices)
try:
    found = models.translate_all(page.question.choice, page.text, page.decoding)
except TextError as error:
    stop_with(error)
show_notes(*(str(result) for result in found.values() if isinstance(result, CheckpointError)))
panels = [
    column(page.question, architecture, result)
    for architecture, result in found.items()
    if not isinstance(result, CheckpointError)
]
whole = [a for a, result in found.items() if not isinstance(result, CheckpointError)]
if difference := different_lessons(page.question.choice, whole):
    st.caption(difference)
if panels:
    draw_alignment(panels, key="alignment", sentence=page.text, play=True, marks=True)
    if None not in found.values():
        beam_against_greedy(page.question, page.text, whole)
page_footer(
    "translate",
    _("How do you see in these pictures that the two languages put their words in another order?"),
    _(
        "Where both go word by word, the dark cells run down the diagonal. Where they do not, the cells leave it: for "
        "“a beautiful red dress” a good model writes *une belle robe rouge*, so that the rows of *robe* and *rouge* "
        "look back and forth. The model without attention has no such picture: whatever it knows of the order is "
        "in its one vector."
    ),
)
guided_tour(tour_steps(page.question, page.text, panels))
if None in found.values():
    st.rerun()  # the picture so far is on its way; the next run decodes further
