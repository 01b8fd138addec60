"""The stand-in for a GPU: it computes as the CPU does, catches CUDA errors, counts synchronizing calls."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from tests.accelerator import NAME, Accelerator


@pytest.mark.parametrize(
    "mix",
    [
        lambda here, there: here + there,
        lambda here, there: torch.cat((here, there)),
        lambda here, there: torch.stack((there[0], here[0])),
        lambda here, there: torch.nn.Linear(3, 2)(there),
        lambda here, there: torch.where(here > 0, there, there),
        lambda here, there: there.masked_fill(here > 0, 0.0),
        lambda here, there: there.index_select(0, torch.tensor([0])),
        lambda here, there: torch.nn.functional.embedding(torch.tensor([0]), there),
        lambda here, there: here[torch.zeros(1, dtype=torch.long, device=NAME)],
    ],
)
def test_tensors_of_two_devices_in_one_operation_raise(
    device: Accelerator, mix: Callable[[Tensor, Tensor], Tensor]
) -> None:
    here, there = torch.ones(2, 3), torch.ones(2, 3, device=NAME)
    with pytest.raises(RuntimeError, match="at least two devices"):
        mix(here, there)
    with pytest.raises(TypeError, match="to numpy"):
        there.numpy()


def test_what_a_gpu_allows_is_allowed(device: Accelerator) -> None:
    there = torch.arange(6.0, device=NAME).view(2, 3)
    assert (there * torch.tensor(2.0) + 1).device.type == NAME
    assert there[torch.tensor([1])].tolist() == [[3, 4, 5]]
    there[:, [0, 2]] = 7.0
    assert there.cpu().tolist() == [[7, 1, 7], [7, 4, 7]]
    assert torch.tensor([1.5], device=NAME).dtype == torch.float32 and torch.zeros(2, device=NAME).is_leaf


@pytest.mark.parametrize(
    ("ask", "waits"),
    [
        (lambda t: t.sum().item(), 1),
        (lambda t: bool((t > 1).all()), 1),
        (lambda t: t.tolist(), 1),
        (lambda t: t.cpu(), 1),
        (lambda t: t[t > 1], 1),
        (lambda t: t.nonzero(), 1),
        (lambda t: torch.zeros(3).copy_(t), 1),
        (lambda t: t.to("cpu", torch.float64), 1),
        (lambda t: torch.nonzero_static(t > 1, size=2), 0),
        (lambda t: t.to(torch.float16) @ torch.ones(3, dtype=torch.float16).to(NAME), 0),
        (lambda t: t.softmax(0).topk(2).values[-1:], 0),
    ],
)
def test_questions_that_wait_for_the_device_are_counted(
    device: Accelerator, ask: Callable[[Tensor], Any], waits: int
) -> None:
    ask(torch.tensor([1.0, 2.0, 3.0], device=NAME))
    assert device.waited == waits


def test_it_draws_from_a_generator_of_its_own(device: Accelerator) -> None:
    before = torch.get_rng_state()
    first, second = (torch.rand(3, device=NAME).tolist() for _ in range(2))
    assert first != second and torch.equal(torch.get_rng_state(), before)
    device.random = torch.Generator().manual_seed(0).get_state()
    assert torch.rand(3, device=NAME).tolist() == first
