"""One piece's path through a Transformer layer, and the translation with parts of layers off.

The browser chooses piece and layer without a run; with parts off the model translates again.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from nmtcore.analysis.residual_stream import recompute_stream
from nmtcore.config import DecodingConfig, TransformerConfig
from nmtcore.decoding.trace import Trace
from nmtcore.intervention import Intervention, LayerPart, LayerSwitch, Stack
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.views.residual_stream.data import data
from nmtcore.views.residual_stream.messages import PARTS
from pages.common import models
from pages.common.address import as_linked
from pages.common.component import Slice, localized, mount
from pages.common.controls import errors_said, show_notes
from pages.common.i18n import _, ngettext
from pages.common.piece_choice import longest_piece
from pages.common.result import log_p, unfinished_note
from pages.transformer.ablation import counted
from pages.transformer.state import STREAM, TransformerState, off_codes

KEY = "residual stream"  # of the picture
SAID = 3  # sentences about a link


def show_lacking(lacking: Iterable[tuple[str, str]]) -> None:
    """Say what a link asks for that this translation lacks, not what was asked of another. lacking: fields of the
    state, each with a sentence."""
    said = [says for field, says in lacking if as_linked(TransformerState, field, "choice", "typed", "beam")]
    show_notes(*said[:SAID])


def part_name(part: LayerPart) -> str:
    return str(localized(PARTS)[part])


def switch_names(off: Sequence[LayerSwitch]) -> list[str]:
    """The parts of layers that are off, grouped by kind: `encoder layers 1–3, 5 residual`."""
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
    """Ascending whole numbers, with runs as ranges: `1–3, 5`."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][-1] + 1:
            spans[-1] = [spans[-1][0], number]
        else:
            spans.append([number])
    return ", ".join("–".join(map(str, ends)) for ends in spans)


@errors_said()
def show_layer(state: TransformerState, model: str, trace: Trace, decoding: DecodingConfig) -> None:
    """Draw the pane: the paths of all pieces through all layers, without the parts that the state switches off."""
    config = models.load(model).config
    assert isinstance(config, TransformerConfig)
    layers: dict[Stack, int] = {"encoder": config.encoder_layers, "decoder": config.decoder_layers}
    show_lacking(state.lacking_layers(trace, layers))
    off, heads_off = state.switches(layers), off_codes(state.without_heads(trace))
    opening = longest_piece(trace, "target")
    intervention = Intervention(heads_off=heads_off, parts_off=off)
    effect: list[tuple[str, str, str]] = []
    same = trace
    if off or heads_off:
        forced = Intervention(heads_off=heads_off, parts_off=off, forced=tuple(enumerate(trace.ids)))
        ways = ((DecodingConfig(max_length=len(trace.ids)), forced), (decoding, intervention))
        same, after = models.ask([models.request(model, state.question.source, *way) for way in ways])
        effect = _before_and_after(trace, same, after, off, len(heads_off))
    record = partial(
        _data,
        models.load(model),
        same,
        model=models.heading(model),
        opens=opening.code,
        effect=effect,
    )
    mount("residual_stream", record, key=KEY, state=Slice(state, STREAM, ("off", "vectors")))


def _data(loaded: Checkpoint, trace: Trace, **settings: Any) -> dict[str, Any]:
    assert isinstance(loaded.config, TransformerConfig)
    encoder, decoder = recompute_stream(loaded, trace, "encoder"), recompute_stream(loaded, trace, "decoder")
    return data(encoder, decoder, trace, loaded.config, **settings)


def _before_and_after(
    trace: Trace, same: Trace, after: Trace, off: Sequence[LayerSwitch], heads: int
) -> list[tuple[str, str, str]]:
    """The translation with everything on, and with the parts off: each with a title, the text and a remark.

    same: the first, scored by the model with the parts off.
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
