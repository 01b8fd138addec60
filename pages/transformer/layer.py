"""The layer: one piece's way through a layer of the Transformer, and the translation with parts of layers off.

The address holds the piece (`piece=t3`) and the layer (`layer=2`), written by the picture, and what is off
(`parts-off=decoder.2.feedforward`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from nmtcore.analysis.residual_stream import recompute_stream
from nmtcore.config import DecodingConfig, TransformerConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import InterventionError, NmtError
from nmtcore.intervention import AttentionKind, Intervention, LayerPart, LayerSwitch, Stack, layer_switch
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.views.residual_stream.data import data
from nmtcore.views.residual_stream.messages import MESSAGES, PARTS
from pages.common import models
from pages.common.component import Link, Slice, localized, mount, reported
from pages.common.controls import show_notes
from pages.common.i18n import _, ngettext
from pages.common.link_parameters import LAYER, PARTS_OFF, STREAM_PIECE
from pages.common.piece_choice import asked_piece, longest_piece, piece_note
from pages.common.result import log_p, unfinished_note
from pages.common.vectors import NEIGHBORS
from pages.transformer.ablation import counted
from pages.transformer.state import TransformerState

KEY = "residual stream"  # of the picture


def part_name(part: LayerPart) -> str:
    return str(localized(PARTS)[part])


def switch_names(off: Sequence[LayerSwitch]) -> list[str]:
    """The parts of layers that are off, those of one kind together: `encoder layers 1–3, 5 residual`."""
    alike: dict[tuple[Stack, LayerPart], list[int]] = {}
    for stack, layer, part in sorted(off):
        alike.setdefault((stack, part), []).append(layer + 1)
    names = []
    for (stack, part), layers in alike.items():
        words = (
            ngettext("encoder layer {layers} {part}", "encoder layers {layers} {part}", len(layers))
            if stack == "encoder"
            else ngettext("decoder layer {layers} {part}", "decoder layers {layers} {part}", len(layers))
        )
        names.append(words.format(layers=ranges(layers), part=part_name(part)))
    return names


def ranges(numbers: Sequence[int]) -> str:
    """Ascending whole numbers, neighbours as a range: `1–3, 5`."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1] = [found[-1][0], number]
        else:
            found.append([number])
    return ", ".join("–".join(map(str, ends)) for ends in found)


def show_layer(
    state: TransformerState,
    model: str,
    trace: Trace,
    decoding: DecodingConfig,
    heads_off: tuple[tuple[AttentionKind, int, int], ...],
) -> None:
    """Draw the pane: the ways of all pieces through all layers, with parts of layers off what the address names."""
    config = models.load(model).config
    assert isinstance(config, TransformerConfig)
    layers: dict[Stack, int] = {"encoder": config.encoder_layers, "decoder": config.decoder_layers}
    off = _parts_off(layers)
    opening = longest_piece(trace, "target")
    if KEY not in st.session_state:  # later the address has what the browser wrote there: no link asked for that
        picked = asked_piece(STREAM_PIECE, STREAM_PIECE.asked() or "", trace) or opening
        highest = layers["encoder" if picked.side == "source" else "decoder"]
        show_notes(*piece_note(STREAM_PIECE, STREAM_PIECE.asked() or "", trace), *LAYER.within(1, highest).note())
    intervention = Intervention(heads_off=heads_off, parts_off=off)
    effect: list[tuple[str, str, str]] = []
    try:
        same = trace
        if off or heads_off:
            forced = Intervention(heads_off=heads_off, parts_off=off, forced=tuple(enumerate(trace.ids)))
            same = models.translate(model, trace.source_text, DecodingConfig(max_length=len(trace.ids)), forced)
            after = models.translate(model, trace.source_text, decoding, intervention)
            effect = _before_and_after(trace, same, after, off, len(heads_off))
        record = partial(
            _data,
            models.load(model),
            same,
            model=models.heading(model, "transformer"),
            opens=opening.code,
            effect=effect,
            messages=localized(MESSAGES),
        )
        link: Link = {"piece": STREAM_PIECE, "layer": LAYER}
        neighbors = Slice(state, NEIGHBORS, ("vectors",))
        mount("residual_stream", record, key=KEY, link=link, state=neighbors, off=_switched)
    except NmtError as error:
        show_notes(str(error))


def _data(loaded: Checkpoint, trace: Trace, **settings: Any) -> dict[str, Any]:
    assert isinstance(loaded.config, TransformerConfig)
    encoder, decoder = recompute_stream(loaded, trace, "encoder"), recompute_stream(loaded, trace, "decoder")
    return data(encoder, decoder, trace, loaded.config, **settings)


def _switched() -> None:
    """Put the parts that the picture asks to be off into the address."""
    codes = PARTS_OFF.parse(str(reported(KEY, "off") or ""))
    if codes is not None:
        PARTS_OFF.write(codes)


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


def _before_and_after(
    trace: Trace, same: Trace, after: Trace, off: Sequence[LayerSwitch], heads: int
) -> list[tuple[str, str, str]]:
    """The translation with everything on, and with the parts off: a title, the text and a remark each.

    same: the first as the model finds it with the parts off.
    """
    forced = _("with these parts off, as the layers are drawn here, it has {value}").format(
        value=log_p(same.log_probability)
    )
    names = switch_names(off) + ([counted(heads)] if heads else [])
    remarks = [log_p(after.log_probability), *unfinished_note(after)]
    if not after.text:
        remarks.append(_("Without these parts the model writes no word: the translation is empty."))
    title = _("After, without {parts}").format(parts=", ".join(names))
    before = [log_p(trace.log_probability), forced, *unfinished_note(trace)]
    return [
        (_("Before"), trace.text or _("(nothing)"), " · ".join(before)),
        (title, after.text or _("(nothing)"), " · ".join(remarks)),
    ]
