"""Estimate of training memory: weights, optimiser state, and activations kept for backpropagation."""

from dataclasses import dataclass

from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks

from nmtcore.models import checkpoint
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.training.batches import Batch
from nmtcore.training.config import Optimiser, TrainingConfig
from nmtcore.training.loss import autocast, batch_loss

MOMENTS: dict[Optimiser, int] = {"sgd": 0, "momentum": 1, "adagrad": 1, "rmsprop": 1, "adam": 2, "adamw": 2}
COPIES = 5  # of the weights: themselves, their gradient, the best so far, and two while a validation compares
SHARE = 1.3  # factor for temporary memory: gradients of activations, results not yet freed


@dataclass(frozen=True)
class TrainingMemory:
    """Memory for training, in bytes. fixed: independent of the batch; each: per piece of a batch, with padding."""

    fixed: int
    each: float

    def needed(self, tokens: int) -> int:
        """Bytes that training needs with batches of this many pieces."""
        return self.fixed + round(self.each * tokens)

    def largest_batch(self, free: int) -> int:
        """The pieces in the largest batch that fits into `free` bytes; 0 if the model alone is too large."""
        return max(0, int((free - self.fixed) / self.each))


def training_memory(model: Seq2Seq, batch: Batch, config: TrainingConfig) -> TrainingMemory:
    """Measure the activations on one batch: every tensor that autograd saves in the forward pass, counted once."""
    weights = {p.untyped_storage().data_ptr() for p in model.parameters()}
    saved: dict[int, int] = {}  # bytes of each storage by address; the graph keeps all of them alive

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in weights:
            saved[storage.data_ptr()] = storage.nbytes()
        return tensor

    model.train()
    with saved_tensors_hooks(keep, lambda tensor: tensor), autocast(model.device, config.precision):
        loss = batch_loss(model, batch, config.label_smoothing)
    del loss
    pieces = max(batch.source.ids.numel(), batch.inputs.ids.numel())
    copies = COPIES + MOMENTS[config.optimiser] + config.average
    return TrainingMemory(4 * copies * checkpoint.parameters(model), SHARE * sum(saved.values()) / pieces)
