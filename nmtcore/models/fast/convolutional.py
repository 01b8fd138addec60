"""One step of a convolutional decoder with its weights laid out for few rows; the steps are the readable model's."""

from __future__ import annotations

from nmtcore.models.convolutional import Convolutional
from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.fast.packed import MakeProduct, OutputLayer, pack_linears


class FastConvolutional(Accelerated, Convolutional):
    """`Convolutional` whose products, that to the vocabulary among them, read the weights in order."""

    def replace_linears(self) -> None:
        pack_linears(self)

    def products(self, make: MakeProduct) -> OutputLayer:
        return OutputLayer(make(self.embed.weight, self.bias))
