"""Fast mask-predict: weights packed for few rows, one for each word of a few translations."""

from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.fast.packed import MakeProduct, OutputLayer, pack_linears
from nmtcore.models.mask_predict import MaskPredict


class FastMaskPredict(Accelerated, MaskPredict):
    """`MaskPredict` with packed weights in all products, including the output layer."""

    def replace_linears(self) -> None:
        pack_linears(self)

    def products(self, make: MakeProduct) -> OutputLayer:
        return OutputLayer(make(self.embed.weight))
