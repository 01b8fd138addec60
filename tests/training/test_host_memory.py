"""A training on a CPU gives memory back; on a GPU there is nothing to give."""

from __future__ import annotations

import os

import pytest
import torch

from nmtcore.config import model_config
from nmtcore.models import checkpoint
from nmtcore.text.vocabulary import Vocab
from nmtcore.training import host_memory, state
from nmtcore.training.batches import TrainingData
from nmtcore.training.config import TrainingConfig
from nmtcore.training.state import TrainingState
from tests.accelerator import NAME, Accelerator
from tests.helpers import PAIRS, SIZES


@pytest.mark.parametrize(("where", "times"), [("cpu", 2), (NAME, 0)])
def test_free_memory_is_given_back_after_five_updates(
    device: Accelerator, vocab: Vocab, monkeypatch: pytest.MonkeyPatch, where: str, times: int
) -> None:
    given = []
    monkeypatch.setattr(state, "give_back", lambda: given.append(training.step))
    model = checkpoint.build(model_config("none", len(vocab), **SIZES["none"])).to(where)
    training = TrainingState(model, TrainingData(PAIRS, vocab, 60, joined=0.0), TrainingConfig(epochs=99))
    for _ in range(11):
        training.update()
    assert given == [5, 10][:times]


def test_giving_back_frees_what_the_c_library_keeps() -> None:
    if host_memory._malloc_trim() is None:
        pytest.skip("This C library has no malloc_trim.")
    kept = [torch.ones(3000) for _ in range(4000)]  # small enough for the heap: 48 MB of it
    last = torch.ones(3000)  # at its end, so that it cannot shrink by itself
    full = resident()
    del kept
    host_memory.give_back()
    assert resident() < full - 24e6 and last.sum() == 3000


def resident() -> float:
    """The bytes of this process that lie in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * float(os.sysconf("SC_PAGE_SIZE"))


def test_what_was_set_by_hand_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    names = list(host_memory.CAPACITIES)
    monkeypatch.setenv(names[0], "7")
    for name in names[1:]:
        monkeypatch.delenv(name, raising=False)
    host_memory.limit_primitive_cache()
    assert [os.environ[name] for name in names] == ["7", *list(host_memory.CAPACITIES.values())[1:]]
    for name in names[1:]:
        monkeypatch.delenv(name)
