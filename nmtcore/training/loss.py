"""The training loss: label-smoothed cross-entropy over the real target tokens.

Mask-predict predicts the masked words of a translation, and its length (Ghazvininejad et al. 2019, section 2).
"""

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from nmtcore.models.mask_predict import MaskPredict
from nmtcore.models.padded import Padded
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.training.batches import Batch, Batches

SEED = 1  # of the masks in validation, which are the same every time


class SmoothedCrossEntropy(torch.autograd.Function):
    """Cross-entropy with label smoothing, equal to torch's, mean over N rows; `forward` computes the gradient too.

    unwritten: (V,) whether a piece is never written, and has no share of the smoothed labels; None if there is none.

    It works on some rows at a time, whose float32 probabilities fit the processor's cache. On a CPU that is four
    times as fast as the chain of (N, V) tensors that autograd keeps.
    """

    @staticmethod
    def forward(ctx: Any, logits: Tensor, labels: Tensor, smoothing: float, unwritten: Tensor | None = None) -> Tensor:
        n, v = logits.shape
        share: float | Tensor = smoothing / v
        if unwritten is not None:
            share = ~unwritten * (smoothing / (~unwritten).sum())  # (V,)
        rows = rows_at_once(logits)
        total = torch.zeros((), device=logits.device)
        gradient = torch.empty_like(logits)
        for first in range(0, n, rows):
            part = slice(first, first + rows)
            label = labels[part, None]
            log_p = torch.log_softmax(logits[part], -1, dtype=torch.float32)  # (rows, V)
            total -= (1 - smoothing) * log_p.gather(1, label).sum() + (share * log_p.sum(0)).sum()
            # d loss / d logits = p - q, with q the smoothed labels
            p = log_p.exp_().sub_(share)
            p.scatter_add_(1, label, torch.full_like(label, smoothing - 1, dtype=torch.float32))
            gradient[part] = p.mul_(1 / n)
        ctx.save_for_backward(gradient)
        return total / n

    @staticmethod
    def backward(ctx: Any, *outer: Tensor) -> tuple[Tensor, None, None, None]:
        (gradient,) = ctx.saved_tensors  # in place, since a new tensor of this size costs ten times the product
        return gradient.mul_(outer[0].to(gradient.dtype)), None, None, None


def batch_loss(model: Seq2Seq, batch: Batch, smoothing: float) -> Tensor:
    """Training loss: mean cross-entropy over the real target tokens; padding is never projected to the vocabulary.

    For a mask-predict model the mean is over the masked words, and the loss of the length is added: the sum of both,
    divided by the number of masked words.
    """
    if isinstance(model, MaskPredict):
        logits, words, length_loss = masked_words_and_length(model, batch)  # (N, V), (N,), (B,)
        return cross_entropy(logits, words, smoothing) + length_loss.sum() / len(words)
    return cross_entropy(model.logits(batch.source, batch.inputs), batch.labels, smoothing, model.unwritten)


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


def cross_entropy(logits: Tensor, labels: Tensor, smoothing: float, unwritten: Tensor | None = None) -> Tensor:
    """Mean cross-entropy of logits (N, V) and labels (N,), with label smoothing over all pieces but the unwritten."""
    if torch.is_grad_enabled() or (smoothing and unwritten is not None):
        loss: Tensor = SmoothedCrossEntropy.apply(logits, labels, smoothing, unwritten)  # type: ignore[no-untyped-call]
        return loss
    rows = rows_at_once(logits)
    parts = [slice(first, first + rows) for first in range(0, len(labels), rows)]
    sums = [
        F.cross_entropy(logits[part].float(), labels[part], label_smoothing=smoothing, reduction="sum")
        for part in parts
    ]
    return torch.stack(sums).sum() / len(labels)


def rows_at_once(logits: Tensor) -> int:
    """The number of rows of logits (N, V) whose float32 probabilities are in memory at the same time."""
    return 64 if logits.device.type == "cpu" else 4096


@torch.no_grad()
def mean_loss(model: Seq2Seq, batches: Batches, precision: str = "fp32") -> float:
    """Validation loss: mean negative log-probability of a target token, without dropout."""
    model.eval()
    losses, tokens = [], []
    for batch in batches:
        with autocast(model.device, precision):
            losses.append(batch_loss(model, batch.to(model.device), 0.0))
        tokens.append(batch.tokens)
    values: list[float] = torch.stack(losses).tolist()  # one transfer from the device
    return sum(loss * n for loss, n in zip(values, tokens, strict=True)) / sum(tokens)


def autocast(device: torch.device, precision: str) -> torch.autocast:
    """Mixed precision: matrix products in bfloat16 if `precision` is "bf16"; weights and sums stay float32."""
    return torch.autocast(device.type, torch.bfloat16, enabled=precision == "bf16")


@torch.no_grad()
def with_sampled_inputs(model: Seq2Seq, batch: Batch, share: float) -> Batch:
    """Scheduled sampling: replace a share of the decoder's inputs by the model's own predictions (Bengio et al. 2015).

    So the decoder reads some of its own words, as it will when it translates.
    It takes two passes (Mihaylova and Martins 2019): the first reads the true words and predicts every next word at
    once, so no architecture has to run step by step. `<sos>` stays, and so do the labels.
    """
    ids, mask = batch.inputs.ids, batch.inputs.mask  # (B, T)
    predicted = model(batch.source, batch.inputs).argmax(-1)  # (B, T), of y_1 .. y_T
    own = torch.cat((ids[:, :1], predicted[:, :-1]), 1)  # a prediction of y_{j-1} in place of y_{j-1}
    chosen = (torch.rand(ids.shape, device=ids.device) < share) & mask
    return replace(batch, inputs=replace(batch.inputs, ids=torch.where(chosen, own, ids)))
