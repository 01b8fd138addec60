"""Mask-predict with its weights laid out for few rows: those of some translations side by side, a word each."""

from __future__ import annotations

from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.fast.packed import MakeProduct, OutputLayer, pack_linears
from nmtcore.models.mask_predict import MaskPredict


class FastMaskPredict(Accelerated, MaskPredict):
    """`MaskPredict` whose products, that to the vocabulary among them, read the weights in order."""

    def replace_linears(self) -> None:
        pack_linears(self)

    def products(self, make: MakeProduct) -> OutputLayer:
        return OutputLayer(make(self.embed.weight))
