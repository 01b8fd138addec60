"""The general score s W h on the Dot page: what a trained matrix between query and state looks like, and its scores.

This model's own W if its score is the general one; else W of a head in the pair's Transformer.
The address says whether it is open (`general=shown`).
"""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from nmtcore.analysis.arithmetic import softmax
from nmtcore.analysis.general_score import GeneralScore, head_score, own_score
from nmtcore.decoding.trace import Trace
from nmtcore.figures.general_score import SHOWN, score_matrix, sentence_scores
from nmtcore.text.words import sentence_names
from pages.attention.state import DotState
from pages.common import models
from pages.common.address import fragment, read_state
from pages.common.controls import errors_said
from pages.common.disclosure import section_button
from pages.common.figure import draw_figure, theme_colors
from pages.common.i18n import _
from pages.common.opening import ModelPage
from pages.common.result import number_text
from pages.common.text import not_markdown


@fragment
@errors_said()
def draw_general_score(page: ModelPage[DotState]) -> None:
    """A button and, once it is pressed, W and the scores that it gives."""
    state, _notes = read_state(DotState)
    show = _("The general score: what does a matrix W between s and h look like?")
    if not section_button(state, "general", show=show, hide=_("Hide the general score"), key="general score"):
        return
    st.header(_("The general score"), anchor=False)
    if getattr(page.checkpoint.config, "attention", "") == "general":
        _draw(own_score(page.checkpoint, page.trace), page.trace, _("This model's own W, as trained."), 0)
    else:
        _of_head(page)


def _of_head(page: ModelPage[DotState]) -> None:
    """W of the Transformer head that aligns best, or of the first head in its last layer."""
    model = page.question.model("transformer")
    (trace,) = models.ask([models.request(model, page.source, page.decoding)])
    cross = trace.known_attention("cross")
    layer, head = models.best_aligning_head(model) or (cross.layers - 1, 0)
    score = head_score(models.load(model), trace, layer, head)
    difference = float(np.abs(softmax(score.scores) - cross.weights[layer, head]).max())
    words = _(
        "The dot model has no W: its score is the general one with W = I, a diagonal of ones. A head of a Transformer "
        "has one, as a product: $W=W^Q(W^K)^\\top/\\sqrt{{d_k}}$, with a 1 appended on both sides for the biases. "
        "This W comes from this pair's Transformer, cross attention, layer {layer}, head {head}; the softmax of its "
        "scores is that head's attention (largest difference {difference}). To train a recurrent model with a W of its "
        "own, choose the score *general* on the Fine-tune page."
    ).format(layer=layer + 1, head=head + 1, difference=number_text(difference))
    _draw(score, trace, words, 1)


def _draw(score: GeneralScore, trace: Trace, words: str, ones: int) -> None:
    """ones: how many components are not a state's but the constant 1 for the biases."""
    colors, D = theme_colors(), len(score.W) - ones
    st.markdown(words)
    st.latex(r"\beta_{ij}=s_j\,W\,h_i")
    left, right = st.columns(2, gap="medium")
    with left:
        shown = min(SHOWN, D)
        corner = score.W[:shown, :shown]
        st.markdown(
            _(
                "**W**: the first {shown} of its {D} rows and columns. A blue (or red) cell: this component of s asks "
                "for (or against) that component of h. {share} of the sum of squares lies on the diagonal, where the "
                "dot score has it all; the rank is {rank}: it compares in that many directions."
            ).format(shown=shown, D=D, share=f"{score.diagonal:.1%}", rank=score.rank)
        )
        draw_figure(
            partial(score_matrix, corner, (_("component of s"), _("component of h")), colors.ink, colors.neutral),
            key="general-w",
            title=_("W of the general score, {model}").format(model=trace.model),
            table=pd.DataFrame(corner, columns=[f"h{n + 1}" for n in range(shown)]),
        )
    with right:
        scores = score.scores
        st.markdown(
            _("**The scores s W h** of “{text}”: a row for each word written, before the softmax.").format(
                text=not_markdown(trace.text)
            )
        )
        draw_figure(
            partial(sentence_scores, scores, trace.target, trace.source, colors.ink, colors.neutral),
            key="general-scores",
            title=_("Scores s W h, {model}: {sentence}").format(model=trace.model, sentence=trace.source_text),
            table=pd.DataFrame(
                scores,
                index=pd.Index(sentence_names(trace.target), name="target"),
                columns=[f"{n + 1} {name}" for n, name in enumerate(sentence_names(trace.source))],
            ).reset_index(),
        )
