"""One step of a convolutional decoder with its weights laid out for few rows; the steps are the readable model's."""

from __future__ import annotations

import torch
from torch import Tensor

from nmtcore.models.convolutional import Convolutional
from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.fast.packed import MakeProduct, Product, pack_linears


class FastConvolutional(Accelerated, Convolutional):
    """`Convolutional` whose products, that to the vocabulary among them, read the weights in order."""

    def replace_linears(self) -> None:
        pack_linears(self)

    def products(self, make: MakeProduct) -> Product:
        return make(self.embed.weight, self.bias)

    def project(self, hidden: Tensor) -> Tensor:
        product: Product | None = self.product
        if product is None or hidden.dim() != 2 or torch.is_grad_enabled():
            return super().project(hidden)
        return product(hidden)  # (B, V)
