"""One step of a deep recurrent decoder with its cells written out, as in fast/recurrent.py."""

from __future__ import annotations

from typing import NamedTuple, cast

import torch
from torch import Tensor, nn

from nmtcore.models.deep_recurrent import DeepRecurrent
from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.fast.packed import MakeProduct, Product, pack_linears
from nmtcore.models.fast.recurrent import lstm


class DeepProducts(NamedTuple):
    """The matrix products of a step: each layer's gates from its input and from its state, then the logits."""

    of_input: tuple[Product, ...]  # (B, 4 D)
    of_state: tuple[Product, ...]
    logits: Product


class FastDeepRecurrent(Accelerated, DeepRecurrent):
    """`DeepRecurrent` with `unroll` and `project` for one position at a time."""

    def replace_linears(self) -> None:
        pack_linears(self)

    def products(self, make: MakeProduct) -> DeepProducts:
        layers = [cast(nn.LSTM, layer).all_weights[0] for layer in self.decoder]  # W_i, W_h, b_i, b_h of each
        return DeepProducts(
            tuple(make(w_i, b_i) for w_i, _, b_i, _ in layers),
            tuple(make(w_h, b_h) for _, w_h, _, b_h in layers),
            make(self.embed.weight, self.bias),
        )

    def unroll(self, layer: int, x: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        product: DeepProducts | None = self.product
        if product is None or x.size(1) > 1 or torch.is_grad_enabled():
            return super().unroll(layer, x, hidden, cell)
        s, c = lstm(product.of_input[layer](x[:, 0]), product.of_state[layer](hidden), cell)
        return s[:, None], s, c

    def project(self, hidden: Tensor) -> Tensor:
        product: DeepProducts | None = self.product
        if product is None or hidden.dim() != 2 or torch.is_grad_enabled():
            return super().project(hidden)
        return product.logits(hidden)  # (B, V)
