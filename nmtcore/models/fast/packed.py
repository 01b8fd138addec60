"""Packed weights: matrix products with few rows, as in decoding, whose speed depends on the memory layout.

A step reads every weight once, for only as many rows as there are hypotheses. `packed_product` copies a matrix into
the order in which the processor reads it. The copy is float16, half the bytes, if that holds exactly the same
numbers, as it does for every saved model; the arithmetic is float32 either way.
"""

import warnings
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn import functional as F

Product = Callable[[Tensor], Tensor]  # x W^T + b: rows (N, in) to rows (N, out)
MakeProduct = Callable[[Tensor, Tensor | None], Product]  # from W (out, in) and b (out,)


def plain_product(weight: Tensor, bias: Tensor | None) -> Product:
    """A product that uses the weights themselves, so it follows their changes."""
    return partial(F.linear, weight=weight, bias=bias)


def packed_product(weight: Tensor, bias: Tensor | None) -> Product:
    """A product that uses a copy of the weights, packed for few rows: float32 on a CPU, without gradients."""
    weight, bias = weight.detach(), None if bias is None else bias.detach()
    if in_half_the_bytes(weight):
        suppress_fbgemm_warning()
        return _half_product(weight, bias)
    return _float_product(weight, bias)


def in_half_the_bytes(weight: Tensor) -> bool:
    """Whether this processor multiplies by float16 weights, and float16 holds these weights exactly."""
    can = "fbgemm" in torch.backends.quantized.supported_engines and hasattr(torch, "fbgemm_pack_gemm_matrix_fp16")
    return can and torch.equal(weight.half().float(), weight)


def _half_product(weight: Tensor, bias: Tensor | None) -> Product:
    """FBGEMM's product with float16 weights. PyTorch has deprecated this function and warns once per process.

    Its replacement, `quantized.linear_dynamic_fp16`, takes 9 microseconds longer per call: a quarter of a step.
    """
    half = torch.fbgemm_pack_gemm_matrix_fp16(weight)
    multiply = torch.fbgemm_linear_fp16_weight_fp32_activation
    return lambda x: multiply(x, half, bias)


@cache
def suppress_fbgemm_warning() -> None:
    """Trigger PyTorch's one warning about each function of FBGEMM and suppress it."""
    if in_half_the_bytes(weight := torch.eye(4)):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "fbgemm_.* is deprecated")
            _half_product(weight, None)(weight)


def _float_product(weight: Tensor, bias: Tensor | None) -> Product:
    """A product with float32 weights: as they are for one row, in oneDNN's blocks for several rows."""
    one = partial(F.linear, weight=weight, bias=bias)
    several = _blocked_product(weight, bias) or one
    return lambda x: (one if x.shape[:-1] == (1,) else several)(x)


def _blocked_product(weight: Tensor, bias: Tensor | None) -> Product | None:
    """A product with weights in oneDNN's blocks; None if PyTorch lacks them, as on macOS, or the processor does."""
    if not torch.backends.mkldnn.is_available():  # type: ignore[no-untyped-call]
        return None
    try:
        blocks = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), 8)
        multiply = torch.ops.mkldnn._linear_pointwise.default
        multiply(weight[:2], blocks, bias, "none", [], "")
    except (AttributeError, RuntimeError):  # the operation is not registered, or does not support this processor
        return None
    return lambda x: multiply(x, blocks, bias, "none", [], "")


class Packed(nn.Module):
    """A module that keeps packed copies of its weights.

    Training or moving the module drops these copies, and a deep copy or a pickle leaves them out, since the weights may
    change then.
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

    def __getstate__(self) -> dict[str, Any]:  # the state of a deep copy and of a pickle
        return self.__dict__ | {"product": None}


class PackedLinear(Packed, nn.Linear):
    """A Linear, x W^T + b, that uses packed weights if it has them, for float32 and without gradients.

    Autocast computes in other types, so it uses the Linear's own weights.
    """

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
    """Replace each Linear in a module by a PackedLinear."""
    for parent in list(module.modules()):
        for name, child in list(parent.named_children()):
            if type(child) is nn.Linear:
                setattr(parent, name, PackedLinear(child))


def product_of(linear: nn.Linear, make: MakeProduct) -> Product:
    """The product of a Linear: the one that it has already, else a new one from `make`."""
    made: Product | None = linear.product if isinstance(linear, PackedLinear) else None
    return made or make(linear.weight, linear.bias)
