"""A process on a CPU gives memory back; on a GPU there is nothing to give."""

import ctypes
import os
import subprocess
import sys

import pytest

from nmtcore.config import model_config
from nmtcore.models import checkpoint
from nmtcore.system import host_memory
from nmtcore.text.vocabulary import Vocab
from nmtcore.training import state
from nmtcore.training.batches import TrainingData, fixed_batches
from nmtcore.training.config import TrainingConfig
from nmtcore.training.state import TrainingState
from tests.accelerator import NAME, Accelerator
from tests.helpers import PAIRS, SIZES
from tests.paths import ROOT

glibc = pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="another C library than glibc"
)
BEGIN = """
import ctypes, re
from nmtcore.system.host_memory import few_arenas, give_back, large_blocks_apart

def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1000  # MB

malloc, free = ctypes.CDLL(None).malloc, ctypes.CDLL(None).free
malloc.restype, free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
"""
SCRIPT = """
few_arenas()
before = resident()
blocks = [malloc(10_000) for _ in range(6_000)]  # below the size that is mapped by itself
for block in blocks:
    ctypes.memset(ctypes.c_void_p(block), 1, 10_000)
for block in blocks[:-1]:  # the last one stands in the way of the heap's end
    free(block)
kept = resident() - before
give_back()
print(kept, resident() - before)
"""
GAPS = """
def freed():
    before = resident()
    large = []
    for _ in range(50):
        large.append(malloc(2 << 20))
        ctypes.memset(ctypes.c_void_p(large[-1]), 1, 2 << 20)
        malloc(20_000)  # kept: what is freed beside it is no end of the heap
    for block in large:
        free(block)
    return resident() - before

free(malloc(16 << 20))  # from now on glibc takes blocks of this size from the heap
with large_blocks_apart():
    apart = freed()
print(apart, freed())
"""


def run(script: str) -> list[int]:
    """The numbers that a script prints in a process of its own."""
    command = [sys.executable, "-c", BEGIN + script]
    return [*map(int, subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split())]


@pytest.mark.parametrize(("where", "times"), [("cpu", 2), (NAME, 0)])
def test_free_memory_is_given_back_after_five_updates(
    device: Accelerator, vocab: Vocab, monkeypatch: pytest.MonkeyPatch, where: str, times: int
) -> None:
    given = []
    monkeypatch.setattr(state, "give_back", lambda: given.append(training.step))
    model = checkpoint.build(model_config("none", len(vocab), **SIZES["none"])).to(where)
    training = TrainingState(model, TrainingData(PAIRS, vocab, 60), TrainingConfig(epochs=99))
    for _ in range(11):
        training.update()
    assert given == [5, 10][:times]
    training.validate(fixed_batches(vocab, PAIRS, 60), None)
    assert len(given) == (times and times + 1), "beside what updates left, a validation would need more"


@glibc
def test_what_was_freed_goes_back() -> None:
    kept, left = run(SCRIPT)
    assert kept > 50 and left < 5


def test_what_was_set_by_hand_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    names = list(host_memory.CAPACITIES)
    monkeypatch.setenv(names[0], "7")
    for name in names[1:]:
        monkeypatch.delenv(name, raising=False)
    host_memory.limit_primitive_cache()
    assert [os.environ[name] for name in names] == ["7", *list(host_memory.CAPACITIES.values())[1:]]
    for name in names[1:]:
        monkeypatch.delenv(name)


@glibc
def test_large_blocks_are_given_back_when_they_are_free() -> None:
    apart, together = run(GAPS)
    assert apart < 20 < 90 < together, "outside of it, memory is as it always was"
