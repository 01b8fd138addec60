"""A packed product equals the plain one, for all sizes and storage formats."""

import pytest
import torch

from nmtcore.models.fast import packed
from nmtcore.models.fast.packed import in_half_the_bytes, packed_product, plain_product

pytestmark = pytest.mark.numerical


def refuse(weight: torch.Tensor, rows: int) -> torch.Tensor:
    raise RuntimeError("could not create a primitive descriptor")


@pytest.fixture(params=["x86", "other", "none"])
def processor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """This processor, one for which neither FBGEMM nor oneDNN has a product, and one for which PyTorch lacks both."""
    if request.param != "x86":
        monkeypatch.setattr(packed, "in_half_the_bytes", lambda weight: False)
        monkeypatch.setattr(torch.ops.mkldnn, "_reorder_linear_weight", refuse)
    if request.param == "none":
        monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)


@pytest.mark.usefixtures("processor")
@pytest.mark.parametrize("half", [True, False])
@pytest.mark.parametrize(("outs", "ins"), [(7, 3), (15, 8), (96, 40), (33, 257)])
@pytest.mark.parametrize("rows", [1, 2, 5, 67])
@torch.inference_mode()
def test_packed_equals_plain(half: bool, outs: int, ins: int, rows: int) -> None:
    torch.manual_seed(2)
    weight, x = torch.randn(outs, ins) / 4, torch.randn(rows, ins)
    weight[0] *= 1e-5  # below float16's normal numbers
    if half:
        weight = weight.half().float()
    for bias in (torch.randn(outs), None):
        assert torch.allclose(packed_product(weight, bias)(x), plain_product(weight, bias)(x), atol=1e-5)


def test_only_the_same_numbers_are_kept_in_half_the_bytes() -> None:
    weight = torch.tensor([[1.0, 0.5]])
    assert not in_half_the_bytes(torch.tensor([[1.0, 0.1]])) and not in_half_the_bytes(weight * 1e5)
    if "fbgemm" in torch.backends.quantized.supported_engines:
        assert in_half_the_bytes(weight)
