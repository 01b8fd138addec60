"""Transformer: every head of every layer, what one of its cells is computed from, and which heads matter."""

from pages.common.embeddings import word_vectors
from pages.common.i18n import _
from pages.common.opening import open_model_page
from pages.common.projection import offer_projection
from pages.transformer.batch import KEY as MASKS
from pages.transformer.explorer import PICTURES, explore
from pages.transformer.lesson import draw_lesson
from pages.transformer.state import TransformerState

page = open_model_page(
    _("What does each head look at?"),
    _("A Transformer has many heads. Every head looks in its own way: which of them carry this translation?"),
    TransformerState,
    missing=_(
        "There is no Transformer yet. Train one as README.md says, or set ALIGNMENT_LAB_PRETRAINED to another folder."
    ),
)
explore(page)
word_vectors(page.state, page.model, page.trace)
draw_lesson(page.state.pane)
offer_projection("transformer", *PICTURES, sentence=page.source.text, scrolled=(MASKS,))
