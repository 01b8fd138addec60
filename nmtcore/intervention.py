"""What-if interventions: an `Intervention` is plain data for encode, step and decode; None is the ordinary run."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields
from typing import Any, Literal, cast

from nmtcore.errors import InterventionError

AttentionKind = Literal["encoder", "decoder", "cross"]
ATTENTION_KINDS: tuple[AttentionKind, ...] = ("encoder", "decoder", "cross")
Stack = Literal["encoder", "decoder"]  # of layers
LayerPart = Literal["attention", "cross", "feedforward", "residual", "norm"]  # attention is self attention
LAYER_PARTS: dict[Stack, tuple[LayerPart, ...]] = {
    "encoder": ("attention", "feedforward", "residual", "norm"),
    "decoder": ("attention", "cross", "feedforward", "residual", "norm"),
}
LayerSwitch = tuple[Stack, int, LayerPart]
PositionOrder = Literal["kept", "dropped"] | tuple[int, ...]  # position ablation; a tuple p: token i has position p_i


@dataclass(frozen=True)
class Intervention:
    """Changes to one run of a model. Steps, layers, heads and positions count from zero.

    Every field is a tuple or a string, so an Intervention can be hashed (as a cache key) and written as JSON.
    """

    heads_off: tuple[tuple[AttentionKind, int, int], ...] = ()  # (kind, layer, head) whose output becomes zero
    parts_off: tuple[LayerSwitch, ...] = ()  # (stack, layer, part): see `off_in_layer`
    attention: tuple[tuple[int, tuple[float, ...]], ...] = ()  # (step, row over the source) for cross attention
    positions: PositionOrder = "kept"  # of the source
    target_positions: Literal["kept", "dropped"] = "kept"
    forced: tuple[tuple[int, int], ...] = ()  # (step, token id) that search must take
    forbidden: tuple[tuple[int | None, int], ...] = ()  # (step, token id) never chosen; step None is every step
    contains: tuple[tuple[int, ...], ...] = ()  # phrases, as token ids, that the translation must contain
    initials: str = ""  # letters with which its first words must begin, one per word: an acrostic

    def __post_init__(self) -> None:
        for kind, layer, head in self.heads_off:
            if kind not in ATTENTION_KINDS or layer < 0 or head < 0:
                raise InterventionError(
                    f"There is no {kind!r} head {head} in layer {layer}; kinds are {', '.join(ATTENTION_KINDS)}."
                )
        for stack, layer, part in self.parts_off:
            if part not in LAYER_PARTS.get(stack, ()) or layer < 0:
                raise InterventionError(
                    f"There is no {part!r} in layer {layer} of the {stack!r}: the encoder's layers have "
                    f"{', '.join(LAYER_PARTS['encoder'])}, the decoder's cross as well."
                )
        for step, row in self.attention:
            if not row or any(not math.isfinite(w) or w < 0 for w in row) or abs(sum(row) - 1) > 1e-3:
                raise InterventionError(
                    f"The attention row for step {step} must be non-negative numbers that sum to one, "
                    "one for each source token."
                )
        if isinstance(self.positions, tuple) and sorted(self.positions) != list(range(len(self.positions))):
            raise InterventionError("Shuffled positions must contain each of 0 .. S-1 once.")
        steps = [step for step, _ in self.forced]
        if len(set(steps)) < len(steps):
            raise InterventionError("Only one token can be forced at a step.")

    @classmethod
    def prefix(cls, ids: tuple[int, ...] | list[int]) -> Intervention:
        """Force the first tokens of the output: decoding continues from there."""
        return cls(forced=tuple(enumerate(ids)))

    @classmethod
    def attend_to(cls, step: int, position: int, length: int) -> Intervention:
        """Put all cross attention at `step` on one of `length` source tokens."""
        if not 0 <= position < length:
            raise InterventionError(f"The source position must be between 0 and {length - 1}; it is {position}.")
        return cls(attention=((step, tuple(float(i == position) for i in range(length))),))

    @classmethod
    def attend_uniformly(cls, step: int, length: int) -> Intervention:
        """Spread the cross attention at `step` evenly over `length` source tokens."""
        return cls(attention=((step, (1 / length,) * length),))

    def off(self, kind: AttentionKind, layer: int) -> tuple[int, ...]:
        """The heads of one layer that are switched off."""
        if not self.heads_off:  # a fast exit, since every layer asks at every step
            return ()
        return tuple(h for k, i, h in self.heads_off if k == kind and i == layer)

    def off_in_layer(self, stack: Stack, layer: int) -> tuple[LayerPart, ...]:
        """The parts of one layer that are switched off.

        Attention, cross attention and feed-forward then add zero; without the residual connections each sub-layer's
        output replaces the stream; without the norms (all in the layer) numbers pass unchanged.
        """
        if not self.parts_off:
            return ()
        return tuple(part for s, i, part in self.parts_off if s == stack and i == layer)

    def row(self, step: int) -> tuple[float, ...] | None:
        """The attention row that replaces the model's own at `step`, if any."""
        return dict(self.attention).get(step) if self.attention else None

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready dict of the fields that differ from their defaults; the empty dict is the ordinary run."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) != f.default}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Intervention:
        """The inverse of `to_json`, also for lists in place of tuples. Raises TypeError for an unknown field."""
        return cls(**{name: _tuples(value) for name, value in data.items()})


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value


NO_CHANGE = Intervention()


def layer_switch(code: str) -> LayerSwitch:
    """Parse the name of a layer's part, such as `encoder.2.feedforward`; layers count from one here.

    Raises InterventionError.
    """
    match = re.fullmatch(r"(encoder|decoder)\.([1-9]\d{0,2})\.([a-z]+)", code, re.ASCII)
    if not match or match[3] not in LAYER_PARTS[cast(Stack, match[1])]:
        raise InterventionError(
            f"{code[:40]!r} is not a part of a layer: write it as encoder.2.feedforward. The parts are "
            f"{', '.join(LAYER_PARTS['decoder'])}; cross is only in the decoder."
        )
    return cast(Stack, match[1]), int(match[2]) - 1, cast(LayerPart, match[3])


def layer_switch_code(switch: LayerSwitch) -> str:
    """The inverse of `layer_switch`."""
    stack, layer, part = switch
    return f"{stack}.{layer + 1}.{part}"
