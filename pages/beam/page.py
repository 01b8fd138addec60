"""Beam search: the tree of everything that search considered, ranked again, replayed, and asked "what if"."""

from pages.beam.constraint_boxes import constraint_boxes
from pages.beam.question import search_question
from pages.beam.searches import draw_tree, search
from pages.beam.state import BeamState
from pages.beam.teacher_forcing import draw_teacher_forcing
from pages.beam.tour import tour_steps
from pages.beam.width_strip import draw_width_strip
from pages.common import models
from pages.common.controls import show_notes
from pages.common.embeddings import word_vectors
from pages.common.footer import page_footer
from pages.common.i18n import _
from pages.common.opening import fewer_sentences, open_model_page
from pages.common.projection import offer_projection
from pages.common.tour import guided_tour

page = open_model_page(
    _("What did search throw away?"),
    _(
        "Search keeps the few likeliest prefixes at each step. Choose a candidate to ask what if, or "
        "[force a word](#what-if)."
    ),
    BeamState,
    search_question,
    counts=False,
)
state, vocab = page.state, page.checkpoint.vocab
searches = search(page)
show_notes(*searches.notes, *fewer_sentences(page.source.text, searches.best(vocab, state)))
draw_tree(
    state,
    searches,
    vocab,
    key="tree",
    model=models.heading(page.model),
    name=_("beam {width}").format(width=page.decoding.beam) if page.decoding.beam > 1 else _("greedy"),
    whatifs=[(constraint.code, constraint.sentence(vocab)) for constraint in state.constraints],
    branch=state.constraints[-1].changes if state.constraints else 0,
)
constraint_boxes(state, vocab, searches, page.trace)
draw_teacher_forcing(page)
draw_width_strip(page)
word_vectors(state, page.model, searches.trace)
offer_projection("beam", "tree", sentence=page.source.text)
guided_tour(tour_steps(page, searches), own=("alpha", "beta"))
page_footer(
    "beam",
    _("Find a sentence that greedy search spoils. At which step does it go wrong, though its token is the likeliest?"),
    _(
        "Where the two paths diverge. Greedy takes the token that is likeliest **now**, log p(y_j | y_<j, x); what "
        "counts is the whole, log P(y | x) = Σ_j log p(y_j | y_<j, x). A token that is a little less likely can open a "
        "much likelier continuation. Click the other token there and decode on from it: the translation is repaired."
    ),
)
