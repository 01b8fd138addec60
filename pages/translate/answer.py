"""The answer to the class question of the Translate page, with the words of the sentence on the screen."""

from collections.abc import Sequence
from typing import NamedTuple

from nmtcore.decoding.merging import merge
from nmtcore.text.words import bare, is_punctuation
from nmtcore.views.alignment.data import Panel
from pages.common.i18n import _
from pages.common.text import not_markdown


class Reordering(NamedTuple):
    """Two words of a translation, one after the other, and the source words that they mainly look at."""

    first: str
    second: str
    before: str
    after: str


def reordering(panel: Panel) -> Reordering | None:
    """The first two adjacent words where the second looks mainly at an earlier place than the first."""
    assert panel.attention is not None
    words = merge(panel.attention)
    main = words.matrix(panel.layer, panel.head).argmax(1)
    rows = [t for t, word in enumerate(words.queries) if word != "<eos>" and not is_punctuation(bare(word))]
    names = [bare(word) for word in words.queries], [bare(word) for word in words.keys]
    for j, k in zip(rows, rows[1:], strict=False):
        last = len(words.keys) - 1  # <eos>, which means no word
        if main[k] < main[j] < last and not is_punctuation(names[1][main[j]]) and not is_punctuation(names[1][main[k]]):
            return Reordering(names[0][j], names[0][k], names[1][main[j]], names[1][main[k]])
    return None


def describe_word_order(panels: Sequence[Panel]) -> str:
    """What the pictures show about word order; among the models with attention, the last one is named."""
    general = _(
        "Where both languages keep the same order, the dark cells run down the diagonal. Where they do not, the cells "
        "leave it."
    )
    without = _("The model without attention has no such picture: whatever it knows of the order is in its one vector.")
    looking = [panel for panel in panels if panel.attention is not None and panel.target and panel.autoregressive]
    here = [_of_this_sentence(looking[-1])] if looking else []
    return " ".join([general, *here, *([without] if any(panel.vector for panel in panels) else [])])


def _of_this_sentence(panel: Panel) -> str:
    example = reordering(panel)
    if example is None:
        return _(
            "In this sentence {model} never goes back: no word looks mainly at an earlier source word than the word "
            "before it did. Both languages keep the same order here."
        ).format(model=not_markdown(panel.title))
    values = {name: not_markdown(word) for name, word in example._asdict().items()}
    return _(
        "As here: {model} writes *{first}* and then *{second}*, and the largest weight goes back in the source, from "
        "*{before}* to *{after}*."
    ).format(model=not_markdown(panel.title), **values)
