"""Matrix products with few rows, as decoding makes them: how the weights lie in memory decides their time.

A step reads every weight once for only as many rows as there are hypotheses. `packed_product` makes a copy of a
matrix that a processor reads in order: in half the bytes where float16 holds exactly the same numbers, as it does for
every model that was saved; the arithmetic is float32 either way.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Protocol, Self

import torch
from torch import Tensor, nn
from torch.nn import functional as F

Product = Callable[[Tensor], Tensor]  # x W^T + b: rows (N, in) to rows (N, out)


class MakeProduct(Protocol):
    """Makes a Product of W (out, in) and b (out,)."""

    def __call__(self, weight: Tensor, bias: Tensor | None = None) -> Product: ...


class OutputLayer(NamedTuple):
    """The product of an output layer, of a model whose other products stand in its own Linears."""

    logits: Product  # (N, V)


def plain_product(weight: Tensor, bias: Tensor | None = None) -> Product:
    """The product with the weights themselves: it follows their changes."""
    return partial(F.linear, weight=weight, bias=bias)


def packed_product(weight: Tensor, bias: Tensor | None = None) -> Product:
    """The product with a copy of the weights, laid out for few rows. Of float32 on a CPU; without gradients."""
    weight, bias = weight.detach(), None if bias is None else bias.detach()
    if in_half_the_bytes(weight):
        return _of_half(weight, bias)
    return _of_float(weight, bias)


def in_half_the_bytes(weight: Tensor) -> bool:
    """Whether this processor multiplies by float16 weights and they would be the same numbers."""
    can = "fbgemm" in torch.backends.quantized.supported_engines and hasattr(torch, "fbgemm_pack_gemm_matrix_fp16")
    return can and bool((weight.half().float() == weight).all())


def _of_half(weight: Tensor, bias: Tensor | None) -> Product:
    """FBGEMM's product with float16 weights. PyTorch means to drop this way to it and warns, once a process.

    `quantized.linear_dynamic_fp16`, which stays, takes 9 microseconds longer a call: a quarter of a step.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "fbgemm_.* is deprecated")
        half = torch.fbgemm_pack_gemm_matrix_fp16(weight)
        multiply = torch.fbgemm_linear_fp16_weight_fp32_activation
        multiply(weight[:1], half, bias)
    return lambda x: multiply(x, half, bias)


def _of_float(weight: Tensor, bias: Tensor | None) -> Product:
    """Products with float32 weights: column by column for one row, in the blocks that oneDNN works on for more."""
    columns = weight.T.contiguous().T
    several = _of_blocks(weight, bias) or partial(F.linear, weight=columns, bias=bias)

    def product(x: Tensor) -> Tensor:
        if x.shape[:-1] != (1,):
            return several(x)
        return (torch.mv(columns, x[0]) if bias is None else torch.addmv(bias, columns, x[0]))[None]

    return product


def _of_blocks(weight: Tensor, bias: Tensor | None) -> Product | None:
    """The product with weights in oneDNN's blocks; None where PyTorch lacks it, as on macOS, or for this processor."""
    if not torch.backends.mkldnn.is_available():  # type: ignore[no-untyped-call]
        return None
    try:
        blocks = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), 8)
        multiply = torch.ops.mkldnn._linear_pointwise.default
        multiply(weight[:2], blocks, bias, "none", [], "")
    except (AttributeError, RuntimeError):  # of an operation that is not registered, or not for this processor
        return None
    return lambda x: multiply(x, blocks, bias, "none", [], "")


class Packed(nn.Module):
    """A module beside whose weights stand products with copies of them.

    Training and moving it drop them, and neither a deep copy of it nor a pickle has them: those weights may change.
    """

    product: Any = None

    def train(self, mode: bool = True) -> Self:
        if mode:
            self.product = None
        return super().train(mode)

    def _apply(self, *args: Any, **settings: Any) -> Self:  # what .to() and .float() go through
        self.product = None
        super()._apply(*args, **settings)  # type: ignore[no-untyped-call]
        return self

    def __getstate__(self) -> dict[str, Any]:  # what a deep copy and a pickle have of it
        return self.__dict__ | {"product": None}


class PackedLinear(Packed, nn.Linear):
    """x W^T + b with the weights of another Linear: by its product where there is one, for float32 (autocast has
    other types) and without gradients."""

    def __init__(self, linear: nn.Linear) -> None:
        nn.Module.__init__(self)
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self.weight, self.bias = linear.weight, linear.bias

    def forward(self, x: Tensor) -> Tensor:
        product = self.product  # asked once: another thread may drop it
        if product is None or x.dtype != torch.float32 or torch.is_grad_enabled():
            return super().forward(x)
        result: Tensor = product(x)
        return result


def pack_linears(module: nn.Module) -> None:
    """Put a PackedLinear in the place of each Linear in a module."""
    for parent in list(module.modules()):
        for name, child in list(parent.named_children()):
            if type(child) is nn.Linear:
                setattr(parent, name, PackedLinear(child))


def product_of(linear: nn.Linear, make: MakeProduct) -> Product:
    """The product of a whole Linear: the one that it has already, or else one made by `make`."""
    made: Product | None = linear.product if isinstance(linear, PackedLinear) else None
    return made or make(linear.weight, linear.bias)
