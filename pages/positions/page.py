"""Positions: what tells a Transformer the order of the words, and what is left without it."""

from __future__ import annotations

import streamlit as st

from nmtcore.config import DecodingConfig
from nmtcore.errors import NmtError
from pages.common import models, probes
from pages.common.controls import show_notes
from pages.common.examples import ORDER
from pages.common.footer import page_footer
from pages.common.i18n import _, languages
from pages.common.link_checks import checked_question
from pages.common.text import clean
from pages.positions.ablation import position_ablation
from pages.positions.encodings import FARTHEST, LEAST, positional_encodings

st.title(_("How does it know the order of the words?"), anchor=False)
st.markdown(
    _(
        "A Transformer adds to each word a pattern that says where it stands. Take it away, or shuffle the words, "
        "and see."
    )
)

pairs = models.pairs()
if not pairs:
    show_notes(_("There is no model yet. Train one with the command in README.md, or name a folder of models."))
    st.stop()

asked = checked_question(models.choices("transformer"), ORDER)
try:
    model = asked.model("transformer")
    ready = clean(asked.text, languages(asked.pair)[0])
    show_notes(*ready.notes)
    trace = models.translate(model, ready.text, DecodingConfig(asked.beam))
    position_ablation(model, ready.text, DecodingConfig(asked.beam))
    positional_encodings(probes.position_table(model, max(LEAST, len(trace.source)) + FARTHEST), trace.source)
except NmtError as error:
    st.text(str(error))

page_footer(
    "positions",
    _("Shuffle the words and remove the positions: why does the model still write the very same translation?"),
    _(
        "Self-attention compares every word with every other, wherever they stand: shuffling the words shuffles the "
        "outputs and changes none of them. The decoder looks at these outputs by what they hold, not by where they "
        "are, so nothing has changed for it. Without positions the sentence was a bag of words already."
    ),
)
