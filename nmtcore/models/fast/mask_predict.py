"""Mask-predict with its weights laid out for few rows: those of some translations side by side, a word each."""

from __future__ import annotations

import torch
from torch import Tensor

from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.fast.packed import MakeProduct, Product, pack_linears
from nmtcore.models.mask_predict import MaskPredict


class FastMaskPredict(Accelerated, MaskPredict):
    """`MaskPredict` whose products, that to the vocabulary among them, read the weights in order."""

    def replace_linears(self) -> None:
        pack_linears(self)

    def products(self, make: MakeProduct) -> Product:
        return make(self.embed.weight)

    def project(self, hidden: Tensor) -> Tensor:
        product: Product | None = self.product
        if product is None or hidden.dim() != 2 or hidden.dtype != torch.float32 or torch.is_grad_enabled():
            return super().project(hidden)
        return product(hidden)  # (N, V)
