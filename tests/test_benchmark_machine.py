"""What every benchmark says about its machine."""

import re

import pytest
import torch

from tests.benchmarks import machine


def test_it_says_the_speed_of_the_machine_and_leaves_its_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "TRIES", 2)
    threads: list[int] = []
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    monkeypatch.setattr(torch, "set_num_threads", threads.append)
    said = machine.machine()
    assert threads == [1, 3], "the product is that of one thread"
    python, product = map(float, re.findall(r"([\d.]+) ms", said))
    assert python > 0 < product
    assert "without bfloat16 units" in said or "with bfloat16 units" in said


def test_of_several_tries_the_quickest_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 5.0, 10.0, 12.0, 20.0, 29.0])
    monkeypatch.setattr(machine, "TRIES", 3)
    monkeypatch.setattr(machine.time, "perf_counter", lambda: next(times))
    assert machine._quickest(lambda: None) == 2.0
