"""What C keeps of a word, by the word's place: measured over our own sentences that ship."""

import random
from functools import partial

import numpy as np
import streamlit as st

from nmtcore.analysis.word_swaps import WordSwaps, swap_words
from nmtcore.decoding.trace import Array
from nmtcore.errors import DataError
from nmtcore.figures.word_swaps import swaps_by_place, swaps_table
from nmtcore.places import pretrained_folder
from pages.common import models
from pages.common.figure import draw_figure
from pages.common.i18n import _

CORPUS = pretrained_folder() / "corpus"
LENGTHS = (6, 14)  # words: a short sentence, a long one
COUNT = 40  # sentences of each length


def kept_by_place(choice: str, model: str) -> None:
    """A curve for each length; nothing for a language pair without sentences here."""
    pair = models.pair_of(choice)
    try:
        by_length = {length: _swaps(model, pair, length) for length in LENGTHS}
    except (OSError, DataError):
        return
    st.header(_("What does C keep from each place in the sentence?"), anchor=False)
    drawing, words = st.columns([5, 2], gap="medium")
    named = {_("{length} words").format(length=length): swaps for length, swaps in by_length.items()}
    table = swaps_table(named)
    with drawing:
        draw_figure(
            partial(swaps_by_place, table, _("place of the word"), _("how far C moves")),
            key="swaps",
            title=_("How far C moves when one word is replaced, {pair}, {count} sentences of each length").format(
                pair=pair, count=COUNT
            ),
            table=table,
        )
    short, long = (swaps.moves for swaps in by_length.values())
    words.markdown(
        _(
            "One word is replaced by the word at the same place in another sentence. **1** is as far as from one "
            "sentence's C to another's; **0** would mean that C has forgotten the word. Replacing the first word "
            "moves C by {first:.2f}, the last one by {last:.2f} in {short} words, and by {first_long:.2f} and "
            "{last_long:.2f} in {long} (medians; bands hold the middle half of the sentences)."
        ).format(
            first=_median(short, 0), last=_median(short, -1), short=LENGTHS[0],
            first_long=_median(long, 0), last_long=_median(long, -1), long=LENGTHS[1],
        )
    )  # fmt: skip
    drawing.markdown(
        _(
            "Measured on {count} sentences of each length, drawn from our own (pretrained/corpus). Different places "
            "hold different kinds of words, so not all of a difference is due to the place. How far C moves does not "
            "say how well the decoder reads it."
        ).format(count=COUNT)
    )
    words.latex(r"\frac{|C(x)-C(x\;\mathrm{with}\;x_i\to x'_i)|}{\mathrm{mean}\,|C(x)-C(x')|}")


def _median(moves: Array, place: int) -> float:
    return float(np.median(moves[:, place]))


@models.kept_by_model(40)
def _swaps(model: str, pair: str, length: int) -> WordSwaps:
    rows = (CORPUS / f"{pair}.tsv").read_text(encoding="utf-8").splitlines()
    random.Random(1).shuffle(rows)
    return swap_words(models.load(model), (row.split("\t")[1] for row in rows), length, COUNT)
