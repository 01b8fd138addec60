"""Benchmarks: one line if there is no GPU, and a run on the stand-in for one; decoding with stand-ins for pieces."""

import pytest
import torch

from nmtcore.config import TransformerConfig
from nmtcore.training.batches import Batches
from tests.accelerator import NAME, Accelerator
from tests.benchmarks import decoding, gpu
from tests.benchmarks.training import Generated


def test_without_a_gpu_one_line_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    gpu.main([])
    said = capsys.readouterr().out
    assert said.startswith("No GPU is here") and said.count("\n") == 1


def test_it_measures_a_device_and_compares_its_loss(device: Accelerator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "WARM_UP", 1)
    monkeypatch.setattr(gpu, "STEPS", 3)
    tiny, data = TransformerConfig(30, 12, 16, 2, 1, 1), Generated(60, 12, 30)
    found = gpu.measure(tiny, torch.device(NAME, 0), data, 2, 60)
    assert min(found.training, found.greedy, found.beam, found.operations) > 0
    for precision, (here, there) in found.losses.items():
        assert there == pytest.approx(here, rel=10 * gpu.TOLERANCE[precision])  # a model so small rounds more
        assert gpu.agreement(precision, here, here) == f"{precision} 0e+00"
    assert found.losses["fp32"] != found.losses["bf16"]
    assert gpu.agreement("fp32", 5.0, 5.001) == "fp32 2e-04 TOO FAR"
    one = Batches(data.batches.sources, data.batches.targets, data.batches.rows[:1])
    assert 0 < gpu.flops(tiny, one) < gpu.flops(tiny, data.batches)


def test_numbers_stand_in_for_the_pieces_of_decoding() -> None:
    run = decoding.ours(TransformerConfig(decoding.SIZE, 12, 16, 2, 1, 1))
    assert [len(run(beam, 3).target) for beam in decoding.BEAMS] == [3, 3]
