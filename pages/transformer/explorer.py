"""Explorer of the heads: all of them, which of them matter, and the arithmetic of one cell."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmtcore.analysis.head_parts import AttentionInputs, attention_inputs, recompute_head
from nmtcore.analysis.head_statistics import lowest_head
from nmtcore.config import TransformerConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import NmtError
from nmtcore.views.heads.data import MESSAGES, CellParts, data
from nmtcore.views.heads.head import Head
from nmtcore.views.heads.statistics import Column, make_columns
from pages.common import models
from pages.common.address import fragment, read_state
from pages.common.aligning_head import aligning_head
from pages.common.component import Link, Slice, localized, mount, reported
from pages.common.controls import show_notes
from pages.common.i18n import _
from pages.common.link_parameters import ATTENTION_RUN, CELL_BY, HEAD, OFF, PANE, PICK, PICK_STEP, PICK_VIEW
from pages.common.opening import ModelPage
from pages.common.probes import analysed, occluded
from pages.common.tour import guided_tour
from pages.common.vectors import NEIGHBORS
from pages.transformer import ablation
from pages.transformer.batch import show_batch
from pages.transformer.heads_link import HeadsLink, asked_heads
from pages.transformer.layer import KEY as STREAM
from pages.transformer.layer import show_layer
from pages.transformer.lesson import draw_lesson
from pages.transformer.panes import enter_pane, pane_tabs
from pages.transformer.state import TransformerState
from pages.transformer.tour import batch_tour, heads_tour, layer_tour

OWN_PANES = ("layer", "batch")
FIRST = Head("decoder", 0, 0)  # that the pane of masks opens with
PICTURES = ("heads", STREAM, "masks")  # keys, of the panes in their order


def best_head(columns: tuple[Column, ...]) -> tuple[Head, float] | None:
    """The cross head that agrees most with the model's own leave-one-out of this sentence, and how much it does.

    None where the sentence is too long for that.
    """
    found = next((column for column in columns if column.id == "occlusion"), None)
    if found is None:
        return None
    agrees = found.values["cross"][:-1, :-1]
    return Head("cross", *lowest_head(-agrees)), float(agrees.max())


def opening_head(model: str, best: tuple[Head, float] | None) -> tuple[Head, str]:
    """The head that the page opens with, and a sentence that says why; it names the best for this sentence {head}."""
    tested = aligning_head(model)
    if best is None:
        if tested:
            first = _("First: the head that aligns best in this model's test.")
        else:
            first = _("First: head 1 of the first layer.")
        says = _("This sentence is too long to leave out its words one by one, which would tell the best head for it.")
        return Head("cross", *(tested or (0, 0))), f"{first} {says}"
    head, share = best
    if not tested:
        says = _(
            "The page opens with {{head}}, the best for this sentence: {share} of its weight lies on the words without "
            "which a piece is less likely."
        )
    elif head == Head("cross", *tested):
        says = _(
            "First: {{head}}, which aligns best in this model's test and for this sentence, where {share} of its "
            "weight lies on the words without which a piece is less likely."
        )
    else:
        says = _(
            "First: the head that aligns best in this model's test. Best for this sentence: {{head}}, {share} of whose "
            "weight lies on the words without which a piece is less likely."
        )
    return Head("cross", *tested) if tested else head, says.format(share=f"{share:.0%}")


def cell_parts(model: str, trace: Trace, head: Head) -> CellParts:
    """What is before q, k and v of a head and behind its values. The layers run once a translation and kind."""
    assert head.layer is not None and head.head is not None
    checkpoint = models.load(model)
    inputs: AttentionInputs = analysed(partial(attention_inputs, checkpoint, trace, head.kind))
    return CellParts(inputs, recompute_head(checkpoint, trace, head.kind, head.layer, head.head))


@fragment
def explore(page: ModelPage[TransformerState], lesson: DeltaGenerator) -> None:
    """All heads; run again, alone, when the browser asks for what it does not have. lesson: where the pane's stands."""
    state, _notes = read_state(TransformerState)
    if state.word_vectors.vectors != page.state.word_vectors.vectors:
        st.rerun()  # the section stands outside of this fragment
    try:
        model, trace, decoding, config = page.model, page.trace, page.decoding, page.checkpoint.config
    except NmtError as error:  # of a saved model that has been deleted meanwhile
        show_notes(str(error))
        return
    assert isinstance(config, TransformerConfig)
    if PANE.read() in OWN_PANES and not reported("heads", "ask"):  # open already: what the heads find is not drawn
        _own_pane(page, config, asked_heads(trace, FIRST, "heads"), FIRST, lesson)
        return
    messages = localized(MESSAGES)
    other = ablation.additive_attention(page.question.choice, trace)
    columns = make_columns(trace, other, messages, occluded(model, trace.source_text, decoding))
    best = best_head(columns)
    opening, note = opening_head(model, best)
    now = asked_heads(trace, opening, "heads")
    if now.pane in OWN_PANES:
        _own_pane(page, config, now, opening, lesson)
        return
    draw_lesson(now.pane, lesson)
    show_notes(*now.ignored)
    after = models.translate(model, trace.source_text, decoding, now.intervention) if now.off else None
    shown = after if after and now.run == "after" else trace
    stage, spot = st.container(), st.empty()
    with stage:
        record = partial(
            data,
            trace,
            chosen=now.head,
            off=now.off,
            pane=now.pane,
            vectors=now.cell,
            cell_parts=cell_parts(model, shown, now.head) if now.cell and now.head.single else None,
            messages=messages,
            model=models.heading(model, "transformer"),
            opening=opening,
            note=note,
            best=best[0] if best else None,
            after=after,
            run=now.run,
            columns=columns,
            changes=ablation.log_probability_changes(model, trace, spot) if now.pane == "compare" else None,
            effect=ablation.effect(model, trace, after, now.off, decoding, now.intervention),
            neighbors=True,
        )
        link: Link = {
            "pick": PICK,
            "view": PICK_VIEW,
            "step": PICK_STEP,
            "head": HEAD,
            "off": OFF,
            "run": ATTENTION_RUN,
            "pane": PANE,
            "by": CELL_BY,
        }
        neighbors = Slice(page.state, NEIGHBORS, ("vectors",))
        mount("heads", record, key="heads", link=link, state=neighbors, ask=lambda: None)
    guided_tour(heads_tour(trace, opening, columns))


def _own_pane(
    page: ModelPage[TransformerState], config: TransformerConfig, now: HeadsLink, opening: Head, lesson: DeltaGenerator
) -> None:
    """A pane in the place of the picture of the heads. opening: the head that the address need not name."""
    trace = page.trace
    show_notes(*now.ignored)
    enter_pane(now.pane, now, opening)
    pane_tabs(now.pane)
    draw_lesson(now.pane, lesson)
    if now.pane == "layer":
        show_layer(page.state, page.model, trace, page.decoding, now.heads_off)
        guided_tour(layer_tour(trace, config))
    else:
        show_batch(page.model, trace)
        guided_tour(batch_tour(trace, config))
