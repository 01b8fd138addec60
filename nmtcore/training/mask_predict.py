"""The loss of mask-predict: the masked words of a translation, and its length (Ghazvininejad et al. 2019, sect. 2)."""

from dataclasses import replace

import torch
from torch import Tensor
from torch.nn import functional as F

from nmtcore.models.mask_predict import MaskPredict
from nmtcore.models.padded import Padded
from nmtcore.training.batches import Batch

SEED = 1  # of the masks in validation, which are the same every time


def mask_at_random(words: Padded, generator: torch.Generator | None = None) -> Tensor:
    """Random masking: which words of each row to mask, (B, T) bool; their number is uniform from 1 to all.

    It is drawn on the CPU, so that the number of masked words is known without waiting for a GPU.
    generator: for masks that can be drawn again; None for PyTorch's own.
    """
    share = torch.rand(len(words.ids), generator=generator)  # (B,)
    order = torch.rand(words.ids.shape, generator=generator)  # (B, T)
    real = torch.arange(order.size(1)) < words.lengths[:, None]  # (B, T)
    count = (share * words.lengths).floor().long() + 1  # uniform from 1 to T
    rank = order.masked_fill(~real, 2.0).argsort(1).argsort(1)  # of each position, in a random order of its row
    return (rank < count.clamp(max=words.lengths)[:, None]) & real


def masked_words_and_length(model: MaskPredict, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """The parts of the loss: logits (N, V) of the masked words, these words (N,), -log P(length) of each row (B,).

    The words are y_1 .. y_T without `<eos>`, which this model does not write: the length determines the end.
    """
    words = Padded.of(batch.inputs.ids[:, 1:], batch.inputs.lengths - 1)  # the inputs are <sos>, y_1 .. y_T
    device = words.ids.device
    generator = None if torch.is_grad_enabled() else torch.Generator().manual_seed(SEED)
    masked = mask_at_random(words, generator)
    places = masked.flatten().nonzero()[:, 0].to(device)  # (N,) positions of the masked words
    memory = model.encode(batch.source)
    seen = replace(words, ids=words.ids.masked_fill(masked.to(device), model.mask_id))
    logits = model.project(model.decode(seen, memory).states.flatten(0, 1).index_select(0, places))
    lengths = words.lengths.to(device) - 1  # class 0 is the length 1
    length_loss = F.cross_entropy(memory.inner["length"][0].float(), lengths, reduction="none")
    return logits, words.ids.flatten().index_select(0, places), length_loss
