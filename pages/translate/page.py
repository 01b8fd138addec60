"""Translate: all four models side by side on the same sentence."""

from __future__ import annotations

import streamlit as st

from nmtcore.config import DecodingConfig
from nmtcore.errors import CheckpointError, TextError
from pages.common import models
from pages.common.alignment import Panel, alignment
from pages.common.controls import show_notes
from pages.common.footer import page_footer
from pages.common.i18n import _, languages
from pages.common.link_checks import checked_question
from pages.common.text import clean

st.title(_("Where does each model look?"), anchor=False)
about = st.container()

pairs = models.pairs()
if not pairs:
    show_notes(_("There is no model yet. Train one with the command in README.md, or name a folder of models."))
    st.stop()

asked = checked_question(models.choices())
about.markdown(
    _("Four models translate the same sentence. Pick a word to see, in each of them, what it was made from.")
    if len(models.available(asked.choice)) > 1
    else _("This model was trained for a task of its own. Pick a word to see what it was made from.")
)
try:
    sentence = clean(asked.text, languages(asked.pair)[0])
    found = models.translate_all(asked.choice, sentence.text, DecodingConfig(asked.beam))
except TextError as error:
    show_notes(str(error))
    st.stop()

errors = [str(result) for result in found.values() if isinstance(result, CheckpointError)]
show_notes(*sentence.notes, *errors)
panels = [
    Panel.of(models.heading(asked.model(name), name), name, result, models.aligning_head(asked.model(name)))
    if result
    else Panel(models.heading(asked.model(name), name), name)
    for name, result in found.items()
    if not isinstance(result, CheckpointError)
]
if panels:
    alignment(panels, key="alignment", sentence=sentence.text)
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
if None in found.values():
    st.rerun()  # the picture so far is on its way; the next run decodes further
