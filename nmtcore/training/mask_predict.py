"""The loss of mask-predict: the masked words of a translation, and its length (Ghazvininejad et al. 2019, sect. 2)."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from nmtcore.models.mask_predict import MaskPredict
from nmtcore.models.padded import Padded
from nmtcore.training.batches import Batch

SEED = 1  # of the masks of validation, which are the same every time


def mask_at_random(words: Padded, generator: torch.Generator | None = None) -> Tensor:
    """Which words of each row to mask, (B, T): their number uniform from 1 to all, their places at random.

    generator: a CPU's, for masks that can be drawn again; None for PyTorch's own.
    """
    device = words.ids.device if generator is None else "cpu"
    share = torch.rand(len(words.ids), generator=generator, device=device).to(words.ids.device)  # (B,)
    order = torch.rand(words.ids.shape, generator=generator, device=device).to(words.ids.device)  # (B, T)
    lengths = words.mask.sum(1)  # (B,)
    count = (share * lengths).floor().long() + 1  # 1 .. T, each as likely
    rank = order.masked_fill(~words.mask, 2.0).argsort(1).argsort(1)  # of each place in a random order of its row
    return (rank < count.clamp(max=lengths)[:, None]) & words.mask


def masked_words_and_length(model: MaskPredict, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """What the loss is made of: logits (N, V) of the masked words, these words (N,), and -log P(length) of each row.

    The words are y_1 .. y_T without `<eos>`, which this model does not write: the length says where it ends.
    """
    words = Padded(batch.inputs.ids[:, 1:], batch.inputs.mask[:, 1:])  # the inputs are <sos>, y_1 .. y_T
    generator = None if torch.is_grad_enabled() else torch.Generator().manual_seed(SEED)
    masked = mask_at_random(words, generator)
    memory = model.encode(batch.source)
    seen = Padded(words.ids.masked_fill(masked, model.mask_id), words.mask)
    logits = model.project(model.decode(seen, memory).states[masked])
    lengths = words.mask.sum(1) - 1  # class 0 is the length 1
    length_loss = F.cross_entropy(memory.inner["length"][0].float(), lengths, reduction="none")
    return logits, words.ids[masked], length_loss
