"""Our dropout against the definition: which are dropped, the mean, and the gradient."""

import pytest
import torch

from nmtcore.models.dropout import apply_dropout


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_share_scale_and_mean(rate: float, dtype: torch.dtype) -> None:
    torch.manual_seed(1)
    x = torch.ones(301, 997, dtype=dtype)
    y = apply_dropout(x, rate, True)
    assert y.dtype == dtype and y.shape == x.shape
    kept = y != 0
    assert kept.float().mean().item() == pytest.approx(1 - rate, abs=1 / 256)
    assert y.float().mean().item() == pytest.approx(1, abs=0.01)
    assert len(y[kept].unique()) == 1  # all survivors are scaled alike
    # Rows and neighbours are drawn independently: the bytes of one random number too.
    together = (kept[:, 1:] & kept[:, :-1]).float().mean().item()
    assert together == pytest.approx(kept.float().mean().item() ** 2, abs=0.01)


def test_the_gradient_is_dropped_with_the_value() -> None:
    torch.manual_seed(2)
    x = torch.randn(7, 13, requires_grad=True)
    y = apply_dropout(x, 0.4, True)
    y.sum().backward()
    assert x.grad is not None
    assert torch.allclose(x.grad * x, y)


def test_off_when_evaluating_or_at_zero_and_all_at_one() -> None:
    x = torch.randn(3, 5)
    assert apply_dropout(x, 0.5, False) is x
    assert apply_dropout(x, 0.0, True) is x
    assert torch.equal(apply_dropout(x, 1.0, True), torch.zeros(3, 5))


def test_the_seed_decides() -> None:
    x = torch.ones(11, 17)
    torch.manual_seed(3)
    first = apply_dropout(x, 0.2, True)
    second = apply_dropout(x, 0.2, True)
    torch.manual_seed(3)
    assert torch.equal(apply_dropout(x, 0.2, True), first)
    assert not torch.equal(first, second)
