"""Translate: up to four models side by side on the same sentence."""

import streamlit as st

from nmtcore.config import MaskPredictDecoding
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError, TextError
from pages.common import models
from pages.common.alignment import draw_alignment
from pages.common.controls import show_notes
from pages.common.footer import end_page, page_footer
from pages.common.i18n import _
from pages.common.opening import narrowed_beam, open_page, stop_with
from pages.common.projection import offer_projection
from pages.common.rounds import draw_rounds, rounds_box
from pages.common.tour import guided_tour
from pages.translate.answer import describe_word_order
from pages.translate.columns import about, draw_column, question_and_models
from pages.translate.greedy import draw_beam_against_greedy
from pages.translate.instead import verdict
from pages.translate.sentences import draw_one_by_one, one_by_one_button, waits
from pages.translate.state import TranslateState
from pages.translate.tour import tour_steps

page = open_page(
    _("Where does each model look?"), about, TranslateState, question_and_models, offer_all=one_by_one_button
)
state = page.state
draw_one_by_one(page)
if waits(page):
    end_page(state)
try:
    asked = models.requests(state.chosen, page.source, page.decoding, MaskPredictDecoding(int(state.rounds)))
    results = dict(zip(state.chosen, models.ask(asked, return_errors=True), strict=True))
except TextError as error:
    stop_with(error, state)
show_notes(*(str(result) for result in results.values() if isinstance(result, CheckpointError)))
show_notes(*narrowed_beam(page.question.beam, *results.values()))
records = {model: result for model, result in results.items() if not isinstance(result, CheckpointError)}
panels = [draw_column(page.question, model, result) for model, result in records.items()]
if panels:
    draw_alignment(
        panels,
        key="alignment",
        state=state,
        acts={"instead": "instead"},
        sentence=page.source.text,
        play=True,
        marks=True,
        verdict=verdict(state, records),
    )
    if rounds := {model: result for model, result in results.items() if isinstance(result, MaskPredictRecord)}:
        st.header(_("All words at once"), anchor=False)
        rounds_box(state)
        for model, record in rounds.items():
            draw_rounds(record, title=models.heading(model), key=f"rounds {model}")
    draw_beam_against_greedy(state, [m for m, result in results.items() if isinstance(result, Trace)])
page_footer(
    "translate",
    _("How can you tell from these pictures that the two languages order their words differently?"),
    describe_word_order(panels),
)
offer_projection("translate", "alignment", sentence=page.source.text)
guided_tour(tour_steps(page.question, panels))
