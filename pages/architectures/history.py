"""How attention came to carry a whole model, in the papers' own numbers; folded until asked for."""

import streamlit as st

from pages.common.i18n import _


def draw_published_results() -> None:
    """Two tables: the models' scores on one test, and the cost of a layer of each kind."""
    with st.expander(_("How did we get here, and what does it cost?"), type="compact", key="history"):
        scores, costs = st.columns([1.2, 1], gap="large")
        scores.markdown(
            _(
                "BLEU for English to German (WMT 2014), as the papers report it. The models here are far smaller and "
                "learned from other sentences.\n\n"
                "| Model | Attention | BLEU | Source |\n"
                "| --- | --- | --- | --- |\n"
                "| RNNSearch | additive | 16.5 | Bahdanau et al. 2015 (score: Jean et al. 2015) |\n"
                "| GNMT, 8 + 8 LSTM layers | additive | 24.6 | Wu et al. 2016 |\n"
                "| ConvS2S | dot, in every decoder layer | 25.2 | Gehring et al. 2017 |\n"
                "| Transformer, base | multi-head only | 27.3 | Vaswani et al. 2017 |\n"
                "| Transformer, big | multi-head only | 28.4 | Vaswani et al. 2017 |\n"
                "| the same with relative positions | multi-head only | 29.2 | Shaw et al. 2018 (absolute ones there: "
                "27.9) |\n"
                "| Mask-predict, ten rounds | multi-head only, no future mask | 27.0 | Ghazvininejad et al. 2019 |\n\n"
                "Networks that copy were measured on other tests (Gulcehre et al. 2016, See et al. 2017)."
            )
        )
        costs.markdown(
            _(
                "What a layer costs for $n$ words, states of $d$ numbers and convolutions of width $k$ (Vaswani et al. "
                "2017, table 1). A GPU has to wait for each sequential step; the longest path is how far a gradient "
                "has to travel from one word to another.\n\n"
                "| Layer | Operations | Sequential steps | Longest path |\n"
                "| --- | --- | --- | --- |\n"
                "| Self-attention | $O(n^2d)$ | $O(1)$ | $O(1)$ |\n"
                "| Recurrent | $O(nd^2)$ | $O(n)$ | $O(n)$ |\n"
                "| Convolution | $O(knd^2)$ | $O(1)$ | $O(\\log_k n)$ if dilated, else $O(n/k)$ |\n"
            )
        )
