"""Explorer of the heads: all of them, which ones matter, and the arithmetic of one cell."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from nmtcore.analysis.aligning_head import drawn_head
from nmtcore.analysis.head_names import head_names
from nmtcore.analysis.head_parts import AttentionInputs, attention_inputs, recompute_head
from nmtcore.analysis.head_statistics import agreement, agreement_with_occlusion, append_means, lowest_head
from nmtcore.analysis.occlusion import Occlusion
from nmtcore.config import DecodingConfig, TransformerConfig
from nmtcore.decoding.trace import Array, AttentionMap, Trace
from nmtcore.intervention import Intervention
from nmtcore.views.heads.data import MESSAGES, CellParts, data
from nmtcore.views.heads.head import Head
from nmtcore.views.parameters import PANES
from pages.common import models
from pages.common.address import control
from pages.common.component import Slice, localized, mount
from pages.common.i18n import _
from pages.common.opening import ModelPage
from pages.common.probes import analysed, occluded
from pages.common.tour import TourStep, guided_tour
from pages.transformer import ablation
from pages.transformer.batch import KEY as MASKS
from pages.transformer.batch import show_batch
from pages.transformer.layer import KEY as STREAM
from pages.transformer.layer import show_lacking, show_layer
from pages.transformer.state import HEADS, OWN_PANES, TransformerState, off_codes
from pages.transformer.tour import batch_tour, heads_tour, layer_tour

FIRST = Head("decoder", 0, 0)  # the sentence that the masks pane opens with
# Changes for which the page runs, if the picture of the heads lacks what they show.
ACTS_UPON = ("head", "off", "run", "pane", "pick", "vectors")
PICTURES = ("heads", STREAM, MASKS)  # keys of the panes, in their order


def agreements(trace: Trace, other: AttentionMap | None, occlusion: Occlusion | None) -> dict[str, Array]:
    """How much of the weight of every cross head and average, (L + 1, H + 1), lies where another measure has it.

    other: the additive model's attention for the same output; occlusion: its leave-one-out by the model itself.
    """
    heads = append_means(trace.known_attention("cross"))
    known = {} if other is None else {"agreement": agreement(heads, other)}
    return known if occlusion is None else {**known, "occlusion": agreement_with_occlusion(heads, occlusion)}


def best_head(known: Mapping[str, Array]) -> tuple[Head, float] | None:
    """The cross head that agrees most with the model's own leave-one-out on this sentence, and how much.

    None if the sentence is too long for that.
    """
    if "occlusion" not in known:
        return None
    agrees = known["occlusion"][:-1, :-1]
    return Head("cross", *lowest_head(-agrees)), float(agrees.max())


def opening_head(model: str, for_sentence: tuple[Head, float] | None) -> tuple[Head, str]:
    """The best head, with which the page opens, and a sentence that gives the rule and names the head {head}.

    The rule is alignment in the model's test, or in that of the model it started from; a model without either has
    `for_sentence`, the best on this sentence alone.
    """
    if tested := models.best_aligning_head(model):
        says = _("Best head: {{head}}. On the test sentences its largest weights make the fewest alignment errors.")
        return Head("cross", *tested), says.format()
    if started := drawn_head(*models.settings(model)):
        says = _("Best head before the training: {{head}}. On test sentences it made the fewest alignment errors.")
        return Head("cross", *started), says.format()
    if for_sentence is None:
        return Head("cross", 0, 0), _("Shown first: head 1 of the first layer. Which head is best is not known here.")
    head, share = for_sentence
    says = _("Best head: {{head}}. {share} of its weight lies on the words without which a piece is less likely.")
    return head, says.format(share=f"{share:.0%}")


def cell_parts(model: str, trace: Trace, head: Head) -> CellParts:
    """The vectors before a head's q, k and v and after its values. The layers run once per translation and kind."""
    assert head.layer is not None and head.head is not None
    checkpoint = models.load(model)
    inputs: AttentionInputs = analysed(partial(attention_inputs, checkpoint, trace, head.kind))
    return CellParts(inputs, recompute_head(checkpoint, trace, head.kind, head.layer, head.head))


def explore(page: ModelPage[TransformerState]) -> None:
    """Draw the chosen pane, of the heads, one layer, or a batch, and offer its tour."""
    state, model, trace = page.state, page.model, page.trace
    config = page.checkpoint.config
    assert isinstance(config, TransformerConfig)
    if state.pane not in OWN_PANES:
        guided_tour(_show_heads(state, model, trace, page.decoding))
        return
    pane_tabs(state)
    show_lacking(state.lacking_heads(trace, FIRST))
    if state.pane == "layer":
        show_layer(state, model, trace, page.decoding)
        guided_tour(layer_tour(trace, config))
    else:
        show_batch(state, model, trace)
        guided_tour(batch_tour(trace, config))


def pane_tabs(state: TransformerState) -> None:
    """The tabs above a pane that the page draws itself, as beside the picture of the heads."""
    messages = localized(MESSAGES)
    with st.container(horizontal=True, vertical_alignment="center", key="layer panes"):
        st.segmented_control(
            messages["panes"],
            PANES,
            required=True,
            format_func=lambda name: messages[f"pane_{name}"],
            label_visibility="collapsed",
            **control(state, "pane"),
        )


def _show_heads(state: TransformerState, model: str, trace: Trace, decoding: DecodingConfig) -> list[TourStep]:
    """Draw all heads; returns the steps of their tour."""
    other = ablation.additive_attention(state.question, trace)
    known = agreements(trace, other, occluded(model, state.question.source, decoding))
    opening, note = opening_head(model, best_head(known))
    show_lacking(state.lacking_heads(trace, opening))
    head, off = state.enlarged(trace, opening), state.without_heads(trace)
    intervention = Intervention(heads_off=off_codes(off))
    asked = [models.request(model, state.question.source, decoding, intervention)] if off else []
    after = next(iter(models.ask(asked)), None)
    shown = after if after and state.attention_run == "after" else trace
    attention = trace.known_attention(head.kind)
    stage, spot = st.container(), st.empty()
    with stage:
        record = partial(
            data,
            trace,
            chosen=head,
            off=off,
            pane=state.pane,
            cell_parts=cell_parts(model, shown, head) if head.single and state.shows_cell(attention) else None,
            model=models.heading(model),
            opening=opening,
            note=note,
            best=opening if "{head}" in note else None,
            after=after,
            run=state.attention_run,
            agreement=known,
            names=head_names(models.settings(model)[1]),
            changes=ablation.log_probability_changes(model, trace, spot) if state.pane == "compare" else None,
            effect=ablation.effect(model, state.question.source, trace, after, decoding, intervention),
            neighbors=True,
        )
        mount("heads", record, key="heads", state=Slice(state, HEADS, ACTS_UPON))
    return heads_tour(trace, opening)
