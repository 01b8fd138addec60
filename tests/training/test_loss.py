"""The training loss equals torch's, but faster; padding does not count."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn import functional as F

from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.transformer import NEVER
from nmtcore.training.batches import fixed_batches
from nmtcore.training.loss import SmoothedCrossEntropy, batch_loss, cross_entropy, mean_loss
from nmtcore.training.precision import has_bfloat16_units
from tests.helpers import PAIRS, WORD_BY_WORD

pytestmark = pytest.mark.numerical


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_loss_and_its_gradient_are_those_of_torch(smoothing: float) -> None:
    torch.manual_seed(0)
    mine = torch.randn(131, 17, requires_grad=True)  # not a multiple of the rows taken together
    theirs = mine.detach().clone().requires_grad_()
    labels = torch.randint(17, (131,))
    loss = SmoothedCrossEntropy.apply(mine, labels, smoothing)
    expected = F.cross_entropy(theirs, labels, label_smoothing=smoothing)
    (3 * loss).backward()
    (3 * expected).backward()
    assert loss.item() == pytest.approx(expected.item(), rel=1e-6)
    torch.testing.assert_close(mine.grad, theirs.grad, rtol=1e-5, atol=1e-8)


def test_a_piece_that_is_never_written_has_no_share_of_the_smoothed_labels() -> None:
    """An imported model's output bias forbids some pieces; with a logit of -10,000, any share would be most of it."""
    torch.manual_seed(0)
    logits, labels = torch.randn(131, 17), torch.randint(12, (131,))
    logits[:, 12:] = NEVER
    unwritten = logits[0] == NEVER
    mine, theirs = logits.clone().requires_grad_(), logits[:, :12].clone().requires_grad_()
    loss, expected = cross_entropy(mine, labels, 0.1, unwritten), F.cross_entropy(theirs, labels, label_smoothing=0.1)
    loss.backward()
    expected.backward()
    with torch.no_grad():
        without = cross_entropy(logits, labels, 0.1, unwritten)
    assert loss.item() == pytest.approx(expected.item(), rel=1e-6) == pytest.approx(without.item(), rel=1e-6)
    torch.testing.assert_close(mine.grad, F.pad(theirs.grad, (0, 5)), rtol=1e-5, atol=1e-8)


def test_padding_and_batching_change_nothing(small_checkpoint: Checkpoint) -> None:
    model, vocab = small_checkpoint.model, small_checkpoint.vocab
    together, alone = fixed_batches(vocab, PAIRS, 1000), fixed_batches(vocab, PAIRS, 1)
    assert (len(together), len(alone)) == (1, 3)
    assert mean_loss(model, together) == pytest.approx(mean_loss(model, alone), abs=1e-5)


def test_with_and_without_gradients_it_is_the_same(small_checkpoint: Checkpoint) -> None:
    batch = fixed_batches(small_checkpoint.vocab, PAIRS, 1000)[0]
    with_gradients = batch_loss(small_checkpoint.model, batch, 0.1)
    with torch.no_grad():
        without = batch_loss(small_checkpoint.model, batch, 0.1)
    assert with_gradients.item() == pytest.approx(without.item(), rel=1e-5)
    with_gradients.backward()
    small_checkpoint.model.zero_grad()


def test_without_gradients_it_is_that_of_torch_with_few_rows_in_float32_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    torch.manual_seed(0)
    logits, labels = torch.randn(131, 17), torch.randint(17, (131,))
    expected = F.cross_entropy(logits, labels, label_smoothing=0.1)
    rows: list[int] = []
    torchs = F.cross_entropy

    def counting(z: torch.Tensor, *given: Any, **named: Any) -> torch.Tensor:
        rows.append(len(z))
        return torchs(z, *given, **named)

    monkeypatch.setattr(F, "cross_entropy", counting)
    with torch.no_grad():
        assert cross_entropy(logits, labels, 0.1).item() == pytest.approx(expected.item(), rel=1e-6)
    assert rows == [64, 64, 3]


@pytest.mark.parametrize("architecture", WORD_BY_WORD)
def test_in_bfloat16_a_loaded_model_has_nearly_the_same_loss(model_folders: Path, architecture: str) -> None:
    loaded = checkpoint.load(model_folders / "en-fr" / architecture)
    if architecture == "deep-lstm" and not has_bfloat16_units(torch.device("cpu")):
        pytest.skip("An LSTM in bfloat16 needs units for it.")
    batches = fixed_batches(loaded.vocab, PAIRS, 1000)
    exact = mean_loss(loaded.model, batches)
    assert mean_loss(loaded.model, batches, "bf16") == pytest.approx(exact, rel=0.03)
    assert mean_loss(loaded.model, batches) == exact
