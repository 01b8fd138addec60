"""Checks that several architectures make of a sentence or an Intervention; each raises an error with the reason."""

from collections.abc import Mapping

from nmtcore.errors import InterventionError, TextError
from nmtcore.intervention import AttentionKind, Intervention


def check_length(pieces: int, positions: int) -> None:
    """Raise TextError if a sentence has more pieces than the model's position table has rows."""
    if pieces > positions:
        raise TextError(f"This model knows {positions} positions; shorten the sentence to fewer pieces.")


def check_change(
    intervention: Intervention,
    source_length: int,
    layers: Mapping[AttentionKind, int],
    heads: int = 1,
    parts: bool = False,
) -> None:
    """Raise InterventionError for heads, parts of a layer, or source positions that a model or its source lacks.

    layers: how many the model has with each kind of attention; heads: of each attention; parts: whether its layers have
    parts that can be switched off, as a Transformer's have.
    """
    for kind, layer, head in intervention.heads_off:
        if layer >= layers.get(kind, 0) or head >= heads:
            known = ", ".join(f"{name} layers 0 to {count - 1}" for name, count in layers.items())
            raise InterventionError(
                f"This model has no {kind} head {head} in layer {layer}: it has {known}, with heads 0 to {heads - 1}."
            )
    for stack, layer, _ in intervention.parts_off:
        if not parts:
            raise InterventionError(
                "Only a Transformer's layers have attention, feed-forward, residual and norm to switch off."
            )
        if layer >= layers[stack]:
            raise InterventionError(
                f"The {stack} of this model has the layers 1 to {layers[stack]}; there is no layer {layer + 1}."
            )
    named = [len(row) for _, row in intervention.attention]
    if isinstance(intervention.positions, tuple):
        named.append(len(intervention.positions))
    for length in named:
        if length != source_length:
            raise InterventionError(f"The change names {length} source positions; this sentence has {source_length}.")


def check_recurrent(intervention: Intervention, source_length: int) -> None:
    """`check_change` for a recurrent model, which has one cross-attention head and no positions."""
    if (intervention.positions, intervention.target_positions) != ("kept", "kept"):
        raise InterventionError("A recurrent model has no positions to drop or shuffle: it reads in order.")
    check_change(intervention, source_length, {"cross": 1})
