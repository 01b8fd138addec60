"""Asymptotic complexity of a layer: operations and longest path between two words (Vaswani et al. 2017, table 1)."""

import math
from dataclasses import dataclass

from nmtcore.config import ARCHITECTURES, Layer, ModelConfig

FORMULAS: dict[Layer, tuple[str, str]] = {  # operations, and the order of the longest path, as in the paper's table
    "recurrent": ("n d²", "O(n)"),
    "self_attention": ("n² d", "O(1)"),
    "convolution": ("k n d²", "O(n/k)"),
}


@dataclass(frozen=True)
class Complexity:
    """Cost of one layer with the sizes of a model. d: width of a state; k: width of a convolution."""

    layer: Layer
    d: int
    k: int = 1

    @property
    def formula(self) -> str:
        return FORMULAS[self.layer][0]

    @property
    def path_formula(self) -> str:
        return FORMULAS[self.layer][1]

    @property
    def factor(self) -> int:
        """The coefficient of the power of n."""
        return self.d if self.layer == "self_attention" else self.k * self.d**2

    @property
    def power(self) -> int:
        """The power of n in the formula."""
        return 2 if self.layer == "self_attention" else 1

    def operations(self, n: float) -> float:
        """Operations of one layer on n words."""
        return float(self.factor * n**self.power)

    def path(self, n: int) -> int:
        """Maximum path length: the most connections in sequence between any two of n source words.

        A convolution of width k reaches k - 1 words further with each layer; the paper's log_k n assumes dilated ones.
        """
        if self.layer == "self_attention":
            return 1
        return n if self.layer == "recurrent" else max(1, math.ceil((n - 1) / max(1, self.k - 1)))


def layer_complexity(config: ModelConfig) -> Complexity | None:
    """Complexity of the encoder's layers; None for a kind of layer that is not in the paper's table."""
    layer = ARCHITECTURES[config.architecture].layer
    return None if layer is None else Complexity(layer, config.d_model, int(getattr(config, "kernel", 1)))


def crossing(first: Complexity, second: Complexity, layers: tuple[int, int] = (1, 1)) -> float | None:
    """The length at which the two cost the same with these numbers of layers; None if neither overtakes the other."""
    if first.power == second.power:
        return None
    fewer, more = sorted(zip((first, second), layers, strict=True), key=lambda pair: pair[0].power)
    return float((fewer[1] * fewer[0].factor / (more[1] * more[0].factor)) ** (1 / (more[0].power - fewer[0].power)))
