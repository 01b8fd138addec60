"""The text below a pane of the Transformer page: its formulas, and a class question that it can answer."""

import streamlit as st

from pages.common.footer import page_footer
from pages.common.i18n import _

# The formulas of a pane as Markdown, in the notation of Vaswani et al. 2017, a question and its answer.
Lesson = tuple[str, str, str]


def draw_lesson(pane: str) -> None:
    """Draw the lesson of a pane and the page's footer."""
    formulas, question, answer = {"layer": _layer, "batch": _batch}.get(pane, _heads)()  # the panes of heads share one
    with st.container(key="equations"):
        st.markdown(formulas)
    page_footer("transformer", question, answer)


def _heads() -> Lesson:
    return (
        _(
            "Each head makes its own queries, keys and values and looks with them: in cross attention its queries come "
            "from the states of the decoder, its keys and values from those of the encoder; in self-attention all "
            "three come from the same states. "
            r"$\mathrm{head}_i=\mathrm{Attention}(QW_i^Q,KW_i^K,VW_i^V)$, where "
            r"$\mathrm{Attention}(Q,K,V)=\mathrm{softmax}(QK^\top/\sqrt{d_k}+\mathrm{Mask})\,V$. "
            r"The layer joins what they found: $\mathrm{Concat}(\mathrm{head}_1,\ldots,\mathrm{head}_h)\,W^O$. "
            "A head that is off passes on zeros."
        ),
        _("Switch off the head that aligns best. Why is the translation often still right?"),
        _(
            "Other heads, in this layer and in others, look at nearly the same words, so the next layer still gets "
            "what it needs; and the residual connection carries the word's own state past every head. In trained "
            "models many heads can go with little loss, and a few cannot (Voita et al. 2019; Michel et al. 2019). "
            "**Which heads matter?** shows which they are for this sentence."
        ),
    )


def _layer() -> Lesson:
    return (
        _(
            r"Feed-forward is the same small network for every piece, $\mathrm{FFN}(x)=\max(0,xW_1+b_1)\,W_2+b_2$: "
            r"only the units above zero pass on anything. The norm is $\mathrm{LN}(x)=g\,(x-\mu)/\sigma+b$, with the "
            r"mean $\mu$ and the standard deviation $\sigma$ of the numbers of $x$ itself. Attention is the only part "
            "of a layer in which a piece receives anything from other pieces."
        ),
        _("Switch off the feed-forward part of a layer, then its residual connections instead. Which costs more? Why?"),
        _(
            "Compare log P of the old translation with each of them off. Without feed-forward, only what this part "
            "would have added is missing. Without the residual connections, everything that the layers below wrote is "
            "gone, except what the sub-layers themselves pass on; the layers above were trained to read the sum."
        ),
    )


def _batch() -> Lesson:
    return (
        _(
            r"$\mathrm{Attention}(Q,K,V)=\mathrm{softmax}(QK^\top/\sqrt{d_k}+\mathrm{Mask})\,V$, where "
            r"$\mathrm{Mask}$ is 0 where a piece may look and $-\infty$ where it may not."
        ),
        _("A sentence is translated alone, then in a batch with longer ones. Why does the model compute the same?"),
        _(
            "Its own pieces give <pad> weight 0, so no padding enters any of their sums; norm and feed-forward work on "
            "every piece by itself. Up to rounding its vectors are the same, and only time is lost on padding."
        ).replace("<pad>", "`<pad>`"),
    )
