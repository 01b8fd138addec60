"""Fast ConvS2S: the readable model's steps with weights packed for few rows."""

from nmtcore.models.convolutional import Convolutional
from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.fast.packed import MakeProduct, OutputLayer, pack_linears


class FastConvolutional(Accelerated, Convolutional):
    """`Convolutional` with packed weights in all products, including the output layer."""

    def replace_linears(self) -> None:
        pack_linears(self)

    def products(self, make: MakeProduct) -> OutputLayer:
        return OutputLayer(make(self.embed.weight, self.bias))
