"""The residual stream as plain data: the paths of all pieces in both sentences through all layers.

The browser gets them once; choosing a piece or a layer never runs a page. Both stand in the address
(`piece=t3&layer=2`), written there by the picture. Each vector has its first numbers and its length.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from nmtcore.analysis.residual_stream import LensPiece, ResidualStream, SubLayerStage
from nmtcore.config import TransformerConfig
from nmtcore.decoding.trace import Array, Trace
from nmtcore.figures.palette import HUES
from nmtcore.intervention import LAYER_PARTS, layer_switch_code
from nmtcore.text.words import piece_name, sentence_names
from nmtcore.views.binary import in_base64
from nmtcore.views.residual_stream.messages import MESSAGES

SHOWN = 16  # numbers of each vector
FULL = 32767  # the 16-bit number that stands for the largest of a vector
COLUMNS = 13  # rows of the logit lens, side by side; for a deeper model, layers only

Row = dict[str, Any]


def data(
    encoder: ResidualStream,
    decoder: ResidualStream,
    trace: Trace,
    config: TransformerConfig,
    *,
    model: str,
    opens: str,
    effect: Sequence[Sequence[str]] = (),
) -> dict[str, Any]:
    """The residual streams of `trace`, in which parts of layers may be switched off.

    model: its name in the title of saved pictures. opens: the code of the initial piece, such as `t3`. effect:
    translations with everything on and with parts off, each a title, a text and a remark.
    """
    return {
        "model": model,
        "sentence": trace.source_text,
        "hue": HUES["transformer"],
        "norm": config.norm,
        "heads": config.heads,
        "width": config.width,
        "count": min(SHOWN, config.width),
        "opens": opens,
        "off": [layer_switch_code(switch) for switch in trace.intervention.parts_off],
        "effect": [list(line) for line in effect],
        "stacks": {"s": _stack(encoder, trace, config), "t": _stack(decoder, trace, config)},
        "words": MESSAGES,
    }


def _stack(stream: ResidualStream, trace: Trace, config: TransformerConfig) -> dict[str, Any]:
    """One side: the rows of each layer in order of computation, and the logit lens."""
    count = 1 + stream.stages[-1].layer
    lens = [("embedding", 0, stream.start_says), *((s.part, s.layer + 1, s.says) for s in stream.stages)]
    return {
        "stack": stream.stack,
        "names": sentence_names(trace.source if stream.stack == "encoder" else trace.target),
        "reads": sentence_names(stream.tokens),
        "predicts": None if stream.predicts is None else sentence_names(stream.predicts),
        "switches": list(LAYER_PARTS[stream.stack]),
        "layers": [_layer(stream, index, trace, config) for index in range(count)],
        "lens": [
            {"part": part, "layer": layer, "says": [_lens(pieces) for pieces in says]} for part, layer, says in lens
        ],
        "columns": [
            n for n, (part, _, _) in enumerate(lens) if len(lens) <= COLUMNS or part in ("embedding", "feedforward")
        ],
    }


def _layer(stream: ResidualStream, index: int, trace: Trace, config: TransformerConfig) -> list[Row]:
    """The vectors of one layer. says: the column of the logit lens for a stream."""
    times = " · W" if config.concatenate_positions else ""
    rows = []
    if index == 0:
        word = "scaled" if config.scale_embedding else "embedding"
        rows = [_row(word, stream.embedding, times=times), _row("place", stream.place, times=times)]
    first = next(n for n, stage in enumerate(stream.stages) if stage.layer == index)
    stages = stream.layer(index)
    rows.append(_row("stream", stages[0].before, says=first))
    off = trace.intervention.off_in_layer(stream.stack, index)
    alone, unnormed = "residual" in off, "norm" in off
    for n, stage in enumerate(stages, first + 1):
        if stream.norm == "pre":
            rows.append(_row("unnormed" if unnormed else "read", stage.read))
        rows.append(_inner(stage))
        note = "off" if stage.part in off else "made_of_contexts" if stage.active is None else "made_of_inner"
        added = _row("alone" if alone else "added", stage.added, part=stage.part, units=stage.units, note=note)
        added["shares"] = [None if math.isinf(share) else _rounded(share) for share in stage.share.tolist()]
        rows.append(added)
        if stream.norm == "post" and not alone:
            rows.append(_row("total", stage.total))
        rows.append(_row("stream" if stream.norm == "pre" or unnormed else "normed", stage.stream, says=n))
    return rows


def _inner(stage: SubLayerStage) -> Row:
    """An intermediate value of a sub-layer: the contexts of the heads, or the inner layer."""
    if stage.active is None:
        return _row("contexts", stage.inner, note="joined")
    count = min(SHOWN, stage.inner.shape[1])
    largest: Array = np.sort(np.partition(stage.inner, -count)[:, -count:])[:, ::-1]
    norms = np.linalg.norm(stage.inner, axis=1)
    return _row("inner", largest, norms, note="active", active=stage.active.tolist(), units=stage.units)


def _row(name: str, vectors: Array, norms: Array | None = None, **more: Any) -> Row:
    """Vectors of all pieces, (T, D): first numbers in 16 bits and base64, the largest of each, and the lengths.

    Rounding changes no number by more than 1/65,000 of the largest displayed one.
    """
    shown = vectors[:, :SHOWN]
    largest = np.abs(shown).max(1)
    scaled = shown / np.where(largest == 0, 1, largest)[:, None]
    norms = np.linalg.norm(vectors, axis=1) if norms is None else norms
    return {
        "name": name,
        "values": in_base64(np.round(scaled * FULL).astype("<i2")),
        "largest": [_rounded(size) for size in largest.tolist()],
        "norms": [_rounded(norm) for norm in norms.tolist()],
        **more,
    }


def _lens(pieces: Sequence[LensPiece]) -> list[list[Any]]:
    # Significant digits instead of decimal places, so that a value close to zero is not shown as zero.
    return [[piece_name(piece.token), piece.id, float(f"{piece.value:.4g}")] for piece in pieces]


def _rounded(value: float) -> float:
    """Round to the most digits that the picture shows."""
    return round(value, 4)
