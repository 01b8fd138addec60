"""Freed memory goes back to the system."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from tests.paths import ROOT

SCRIPT = """
import ctypes, re, sys
from nmtcore.serving import memory
from nmtcore.training.host_memory import give_back

def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1000  # MB

memory.few_arenas()
malloc, free = ctypes.CDLL(None).malloc, ctypes.CDLL(None).free
malloc.restype, free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
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


@pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="another C library than glibc"
)
def test_what_was_freed_goes_back() -> None:
    out = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    kept, left = map(int, out.split())
    assert kept > 50 and left < 5
