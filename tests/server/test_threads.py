"""Threads of the server's libraries: the pages' own matrices are small, and threads that wait for one another cost."""

import os
import subprocess
import sys

import pytest

from tests.paths import ROOT

CODE = """
import os, pages.common
import numpy as np
np.ones((300, 300)) @ np.ones((300, 300))
print(len(os.listdir("/proc/self/task")), os.environ.get("OPENBLAS_NUM_THREADS"))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Threads are counted as Linux shows them.")
@pytest.mark.skipif(os.cpu_count() == 1, reason="On one processor there is one thread anyway.")
@pytest.mark.parametrize(("asked", "said"), [({}, "1 None"), ({"OPENBLAS_NUM_THREADS": "2"}, "2 2")])
def test_the_pages_multiply_in_one_thread_unless_told(asked: dict[str, str], said: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"} | asked
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == said.split()
