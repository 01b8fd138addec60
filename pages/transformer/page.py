"""Transformer: every head of every layer, what one of its cells is computed from, and which heads matter."""

from __future__ import annotations

import streamlit as st

from pages.common import models
from pages.common.embeddings import word_vectors
from pages.common.footer import page_footer
from pages.common.i18n import _
from pages.common.opening import open_page, translated
from pages.common.projection import offer_projection
from pages.transformer.explorer import PICTURES, explore

page = translated(
    open_page(
        _("What does each head look at?"),
        _("A Transformer has many heads. Every head looks in its own way: which of them carry this translation?"),
        lambda: models.choices_on_disk("transformer"),
        missing=_(
            "There is no Transformer yet. Train one as README.md says, or set ALIGNMENT_LAB_MODELS to another folder."
        ),
    ),
    "transformer",
)
explore(page)
word_vectors(page.model, page.trace)
offer_projection("transformer", *PICTURES, sentence=page.text)
with st.container(key="equations"):
    st.markdown(
        _(
            "Each head makes its own queries, keys and values and looks with them: in cross attention its queries come "
            "from the states of the decoder, its keys and values from those of the encoder; in self-attention all "
            "three come from the same states. "
            r"$\mathrm{head}_i=\mathrm{Attention}(QW_i^Q,KW_i^K,VW_i^V)$, where "
            r"$\mathrm{Attention}(Q,K,V)=\mathrm{softmax}(QK^\top/\sqrt{d_k}+\mathrm{Mask})\,V$. "
            r"The layer joins what they found: $\mathrm{Concat}(\mathrm{head}_1,\ldots,\mathrm{head}_h)\,W^O$. "
            "A head that is off passes on zeros."
        )
    )
page_footer(
    "transformer",
    _("Switch off the head that aligns best. Why is the translation often still right?"),
    _(
        "Other heads, of this layer and of others, look at nearly the same words, so the next layer still gets what it "
        "needs; and the residual connection carries the word's own state past every head. In trained models many "
        "heads can go with little loss, and a few cannot (Voita et al. 2019; Michel et al. 2019). "
        "**Which heads matter?** shows which they are for this sentence."
    ),
)
