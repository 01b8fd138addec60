"""Architectures: what each shipped model costs and what it buys, on the typed sentence and against length."""

import streamlit as st

from nmtcore.errors import TextError
from nmtcore.views.alignment.data import Panel
from pages.architectures.comparison import compared, draw_two_models
from pages.architectures.cost_table import draw_cost_table
from pages.architectures.history import draw_published_results
from pages.architectures.non_autoregressive import draw_non_autoregressive
from pages.architectures.receptive_field import convolutional, draw_receptive_fields
from pages.architectures.results import Timed, measure, model_results
from pages.architectures.state import ArchitecturesState
from pages.architectures.time_by_length import draw_time_by_length
from pages.architectures.tour import tour_steps
from pages.common.controls import show_notes
from pages.common.footer import page_footer
from pages.common.i18n import _
from pages.common.opening import open_page, stop_with
from pages.common.projection import offer_projection
from pages.common.switch import draw_contents, shown_for
from pages.common.tour import guided_tour

page = open_page(
    _("What does each design cost, and what does it buy?"),
    _("How large each model is, how much it computes for this sentence, and how well it translates."),
    ArchitecturesState,
)
try:
    results, problems = model_results(page.question, st.empty())
except TextError as error:
    stop_with(error, page.state)
show_notes(*problems)
panels: list[Panel] = []
timed: list[Timed] = []
names = {"costs": _("What it costs"), "length": _("What length costs"), "two": _("Compare two")}
if convolution := convolutional(results):
    names["convolution"] = _("What a convolution sees")
if any(one.at_once for one in results):
    names["at-once"] = _("All words at once")
draw_contents(names, page.state)
if results:
    with shown_for("section", "costs"):
        timed.append(draw_cost_table(results))
        draw_published_results()
    with shown_for("section", "length"):
        draw_time_by_length(results, compared(page.state, results))
    with shown_for("section", "two"):
        panels, tables = draw_two_models(page.state, results, page.decoding)
        timed += tables
with shown_for("section", "convolution"):
    if convolution:
        draw_receptive_fields(page.state, *convolution)
with shown_for("section", "at-once"):
    timed += draw_non_autoregressive(page.state, results)
page_footer(
    "architectures",
    _(
        "According to the table of Vaswani et al., beyond what length should self-attention cost more than a recurrent "
        "layer of the same width? Predict it for these models, then look at the measured lines."
    ),
    _(
        "$n^2d>nd^2$ when $n>d$: for states of 256 numbers, beyond 256 pieces, longer than nearly every sentence. "
        "Below that, the sums of self-attention cost less than a recurrent layer, and nothing in it waits for the word "
        "before. The measured lines show more: a Transformer's layers also project and feed forward, at $O(nd^2)$, and "
        "there are several of them; and in decoding, every word waits for the last."
    ),
)
offer_projection("architectures", "cost table", "alignment", "rounds picture", sentence=page.source.text)
guided_tour(tour_steps(page.source.text, results, panels))
measure(*timed)
