"""A Marian model as a Transformer of ours: settings, and where each of its weights is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from nmtcore.config import TransformerConfig
from nmtcore.errors import CheckpointError
from nmtcore.marian.vocabulary import Rows
from nmtcore.models.checkpoint import WithoutInitialisation, build
from nmtcore.models.transformer import NEVER, Transformer
from nmtcore.text.vocabulary import Vocab


@dataclass(frozen=True)
class Tables:
    """The tables of a foreign model, in the order of its own ids, float16; bias: (V,) of the logits."""

    source: Tensor
    target: Tensor
    output: Tensor
    bias: Tensor

    def check(self, file: Path, width: int) -> Tables:
        """The same. Raises CheckpointError, which names the file, where they do not fit one another or the width."""
        for name, table in (("the source", self.source), ("the target", self.target), ("the output", self.output)):
            if table.dim() != 2 or table.size(1) != width:
                raise CheckpointError(
                    f"{file} does not fit its settings: the table of {name} is {tuple(table.shape)}, not {width} wide."
                )
        if not len(self.target) == len(self.output) == len(self.bias):
            raise CheckpointError(f"{file} is damaged: its tables of the target have different lengths.")
        return self


@dataclass(frozen=True)
class ForeignModel:
    """A model as its files give it.

    settings: those of TransformerConfig that the tables do not decide; weight: gives the tensor of a name of ours, of
    the layers; meta: what its config.json and card say of where it is from.
    """

    settings: dict[str, Any]
    tables: Tables
    vocab: Vocab
    rows: Rows
    weight: Callable[[str], Tensor]
    file: Path


def joined(
    weights: Mapping[str, Tensor], file: Path, names: Sequence[str], turned: Callable[[Tensor], Tensor] | None = None
) -> Tensor:
    """The tensors of these names, one behind another: queries, keys and values are one of ours. Raises CheckpointError.

    turned: what is done with each before.
    """
    if missing := [name for name in names if name not in weights]:
        raise CheckpointError(f"{file} does not fit its settings: {missing[0]} is missing.")
    halves = (weights[name].half() for name in names)
    try:
        return torch.cat([turned(tensor) if turned else tensor for tensor in halves])
    except RuntimeError as error:
        raise CheckpointError(f"{file} does not fit its settings: {names[0]} has another shape.") from error


def first(weights: Mapping[str, Tensor], *names: str) -> Tensor | None:
    """The first of these tensors that there is, in float16."""
    return next((weights[name].half() for name in names if name in weights), None)


def same(one: Tensor, other: Tensor) -> bool:
    """Whether two tables are the same numbers."""
    return one is other or torch.equal(one, other)


def transformer_of(foreign: ForeignModel) -> Transformer:
    """Build our model with its weights. Raises CheckpointError for a shape that does not fit."""
    tables, rows = foreign.tables, foreign.rows
    tied_output = same(tables.target, tables.output)
    tied = tied_output and rows.source == rows.target and same(tables.source, tables.target)
    config = TransformerConfig(
        len(foreign.vocab), **foreign.settings, tied=tied, tied_output=tied_output and not tied, output_bias=True
    )
    with WithoutInitialisation():
        model = build(config)
    assert isinstance(model, Transformer) and model.output_bias is not None
    with torch.no_grad():
        for name, parameter in layer_parameters(model):
            tensor = foreign.weight(name)
            if tensor.shape != parameter.shape:
                raise CheckpointError(
                    f"{foreign.file} does not fit its configuration: {name} is {tuple(tensor.shape)}, "
                    f"but must be {tuple(parameter.shape)}."
                )
            parameter.copy_(tensor)
        model.embed.weight.copy_(_moved(tables.source, rows.source))
        if not tied:
            model.embed_target.weight.copy_(_moved(tables.target, rows.target))
        if not tied and not tied_output:
            model.unembed.weight.copy_(_moved(tables.output, rows.target))
        model.output_bias.copy_(_moved(tables.bias, rows.target, NEVER))
    for name, parameter in model.named_parameters():
        if not parameter.isfinite().all():
            raise CheckpointError(f"{foreign.file} is damaged: {name} holds a value that is not finite in float16.")
    return model.eval()


def layer_parameters(model: Transformer) -> Iterator[tuple[str, Tensor]]:
    """The parameters of the layers, with their names."""
    for name, parameter in model.named_parameters():
        if name.startswith(("encoder.", "decoder.")):
            yield name, parameter


def _moved(table: Tensor, rows: tuple[int | None, ...], absent: float = 0.0) -> Tensor:
    """A table in our order of ids."""
    there = torch.tensor([row is not None for row in rows])
    moved = table[torch.tensor([row or 0 for row in rows])].float()
    moved[~there] = absent
    return moved
