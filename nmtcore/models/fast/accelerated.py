"""Base class of the fast copies: it decides when their weights are packed again."""

import copy
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.fast.packed import (
    MakeProduct,
    Packed,
    PackedLinear,
    Product,
    pack_linears,
    packed_product,
    plain_product,
)
from nmtcore.models.padded import Padded
from nmtcore.models.seq2seq import Memory, Seq2Seq


class OutputLayer(NamedTuple):
    """The products of a model that keeps all but the output layer in its PackedLinear modules."""

    logits: Product  # (N, V)


class Accelerated(Packed, Seq2Seq):
    """A fast copy that shares its model's weights; `product` holds the packed matrices of a step.

    On a CPU the first `encode` packs them, and `encode` or `decoder_output` again after a change of the weights.
    PyTorch does not notice a write through `parameter.data`: accelerate the model again after one. A GPU needs no
    packing.
    """

    laid_out_at = 0  # version counters of the weights that were packed

    def __init__(self, model: Seq2Seq) -> None:
        nn.Module.__init__(self)
        shared: dict[int, Any] = {id(t): t for t in (*model.parameters(), *model.buffers())}
        vars(self).update(vars(copy.deepcopy(model, shared)))  # other modules, the same weights
        pack_linears(self)

    def products(self, make: MakeProduct) -> Any:
        """The matrix products of a step beside those of its Linears, each made by `make`; one is `logits`, (N, V)."""
        return OutputLayer(make(*self.output_layer))

    def project(self, output: Tensor) -> Tensor:
        """The output layer through its packed product, for float32 rows (N, ...) and without gradients."""
        products = self.product  # read once: another thread may drop it
        if products is None or output.dim() != 2 or output.dtype != torch.float32 or torch.is_grad_enabled():
            return super().project(output)
        logits: Tensor = products.logits(output)
        return logits

    def encode(self, source: Padded, intervention: Intervention = NO_CHANGE) -> Memory:
        self.follow_weights()
        return super().encode(source, intervention)

    def decoder_output(self, source: Padded, inputs: Padded) -> Tensor:
        if self.product is not None:  # a copy that only scores what is written, many rows at a time, needs no packing
            self.follow_weights()
        return super().decoder_output(source, inputs)

    def follow_weights(self) -> None:
        """Pack again the weights that have changed, except in training."""
        if not self.training and (self.product is None or self.laid_out_at != self.written()):
            self.lay_out()

    def lay_out(self) -> None:
        """Pack the weights of every PackedLinear and of a step."""
        self.laid_out_at = self.written()
        weight = next(self.parameters())
        make = packed_product if weight.device.type == "cpu" and weight.dtype == torch.float32 else plain_product
        for module in self.modules():
            if isinstance(module, PackedLinear):
                module.product = make(module.weight, module.bias)
        self.product = self.products(make)

    def written(self) -> int:
        """The sum of the weights' version counters: it grows with every write."""
        return sum(p._version for p in self.parameters() if not p.is_inference())
