"""The answer to the class question of the Translate page, with the words of the sentence on the screen."""

from collections.abc import Sequence

from nmtcore.decoding.merging import merge
from nmtcore.text.words import bare, is_punctuation
from nmtcore.views.alignment.data import Panel
from pages.common.i18n import _
from pages.common.text import not_markdown


def reordering(panel: Panel) -> dict[str, str]:
    """The first two adjacent words where the second looks mainly at an earlier place than the first, and the two source
    words that they look at; nothing if there are none."""
    assert panel.attention is not None
    words = merge(panel.attention)
    main = words.matrix(panel.layer, panel.head).argmax(1)
    rows = [t for t, word in enumerate(words.queries) if word != "<eos>" and not is_punctuation(bare(word))]
    last = len(words.keys) - 1  # <eos>, which means no word
    for j, k in zip(rows, rows[1:], strict=False):
        before, after = bare(words.keys[main[j]]), bare(words.keys[main[k]])
        if main[k] < main[j] < last and not is_punctuation(before) and not is_punctuation(after):
            found = {
                "first": bare(words.queries[j]),
                "second": bare(words.queries[k]),
                "before": before,
                "after": after,
            }
            return {name: not_markdown(word) for name, word in found.items()}
    return {}


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
    if not example:
        return _(
            "In this sentence {model} never goes back: no word looks mainly at an earlier source word than the word "
            "before it did. Both languages keep the same order here."
        ).format(model=not_markdown(panel.title))
    return _(
        "As here: {model} writes *{first}* and then *{second}*, and the largest weight goes back in the source, from "
        "*{before}* to *{after}*."
    ).format(model=not_markdown(panel.title), **example)
