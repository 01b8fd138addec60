"""Positions: what tells a Transformer the order of the words, and what is left without it."""

from nmtcore.analysis.positional_encodings import position_table
from pages.common import models
from pages.common.controls import errors_said
from pages.common.footer import page_footer
from pages.common.i18n import _
from pages.common.opening import open_model_page
from pages.common.projection import offer_projection
from pages.common.switch import draw_contents, shown_for
from pages.positions.ablation import position_ablation
from pages.positions.encodings import LEAST, MAX_DISTANCE, piece_vectors, positional_encodings, positions_as_rotation
from pages.positions.relative import relative_positions
from pages.positions.state import PositionsState
from pages.positions.tour import BOTH

page = open_model_page(
    _("How does it know the order of the words?"),
    _("A Transformer adds to each word a pattern for its position. Take it away, or shuffle the words."),
    PositionsState,
)
relative = models.word_by_word(page.question.choice).get("relative")
names = {"order": _("Another order"), "waves": _("What is added"), "distance": _("How far apart")}
draw_contents(names | ({"relative": _("The distance alone")} if relative else {}), page.state)
with errors_said():
    position_ablation(page)
    length = max(LEAST, len(page.trace.source)) + MAX_DISTANCE
    table = position_table(page.checkpoint, length)
    with shown_for("section", "waves"):
        positional_encodings(table, page.trace.source)
        piece_vectors(page.question, page.model, page.trace.source)
    with shown_for("section", "distance"):
        positions_as_rotation(page.state, table, page.trace.source)
    if relative:
        with shown_for("section", "relative"):
            relative_positions(relative, page.question, page.decoding)
    offer_projection("positions", "turn", BOTH, sentence=page.source.text)
page_footer(
    "positions",
    _("Shuffle the words and remove the positions: why does the model still write the very same translation?"),
    _(
        "Self-attention compares every word with every other, wherever they stand: shuffling the words shuffles the "
        "outputs and changes none of them. The decoder looks at these outputs by what they hold, not by where they "
        "are, so nothing has changed for it. Without positions the sentence was a bag of words already."
    ),
)
