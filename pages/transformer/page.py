"""Transformer: every head of every layer, what one of its cells is computed from, and which heads matter."""

from __future__ import annotations

import streamlit as st

from nmtcore.analysis.head_statistics import lowest_head
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import AttentionMap, Trace
from nmtcore.errors import CheckpointError, TextError
from pages.common import models
from pages.common.alignment.head import Head, asked
from pages.common.alignment.heads import Column, figures, heads
from pages.common.controls import show_notes
from pages.common.footer import page_footer
from pages.common.i18n import _, languages
from pages.common.link_checks import checked_question
from pages.common.text import clean
from pages.transformer import ablation
from pages.transformer.published_results import show_published_results


def opening_head(model: str, trace: Trace, columns: tuple[Column, ...]) -> tuple[Head, str]:
    """The head that the page opens with, and a sentence that says why."""
    if best := models.aligning_head(model):
        return Head("cross", *best), _("The page opens with the head that aligns best in this model's test.")
    by_id = {column.id: column.values["cross"][:-1, :-1] for column in columns if "cross" in column.values}
    if "agreement" in by_id:
        layer, index = lowest_head(-by_id["agreement"])
        return Head("cross", layer, index), _("The page opens with the head that looks most like the additive model.")
    layer, index = lowest_head(by_id["entropy"])
    return Head("cross", layer, index), _("The page opens with the head that looks at the fewest words.")


@st.fragment
def explore(model: str, trace: Trace, other: AttentionMap | None, decoding: DecodingConfig) -> None:
    """All heads; run again, alone, when the browser asks for what it does not have."""
    columns = figures(trace, other)
    opening, note = opening_head(model, trace, columns)
    now = asked(trace, opening, "heads")
    show_notes(*now.ignored)
    stage, spot = st.container(), st.empty()
    with stage:
        heads(
            trace,
            now,
            key="heads",
            model=models.heading(model, "transformer"),
            opening=opening,
            note=note,
            columns=columns,
            changes=ablation.changes(model, trace, spot) if now.pane == "compare" else None,
            effect=ablation.effect(model, trace, now.off, decoding, now.change),
        )


st.title(_("What does each head look at?"), anchor=False)
st.markdown(_("A Transformer has many heads. Every head looks in its own way: which of them carry this translation?"))

choices = [c for c in models.choices("transformer") if models.folder(models.model(c, "transformer")).is_dir()]
if not choices:
    show_notes(_("There is no Transformer yet. Train one with the command in README.md, or name a folder of models."))
    st.stop()

typed = checked_question(choices)
try:
    sentence = clean(typed.text, languages(typed.pair)[0])
    name, search = typed.model("transformer"), DecodingConfig(typed.beam)
    found = models.translate(name, sentence.text, search)
except (TextError, CheckpointError) as error:
    show_notes(str(error))
    st.stop()

show_notes(*sentence.notes)
explore(name, found, ablation.additive_attention(typed.choice, found), search)

with st.container(key="equations"):
    st.markdown(
        _(
            "Each head makes its own queries, keys and values from the same states, and looks with them: "
            r"$\mathrm{head}_i=\mathrm{Attention}(QW_i^Q,KW_i^K,VW_i^V)$, where "
            r"$\mathrm{Attention}(Q,K,V)=\mathrm{softmax}(QK^\top/\sqrt{d_k}+\mathrm{Mask})\,V$. "
            r"The layer joins what they found: $\mathrm{Concat}(\mathrm{head}_1,\ldots,\mathrm{head}_h)\,W^O$. "
            "A head that is off passes on zeros."
        )
    )
show_published_results()
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
