"""Glossary: the terms used in the pictures, one tap away."""

import streamlit as st

from pages.common.i18n import _


def glossary_button() -> None:
    """Draw the button that opens the glossary."""
    with st.popover(_("Terms"), type="tertiary"):
        st.markdown("\n".join(f"- **{term}**: {meaning}" for term, meaning in glossary_terms().items()))


def glossary_terms() -> dict[str, str]:
    """The terms and what they mean; Markdown."""
    return {
        _("piece"): _(
            "What a model reads and writes: a word or a part of one. A small dot before a piece says that it goes on "
            "with the word before."
        ),
        r"\<sos\>, \<eos\>": _("The pieces that begin and end a sentence. A translation is finished with the second."),
        "log P": _(
            "The natural logarithm of a probability: 0 is certain, −0.7 one half, −4.6 one in a hundred. That of a "
            "translation is the sum of those of its pieces."
        ),
        _("entropy"): _(
            "How evenly weights are spread, in bits: 0 where one word has all, 1 for two words alike, 3 for eight."
        ),
        "lp": _(
            "Length penalty, $((5+|y|)/6)^{\\alpha}$: log P is divided by it, so that a larger α prefers longer "
            "translations."
        ),
        "cp": _(
            "Coverage penalty, $\\beta\\sum_i\\log\\min(\\sum_j\\alpha_{ij},1)$: it is added, and below 0 where a "
            "source word got little attention in all."
        ),
    }
