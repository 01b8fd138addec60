"""Fast RNN, GRU, LSTM and deep LSTM: one decoder step with its cell written out.

PyTorch's recurrent networks are made for many steps; for a single one their set-up costs more than the arithmetic.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn

from nmtcore.models.deep_recurrent import DeepRecurrent
from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.fast.packed import MakeProduct, Product
from nmtcore.models.pointer_generator import PointerGenerator
from nmtcore.models.recurrent import Recurrent, RecurrentState


def rnn(x: Tensor, h: Tensor, s: Tensor) -> Tensor:
    """RNN cell: s_j = tanh(x + h), where x is the input's contribution and h that of s_{j-1}."""
    return torch.tanh(x + h)


def gru(x: Tensor, h: Tensor, s: Tensor) -> Tensor:
    """GRU cell with reset gate r, update gate z and proposed state n: s_j = z s_{j-1} + (1 - z) n, (B, D).

    As in Cho et al. 2014, except that r multiplies W_h s + b, as in PyTorch, and not s before the product.
    """
    D = s.size(1)
    r, z = torch.sigmoid(x[:, : 2 * D] + h[:, : 2 * D]).chunk(2, 1)
    n = torch.tanh(torch.addcmul(x[:, 2 * D :], r, h[:, 2 * D :]))
    return torch.lerp(n, s, z)


def lstm(x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    """LSTM cell with input, forget and output gates i, f, o and proposal g: returns s_j and c_j, (B, D) each.

    Hochreiter and Schmidhuber 1997; Gers et al. 2000 added the forget gate.
    """
    i, f, g, o = (x + h).chunk(4, 1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


class RecurrentProducts(NamedTuple):
    """The matrix products of a step: each decoder layer's gates, from its input and from its state, and the logits."""

    of_input: tuple[Product, ...]  # x W_i^T + b_i, (B, gates * D), one per layer
    of_state: tuple[Product, ...]  # s W_h^T + b_h, (B, gates * D), one per layer
    logits: Product


def recurrent_products(layers: Iterable[Sequence[Tensor]], logits: Product, make: MakeProduct) -> RecurrentProducts:
    """The products of decoder layers, from each layer's weights in torch's order: W_i, W_h, b_i and b_h."""
    weights = list(layers)
    return RecurrentProducts(
        tuple(make(w_i, b_i) for w_i, _, b_i, _ in weights), tuple(make(w_h, b_h) for _, w_h, _, b_h in weights), logits
    )


class FastRecurrent(Accelerated, Recurrent):
    """`Recurrent` whose `unroll` computes the cells explicitly, one position at a time."""

    def products(self, make: MakeProduct) -> RecurrentProducts:
        return recurrent_products(self.decoder.all_weights, make(*self.output_layer), make)

    def unroll(self, x: Tensor, state: RecurrentState) -> tuple[Tensor, RecurrentState]:
        product: RecurrentProducts | None = self.product
        if product is None or x.size(1) > 1 or torch.is_grad_enabled():
            return super().unroll(x, state)
        hidden, cells = [], []
        below = x[:, 0]  # (B, I)
        for layer, (of_input, of_state) in enumerate(zip(product.of_input, product.of_state, strict=True)):
            s = state.hidden[layer]  # (B, D)
            if state.cell is not None:
                below, c = lstm(of_input(below), of_state(s), state.cell[layer])
                cells.append(c)
            else:
                below = (gru if self.config.cell == "gru" else rnn)(of_input(below), of_state(s), s)
            hidden.append(below)
        cell = torch.stack(cells) if cells else None
        return below[:, None], RecurrentState(torch.stack(hidden), cell, state.position + 1)


class FastPointerGenerator(FastRecurrent, PointerGenerator):
    """`PointerGenerator` with the steps of `FastRecurrent`."""

    def project(self, output: Tensor) -> Tensor:
        return super().project(output[..., : self.config.embedding].contiguous())  # without u


class FastDeepRecurrent(Accelerated, DeepRecurrent):
    """`DeepRecurrent` whose `unroll` computes the LSTM cells explicitly, one position at a time."""

    def products(self, make: MakeProduct) -> RecurrentProducts:
        layers = [cast(nn.LSTM, layer).all_weights[0] for layer in self.decoder]
        return recurrent_products(layers, make(*self.output_layer), make)

    def unroll(self, layer: int, x: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        product: RecurrentProducts | None = self.product
        if product is None or x.size(1) > 1 or torch.is_grad_enabled():
            return super().unroll(layer, x, hidden, cell)
        s, c = lstm(product.of_input[layer](x[:, 0]), product.of_state[layer](hidden), cell)
        return s[:, None], s, c
