"""Explorer of the heads: all of them, which of them matter, and the arithmetic of one cell."""

from __future__ import annotations

import streamlit as st

from nmtcore.analysis.head_parts import AttentionInputs, attention_inputs, head_parts
from nmtcore.analysis.head_statistics import lowest_head
from nmtcore.config import DecodingConfig, TransformerConfig
from nmtcore.decoding.trace import AttentionMap, Trace
from nmtcore.intervention import AttentionKind
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.views.heads.data import MESSAGES, CellParts, data
from nmtcore.views.heads.figures import Column, figures
from nmtcore.views.heads.head import Head
from pages.common import models
from pages.common.component import Link, localized, mount
from pages.common.controls import show_notes
from pages.common.i18n import _
from pages.common.link_parameters import CELL_BY, HEAD, OFF, PANE, PICK, PICK_STEP, PICK_VIEW
from pages.common.tour import guided_tour
from pages.transformer import ablation
from pages.transformer.batch import show_batch
from pages.transformer.heads_link import asked_heads
from pages.transformer.layer import show_layer
from pages.transformer.panes import enter_pane, pane_tabs
from pages.transformer.tour import batch_tour, heads_tour, layer_tour


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


def cell_parts(model: str, trace: Trace, head: Head) -> CellParts:
    """What is before q, k and v of a head and behind its values. The layers run once a translation and kind."""
    assert head.layer is not None and head.head is not None
    checkpoint = models.load(model)
    inputs = _attention_inputs(ablation.fingerprint(trace), head.kind, checkpoint, trace)
    return CellParts(inputs, head_parts(checkpoint, trace, head.kind, head.layer, head.head))


@st.cache_resource(max_entries=200, show_spinner=False)
def _attention_inputs(
    fingerprint: tuple[object, ...], kind: AttentionKind, _checkpoint: Checkpoint, _trace: Trace
) -> AttentionInputs:
    return attention_inputs(_checkpoint, _trace, kind)


@st.fragment
def explore(model: str, trace: Trace, other: AttentionMap | None, decoding: DecodingConfig) -> None:
    """All heads; run again, alone, when the browser asks for what it does not have."""
    messages = localized(MESSAGES)
    columns = figures(trace, other, messages)
    opening, note = opening_head(model, trace, columns)
    now = asked_heads(trace, opening, "heads")
    show_notes(*now.ignored)
    config = models.load(model).config
    assert isinstance(config, TransformerConfig)
    if now.pane in ("layer", "batch"):
        enter_pane(now.pane, now, opening)
        pane_tabs(now.pane)
        if now.pane == "layer":
            show_layer(model, trace, decoding, now.heads_off)
            guided_tour(layer_tour(trace, config))
        else:
            show_batch(model, trace, now.head if HEAD.asked() else Head("decoder", 0, 0))
            guided_tour(batch_tour(trace, config))
        return
    stage, spot = st.container(), st.empty()
    with stage:
        record = data(
            trace,
            chosen=now.head,
            off=now.off,
            pane=now.pane,
            vectors=now.cell,
            cell_parts=cell_parts(model, trace, now.head) if now.cell and now.head.single else None,
            messages=messages,
            model=models.heading(model, "transformer"),
            opening=opening,
            note=note,
            columns=columns,
            changes=ablation.log_probability_changes(model, trace, spot) if now.pane == "compare" else None,
            effect=ablation.effect(model, trace, now.off, decoding, now.intervention),
        )
        link: Link = {
            "pick": PICK,
            "view": PICK_VIEW,
            "step": PICK_STEP,
            "head": HEAD,
            "off": OFF,
            "pane": PANE,
            "by": CELL_BY,
        }
        # A value is sent only where something is called.
        mount("heads", record, key="heads", link=link, ask=lambda: None)
    guided_tour(heads_tour(trace, config, opening, columns))
