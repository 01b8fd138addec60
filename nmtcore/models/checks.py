"""Checks that several architectures make of a sentence or an Intervention; each raises an error with the reason."""

from nmtcore.errors import InterventionError, TextError
from nmtcore.intervention import Intervention


def check_length(pieces: int, positions: int) -> None:
    """Raise TextError if a sentence has more pieces than the model's position table has rows."""
    if pieces > positions:
        raise TextError(f"This model knows {positions} positions; shorten the sentence to fewer pieces.")


def check_no_layer_parts(intervention: Intervention) -> None:
    """Raise InterventionError if parts of a layer are switched off, for models that have no such parts."""
    if intervention.parts_off:
        raise InterventionError(
            "Only a Transformer's layers have attention, feed-forward, residual and norm to switch off."
        )


def check_recurrent(intervention: Intervention, source_length: int) -> None:
    """Raise InterventionError for a change that a recurrent model with one cross-attention head does not support."""
    if (intervention.positions, intervention.target_positions) != ("kept", "kept"):
        raise InterventionError("A recurrent model has no positions to drop or shuffle: it reads in order.")
    check_no_layer_parts(intervention)
    for kind, layer, head in intervention.heads_off:
        if (kind, layer, head) != ("cross", 0, 0):
            raise InterventionError(
                f"This model has one cross-attention head, layer 0 head 0; not {kind} layer {layer} head {head}."
            )
    for step, row in intervention.attention:
        if len(row) != source_length:
            raise InterventionError(
                f"The attention row for step {step} has {len(row)} weights; the source has {source_length} tokens."
            )


def check_layers(intervention: Intervention, encoder: int, decoder: int, heads: int) -> None:
    """Raise InterventionError for a head, or a part of a layer, that a Transformer does not have.

    encoder, decoder: their numbers of layers; heads: the number of heads in each attention.
    """
    layers = {"encoder": encoder, "decoder": decoder, "cross": decoder}
    for kind, layer, head in intervention.heads_off:
        if layer >= layers[kind] or head >= heads:
            raise InterventionError(
                f"{kind} attention has layers 0 to {layers[kind] - 1} and heads 0 to {heads - 1}; "
                f"there is no layer {layer} head {head}."
            )
    for stack, layer, _ in intervention.parts_off:
        if layer >= layers[stack]:
            raise InterventionError(
                f"The {stack} of this model has the layers 1 to {layers[stack]}; there is no layer {layer + 1}."
            )


def check_source_positions(intervention: Intervention, source_length: int) -> None:
    """Raise InterventionError if an attention row or an order of positions does not have the length of the source."""
    named = [len(row) for _, row in intervention.attention]
    if isinstance(intervention.positions, tuple):
        named.append(len(intervention.positions))
    for length in named:
        if length != source_length:
            raise InterventionError(f"The change names {length} source positions; this sentence has {source_length}.")
