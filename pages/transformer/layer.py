"""The layer: one piece's way through a layer of the Transformer, and the translation with parts of layers off.

The address holds the piece (`piece=t3`), the layer (`layer=2`) and what is off (`parts-off=decoder.2.feedforward`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from nmtcore.analysis.embeddings import Side
from nmtcore.analysis.residual_stream import ResidualStream, SubLayerStage, recompute_stream
from nmtcore.config import DecodingConfig, TransformerConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import InterventionError, NmtError
from nmtcore.figures.residual_stream import VectorRow, logit_lens, vector_rows
from nmtcore.intervention import (
    LAYER_PARTS,
    AttentionKind,
    Intervention,
    LayerPart,
    LayerSwitch,
    Stack,
    layer_switch,
    layer_switch_code,
)
from nmtcore.text.words import piece_name
from pages.common import models
from pages.common.controls import show_notes
from pages.common.figure import draw_figure, theme_colors
from pages.common.i18n import _
from pages.common.link_parameters import LAYER, PARTS_OFF, STREAM_PIECE
from pages.common.neighbors import open_neighbors, row_code
from pages.common.piece_choice import PickedPiece, longest_piece, picked_piece, piece_chips
from pages.common.result import log_p, translation_line, unfinished_note
from pages.common.text import not_markdown

COLUMNS = 13  # stages side by side; of a deeper model the layers alone
STACKS: dict[Side, Stack] = {"source": "encoder", "target": "decoder"}


def part_name(part: LayerPart) -> str:
    names = {
        "attention": _("self-attention"),
        "cross": _("cross attention"),
        "feedforward": _("feed-forward"),
        "residual": _("residual"),
        "norm": _("norm"),
    }
    return names[part]


def switch_name(switch: LayerSwitch) -> str:
    stack, layer, part = switch
    words = _("encoder layer {layer} {part}") if stack == "encoder" else _("decoder layer {layer} {part}")
    return words.format(layer=layer + 1, part=part_name(part))


def show_layer(
    model: str, trace: Trace, decoding: DecodingConfig, heads_off: tuple[tuple[AttentionKind, int, int], ...]
) -> None:
    """Draw the pane: its controls, the rows of the chosen layer, all layers in short, before and after."""
    config = models.load(model).config
    assert isinstance(config, TransformerConfig)
    layers: dict[Stack, int] = {"encoder": config.encoder_layers, "decoder": config.decoder_layers}
    picked = picked_piece(STREAM_PIECE, trace, longest_piece(trace, "target"))
    stack, position = STACKS[picked.side], picked.position
    off = _parts_off(layers)
    chosen = LAYER.within(1, layers[stack])
    show_notes(*chosen.note())
    layer = chosen.read()
    labels = (_("Source, through the encoder:"), _("Translation, through the decoder:"))
    piece_chips(STREAM_PIECE, trace, picked, "layer piece", labels)
    _layer_controls(stack, layer, layers[stack], off)
    intervention = Intervention(heads_off=heads_off, parts_off=off)
    forced = Intervention(heads_off=heads_off, parts_off=off, forced=tuple(enumerate(trace.ids)))
    try:
        same, after = trace, trace
        if off or heads_off:
            limit = DecodingConfig(max_length=len(trace.ids))
            same = models.translate(model, trace.source_text, limit, forced)
            after = models.translate(model, trace.source_text, decoding, intervention)
        stream = recompute_stream(models.load(model), same, stack, position)
    except NmtError as error:
        show_notes(str(error))
        return
    if off or heads_off:
        _before_and_after(trace, same, after, off, len(heads_off))
    last = _what_is_read(stream, picked)
    _rows(stream, layer - 1, config, same, last)
    _all_layers(stream, trace)


def _parts_off(layers: dict[Stack, int]) -> tuple[LayerSwitch, ...]:
    """The parts of layers that the address switches off; a sentence about each that is not here."""
    found = []
    for code in PARTS_OFF.items():
        try:
            switch = layer_switch(code)
            if switch[1] >= layers[switch[0]]:
                raise InterventionError(code)
            found.append(switch)
        except InterventionError:
            show_notes(PARTS_OFF.wrong(code))
    return tuple(dict.fromkeys(found))


def _layer_controls(stack: Stack, layer: int, count: int, off: Sequence[LayerSwitch]) -> None:
    """The layer, and the switches of its parts."""
    st.session_state["layer number"] = layer
    st.session_state["layer switches"] = [part for s, i, part in off if (s, i) == (stack, layer - 1)]

    def choose() -> None:
        LAYER.write(st.session_state["layer number"] or layer)

    def switch() -> None:
        here: list[LayerSwitch] = [(stack, layer - 1, part) for part in st.session_state["layer switches"]]
        others = [s for s in off if s[:2] != (stack, layer - 1)]
        PARTS_OFF.write(tuple(sorted(map(layer_switch_code, [*others, *here]))))

    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="layer controls"):
        st.caption(_("Encoder layer") if stack == "encoder" else _("Decoder layer"), width="content")
        st.segmented_control(
            _("Layer"),
            range(1, count + 1),
            key="layer number",
            on_change=choose,
            label_visibility="collapsed",
            width="content",
        )
        st.caption(_("Switch off:"), width="content")
        st.pills(
            _("Switch off:"),
            LAYER_PARTS[stack],
            selection_mode="multi",
            key="layer switches",
            format_func=part_name,
            on_change=switch,
            label_visibility="collapsed",
            wrap=True,
            width="content",
        )
        if off:
            st.button(_("switch all on"), key="layer all on", type="tertiary", on_click=lambda: PARTS_OFF.write(()))


def _before_and_after(trace: Trace, same: Trace, after: Trace, off: Sequence[LayerSwitch], heads: int) -> None:
    """The translation with everything on, and with the parts off."""
    before, now = st.columns(2)
    with before:
        forced = _("with these parts off it has {value}").format(value=log_p(same.log_probability))
        translation_line(
            _("Before"), "transformer", trace.text, log_p(trace.log_probability), forced, *unfinished_note(trace)
        )
    with now:
        names = [switch_name(switch) for switch in off] + ([_("heads: {count}").format(count=heads)] if heads else [])
        title = _("After, without {parts}").format(parts=", ".join(names))
        text = after.text or _("(nothing)")
        translation_line(title, "transformer", text, log_p(after.log_probability), *unfinished_note(after))
    if not after.text:
        st.text(_("Without these parts the model writes no word: the translation is empty."))


def _what_is_read(stream: ResidualStream, picked: PickedPiece) -> str:
    """What the stack does at this place, with the way to the picked piece's neighbours; returns what the rows say."""
    piece = piece_name(stream.token)
    if stream.predicts is None:
        chosen, last = piece, _("nearest embeddings, by cosine")
        says = _("The encoder reads “{piece}”.").format(piece=piece)
    else:
        chosen, last = piece_name(stream.predicts), _("would say next, with probability")
        says = _("The decoder has read up to “{piece}”; the translation goes on with “{next}”.")
        says = says.format(piece=piece, next=chosen)  # which with parts off it may not predict
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="layer reads"):
        st.text(says, width="content")
        st.button(
            _("neighbours of {piece}").format(piece=not_markdown(f"“{chosen}”")),
            key="layer neighbors",
            type="tertiary",
            on_click=open_neighbors,
            args=(picked.code,),
        )
    return last


def _rows(stream: ResidualStream, layer: int, config: TransformerConfig, trace: Trace, last: str) -> None:
    """The chosen layer, vector by vector. last: what stands over the pieces of a stream."""
    norm = config.norm
    piece = piece_name(stream.token)
    rows = []
    if layer == 0:
        times = " · W" if config.concatenate_positions else ""
        word = _("embedding · √D") if config.scale_embedding else _("embedding")
        rows += [
            VectorRow(f"{word}{times}", stream.embedding),
            VectorRow(f"{_('+ position')}{times}", stream.place),
        ]
    stages = stream.layer(layer)
    begins = stream.start_says if layer == 0 else stream.layer(layer - 1)[-1].says
    rows.append(VectorRow(_("= stream"), stages[0].before, says=begins))
    for stage in stages:
        added = _("+ {part}").format(part=part_name(stage.part))
        if norm == "pre":
            rows.append(VectorRow(_("layer norm"), stage.read))
        rows.append(_inner_row(stage, config))
        rows.append(
            VectorRow(added, stage.added, share=stage.share, note=_made_from(stage, trace.intervention, stream.stack))
        )
        if norm == "post":
            rows.append(VectorRow(_("sum"), stage.total))
        rows.append(
            VectorRow(_("= stream") if norm == "pre" else _("layer norm = stream"), stage.stream, says=stage.says)
        )
    colors = theme_colors()
    headings = (_("first 16 numbers"), _("length"), _("÷ stream"), last)
    table = pd.DataFrame(
        [
            {"row": row.name, "norm": float((row.values**2).sum() ** 0.5), "share": row.share}
            | {f"says {i + 1}": f"{said.token} {said.value:.4f}" for i, said in enumerate(row.says)}
            | {f"x{i + 1}": float(value) for i, value in enumerate(row.values)}
            for row in rows
        ]
    )
    draw_figure(
        vector_rows(rows, headings, colors.ink, colors.neutral),
        key="layer-rows",
        title=_("Transformer, layer {layer}, {piece}: {sentence}").format(
            layer=layer + 1, piece=piece, sentence=trace.source_text
        ),
        table=table,
    )
    st.markdown(
        _(
            "**Pre-norm**, as this model is: each sub-layer reads the norm of the stream and adds to the stream "
            "itself, $x+F(\\mathrm{LN}(x))$. What was added stays in it."
        )
        if norm == "pre"
        else _(
            "**Post-norm**, as this model is: each sub-layer reads the stream itself, and the sum is normalised, "
            "$\\mathrm{LN}(x+F(x))$, which keeps the stream's size."
        )
    )


def _inner_row(stage: SubLayerStage, config: TransformerConfig) -> VectorRow:
    """What stands between a sub-layer's input and its output: the contexts of the heads, or the inner layer."""
    if stage.active is None:
        says = _("{heads} heads, {numbers} numbers each, joined").format(
            heads=config.heads, numbers=config.width // config.heads
        )
        return VectorRow(_("contexts of the heads"), stage.inner, note=says)
    says = _("{active} of {units} units above zero").format(active=f"{stage.active:,}", units=f"{stage.units:,}")
    return VectorRow(_("inner layer, largest"), stage.inner, note=says, shown=np.sort(stage.inner)[::-1])


def _made_from(stage: SubLayerStage, intervention: Intervention, stack: Stack) -> str:
    """How a sub-layer makes its output from the row above it."""
    if stage.part in intervention.off_in_layer(stack, stage.layer):
        return _("switched off")
    if stage.active is None:
        return _("= Concat(contexts) · Wᴼ + bᴼ")
    return _("= inner layer · W₂ + b₂: {units} numbers to {width}").format(
        units=f"{stage.units:,}", width=len(stage.added)
    )


def _all_layers(stream: ResidualStream, trace: Trace) -> None:
    """What the stream would say after each sub-layer; of a deep model, after each layer."""
    stages = stream.stages
    side: Side = "source" if stream.predicts is None else "target"
    if len(stages) >= COLUMNS:
        stages = tuple(stage for stage in stages if stage.part == "feedforward")
    named = [(_("embedding"), stream.start_says)]
    for stage in stages:
        name = _("layer {layer}").format(layer=stage.layer + 1)
        named.append((f"{name}\n{part_name(stage.part)}", stage.says))
    st.markdown(
        _(
            "**What the stream would say if it ended there**: the pieces whose embeddings lie nearest to it. The "
            "encoder has no output layer of its own, so these are cosines, not probabilities. Click a piece for its "
            "neighbours, or go there with Tab and the arrow keys and press Enter."
        )
        if stream.predicts is None
        else _(
            "**What the stream would say if it ended there**: the model's own final norm and output layer on it (the "
            "logit lens, nostalgebraist 2020). The last column is what the model does say. Click a piece for its "
            "neighbours, or go there with Tab and the arrow keys and press Enter."
        )
    )
    table = pd.DataFrame(
        [
            {"stage": name.replace("\n", " "), "rank": rank, "piece": said.token, "value": said.value}
            for name, says in named
            for rank, said in enumerate(says, 1)
        ]
    )
    colors = theme_colors()
    draw_figure(
        logit_lens(named, colors.background, colors.ink),
        key="layer-says",
        title=_("What the stream would say, {piece}: {sentence}").format(
            piece=piece_name(stream.token), sentence=trace.source_text
        ),
        table=table,
        on_pick=lambda index: open_neighbors(row_code(side, index)),
    )
