"""What the fast copies of all architectures have in common: when their weights are laid out."""

from __future__ import annotations

import copy
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from nmtcore.intervention import Intervention
from nmtcore.models.fast.packed import MakeProduct, Packed, PackedLinear, Product, packed_product, plain_product
from nmtcore.models.padded import Padded
from nmtcore.models.seq2seq import Memory, Seq2Seq


class Products(Protocol):
    """The matrix products of a step, a named tuple of the architecture's own; the output layer is one of all."""

    @property
    def logits(self) -> Product: ...  # (N, V)


class Accelerated(Packed, Seq2Seq):
    """A copy of a model whose weights are the model's own; `product` holds what a step multiplies by.

    On a CPU these are laid out anew by the first `encode` or `hidden` after somebody wrote to the weights. (Writing
    through `parameter.data` is what PyTorch does not count: accelerate again after it.) A GPU needs no other layout.
    """

    laid_out_at = 0  # how often the weights had been written to

    def __init__(self, model: Seq2Seq) -> None:
        nn.Module.__init__(self)
        shared: dict[int, Any] = {id(t): t for t in (*model.parameters(), *model.buffers())}
        vars(self).update(vars(copy.deepcopy(model, shared)))  # other modules, the same weights
        self.replace_linears()
        self.lay_out()

    def replace_linears(self) -> None:
        """Put a PackedLinear in the place of each Linear that decoding uses."""
        raise NotImplementedError

    def products(self, make: MakeProduct) -> Products:
        """The matrix products of a step, each made by `make`."""
        raise NotImplementedError

    def project(self, hidden: Tensor) -> Tensor:
        """The output layer by its product for rows (N, ...): float32 alone, and without gradients."""
        products: Products | None = self.product  # asked once: another thread may drop it
        if products is None or hidden.dim() != 2 or hidden.dtype != torch.float32 or torch.is_grad_enabled():
            return super().project(hidden)
        return products.logits(hidden)

    def encode(self, source: Padded, intervention: Intervention | None = None) -> Memory:
        self.follow_weights()
        return super().encode(source, intervention)

    def hidden(self, source: Padded, inputs: Padded) -> Tensor:
        self.follow_weights()
        return super().hidden(source, inputs)

    def follow_weights(self) -> None:
        """Lay out anew what has been written to, but in training."""
        if not self.training and (self.product is None or self.laid_out_at != self.written()):
            self.lay_out()

    def lay_out(self) -> None:
        """Make the products of every PackedLinear and of a step."""
        self.laid_out_at = self.written()
        weight = next(self.parameters())
        make = packed_product if weight.device.type == "cpu" and weight.dtype == torch.float32 else plain_product
        for module in self.modules():
            if isinstance(module, PackedLinear):
                module.product = make(module.weight, module.bias)
        self.product = self.products(make)

    def written(self) -> int:
        """How often the weights have been written to."""
        return sum(p._version for p in self.parameters() if not p.is_inference())
