"""Fast deep LSTM: one decoder step with its cells written out, as in fast/recurrent.py."""

from typing import cast

import torch
from torch import Tensor, nn

from nmtcore.models.deep_recurrent import DeepRecurrent
from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.fast.packed import MakeProduct, pack_linears
from nmtcore.models.fast.recurrent import RecurrentProducts, lstm, recurrent_products


class FastDeepRecurrent(Accelerated, DeepRecurrent):
    """`DeepRecurrent` whose `unroll` computes the LSTM cells explicitly, one position at a time."""

    def replace_linears(self) -> None:
        pack_linears(self)

    def products(self, make: MakeProduct) -> RecurrentProducts:
        layers = [cast(nn.LSTM, layer).all_weights[0] for layer in self.decoder]
        return recurrent_products(layers, make(self.embed.weight, self.bias), make)

    def unroll(self, layer: int, x: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        product: RecurrentProducts | None = self.product
        if product is None or x.size(1) > 1 or torch.is_grad_enabled():
            return super().unroll(layer, x, hidden, cell)
        s, c = lstm(product.of_input[layer](x[:, 0]), product.of_state[layer](hidden), cell)
        return s[:, None], s, c
