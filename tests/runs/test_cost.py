"""The cost of a training: counted by hand for a small model, and by a run's events."""

from pathlib import Path

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from nmtcore.commands.runs import describe
from nmtcore.config import model_config
from nmtcore.models import checkpoint
from nmtcore.runs import cost
from nmtcore.runs.card import card_text
from nmtcore.runs.worker import Worker
from nmtcore.training import loss
from nmtcore.training.batches import Batch, Batches
from nmtcore.training.loss import batch_loss
from tests.runs.helpers import make


def batches(*lengths: tuple[int, int]) -> Batches:
    rows = torch.arange(len(lengths)).numpy()
    return Batches([[5] * s for s, _ in lengths], [[6] * t for _, t in lengths], [rows[i : i + 1] for i in rows])


def counted(model: torch.nn.Module, batch: Batch) -> int:
    """Operations of one update, forward and backward, by PyTorch's counter."""
    with FlopCounterMode(display=False) as counter:
        batch_loss(model, batch, 0.0).backward()  # type: ignore[arg-type, no-untyped-call]
    return int(counter.get_total_flops())


@pytest.mark.parametrize(
    ("lengths", "tolerance"), [([(5, 4), (5, 4)], 0.01), ([(3, 7), (6, 2), (3, 7)], 0.12)], ids=["alike", "mixed"]
)
@pytest.mark.parametrize("architecture", ["transformer", "dot"])
def test_operations_of_an_epoch_are_those_of_its_updates(
    architecture: str, lengths: list[tuple[int, int]], tolerance: float
) -> None:
    sizes = {
        "transformer": {"width": 16, "heads": 2, "feedforward": 24, "encoder_layers": 1, "decoder_layers": 2},
        "dot": {"embedding": 8, "units": 10},
    }
    config = model_config(architecture, 23, **sizes[architecture])
    model = checkpoint.build(config).train()
    data = batches(*lengths)
    found = sum(counted(model, batch) for batch in data)
    assert cost.epoch_operations(config, data) == pytest.approx(found, rel=tolerance)


def test_a_model_that_writes_all_words_at_once_pays_for_the_logits_of_its_masked_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes = {"width": 12, "heads": 3, "feedforward": 20, "encoder_layers": 2, "decoder_layers": 1}
    config = model_config("mask-predict", 230, **sizes)
    data = batches((5, 8), (5, 8))  # seven words and <eos>
    monkeypatch.setattr(
        loss, "mask_at_random", lambda words, generator: torch.arange(7).expand(1, 7) < 4
    )  # four of seven are the mean of 1 .. 7
    model = checkpoint.build(config).train()
    found = sum(counted(model, batch) for batch in data)
    assert cost.measured(config, data, torch.device("cpu"))["operations"] == pytest.approx(found, rel=0.01)


EVENTS = [
    {"event": "cost", "step": 9, "operations": 4_000, "pieces": 50, "peak": 2_000, "watts": 20.0},
    {"event": "progress", "step": 5, "epoch": 1.0, "seconds": 2.0},
    {"event": "progress", "step": 9, "epoch": 2.5, "seconds": 10.0},
]


def test_the_cost_of_a_run_follows_from_its_events() -> None:
    found = cost.run_cost(EVENTS)
    assert found is not None
    assert (found.seconds, found.operations, found.rate, found.pieces) == (10.0, 10_000, 1_000, 12.5)
    assert found.share == 0.5 and found.watt_hours == pytest.approx(20 * 10 / 3600)


@pytest.mark.parametrize("events", [EVENTS[:1], EVENTS[1:], [], [{"event": "cost", "step": 9}, *EVENTS[1:]]])
def test_what_was_not_counted_has_no_cost(events: list[dict[str, object]]) -> None:
    assert cost.run_cost(events) is None


def test_a_device_without_a_data_sheet_has_neither_peak_nor_energy() -> None:
    found = cost.run_cost([{"event": "cost", "step": 9, "operations": 4_000, "pieces": 50}, *EVENTS[1:]])
    assert found is not None and found.share is None and found.watt_hours is None


def test_a_run_writes_its_cost_its_precision_and_its_alignment_error_into_its_card(tmp_path: Path) -> None:
    run = make(tmp_path, training={"precision": "auto"})
    assert "float" not in describe(run)
    Worker(run).work()
    assert (run.config().training.precision, run.status().precision) == ("auto", "fp32")
    assert ", cpu, float32 ·" in describe(run)
    errors = [event["alignment_error"] for event in run.events() if event["event"] == "validation"]
    assert len(errors) == 2 and all(0 <= error <= 100 for error in errors)
    assert not run.damaged_files()
    text = (run.best / "card.md").read_text(encoding="utf-8")
    assert "Licence of these weights: not stated" in text
    assert text == card_text(run) and ", precision fp32, " in text
    assert (
        "- operations: " in text and "- energy: about" in text and "- alignment error against the exact links" in text
    )
