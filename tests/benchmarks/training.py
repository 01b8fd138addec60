"""Training throughput against a plain loop over torch.nn.Transformer, in one run on one machine.

    python -m tests.benchmarks.training [--threads 2] [--precision bf16] [--device cuda]

Same sizes (3 + 3 layers, D 256, 4 heads, feed-forward 1024, 8,000 pieces, one matrix for both embeddings and the
output, dropout 0.1), the same batches of generated sentences with the lengths of everyday ones, the same optimiser.
Both take turns, a few updates each, and the median turn counts, so that a busy moment hits both; what is compared is
target pieces a second, padding left out.
"""

import math
import statistics
import time
import warnings
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nmtcore.analysis.costs import operations
from nmtcore.config import TransformerConfig
from nmtcore.models import checkpoint
from nmtcore.models.positions import sinusoids
from nmtcore.text.vocabulary import EOS, PAD
from nmtcore.training.batches import Batch, Batches, cut
from nmtcore.training.config import TrainingConfig
from nmtcore.training.loss import autocast
from nmtcore.training.state import TrainingState
from tests.benchmarks.machine import machine, options

SIZE, WIDTH, LAYERS, HEADS, FEEDFORWARD, DROPOUT = 8000, 256, 3, 4, 1024, 0.1
MODEL = TransformerConfig(SIZE, WIDTH, FEEDFORWARD, HEADS, LAYERS, LAYERS, dropout=DROPOUT)
BATCHES, FIRST = 20, 5  # batches that go round; the id of the first real piece


class Generated:
    """Pairs of random pieces; about 11 of them a sentence, few long ones. size: of the vocabulary."""

    def __init__(self, batch_tokens: int, count: int = 20_000, size: int = SIZE) -> None:
        random = np.random.default_rng(1)
        lengths = np.clip(random.lognormal(2.2, 0.45, count).round().astype(int), 2, 60)
        sides = [
            [[*random.integers(FIRST, size, length + extra).tolist(), EOS] for length in lengths] for extra in (0, 1)
        ]
        rows = cut(*sides, batch_tokens, random.permutation(len(lengths)))
        chosen = [rows[i] for i in random.permutation(len(rows))[:BATCHES]]
        self.batches = Batches(*sides, chosen)

    def epoch(self, number: int) -> Batches:
        return self.batches


class Plain(nn.Module):
    """What one writes with torch's own Transformer."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(SIZE, WIDTH, padding_idx=PAD)
        nn.init.normal_(self.embedding.weight, std=WIDTH**-0.5)
        self.register_buffer("positions", sinusoids(512, WIDTH))
        with warnings.catch_warnings():  # of no nested tensors, which are for inference alone
            warnings.simplefilter("ignore", UserWarning)
            self.transformer = nn.Transformer(
                WIDTH, HEADS, LAYERS, LAYERS, FEEDFORWARD, DROPOUT, batch_first=True, norm_first=True
            )

    def embed(self, ids: Tensor) -> Tensor:
        return F.dropout(
            self.embedding(ids) * math.sqrt(WIDTH) + self.positions[: ids.shape[1]], DROPOUT, self.training
        )

    def forward(self, batch: Batch) -> Tensor:
        source, target = batch.source.ids, batch.inputs.ids
        causal = nn.Transformer.generate_square_subsequent_mask(target.shape[1], device=source.device, dtype=torch.bool)
        hidden = self.transformer(
            self.embed(source),
            self.embed(target),
            tgt_mask=causal,
            src_key_padding_mask=~batch.source.mask,
            tgt_key_padding_mask=~batch.inputs.mask,
            memory_key_padding_mask=~batch.source.mask,
            tgt_is_causal=True,
        )
        labels = torch.full_like(target, PAD)
        labels[batch.inputs.mask] = batch.labels
        logits = F.linear(hidden, self.embedding.weight)
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=PAD, label_smoothing=0.1)


def ours(data: Generated, config: TrainingConfig, device: torch.device) -> Callable[[], int]:
    model = checkpoint.build(MODEL)
    run = TrainingState(model.to(device), data, config)  # type: ignore[arg-type]
    return lambda: run.update()[1]


def plain(data: Generated, config: TrainingConfig, device: torch.device) -> Callable[[], int]:
    model = Plain().to(device).train()
    optimiser = torch.optim.AdamW(model.parameters(), config.learning_rate, weight_decay=0.0, fused=True)
    done = 0

    def update() -> int:
        nonlocal done
        batch = data.batches[done % len(data.batches)].to(device)
        done += 1
        with autocast(device, config.precision):
            loss = model(batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), config.clip)
        optimiser.step()
        return batch.tokens

    return update


def rates(updates: dict[str, Callable[[], int]], device: torch.device, turns: int, count: int) -> dict[str, float]:
    """Target pieces a second of each: the median of the turns, each of `count` updates, the first turn left out."""
    found: dict[str, list[float]] = {name: [] for name in updates}
    for _ in range(turns + 1):
        for name, update in updates.items():
            began = time.perf_counter()
            tokens = sum(update() for _ in range(count))
            if device.type == "cuda":
                torch.cuda.synchronize(device)
            found[name].append(tokens / (time.perf_counter() - began))
    return {name: statistics.median(values[1:]) for name, values in found.items()}


def flops(config: TransformerConfig, batches: Batches) -> float:
    """Floating-point operations of the updates on these batches: two a multiply-add, and twice as many backwards."""
    rows = [row for batch in batches.rows for row in batch]
    lengths = [(len(batches.sources[row]), len(batches.targets[row])) for row in rows]
    return sum(6.0 * operations(config, *pair).total for pair in lengths)


def main() -> None:
    chosen = options(__doc__, threads=2, device="cpu", precision="fp32", batch_tokens=2000, turns=7, updates=4)
    torch.set_num_threads(chosen.threads)
    torch.manual_seed(1)
    device = torch.device(chosen.device)
    config = TrainingConfig(epochs=100_000, batch_tokens=chosen.batch_tokens, precision=chosen.precision)
    data = Generated(chosen.batch_tokens)
    updates = {"ours": ours(data, config, device), "torch.nn.Transformer": plain(data, config, device)}
    found = rates(updates, device, chosen.turns, chosen.updates)
    print(machine())
    where = torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"
    print(f"{where}, {chosen.threads} threads, {chosen.precision}, batches of {chosen.batch_tokens:,} pieces")
    for name, rate in found.items():
        print(f"{name:22} {rate:10,.0f} target pieces a second")
    print(f"ours / torch.nn.Transformer: {found['ours'] / found['torch.nn.Transformer']:.2f}")


if __name__ == "__main__":
    main()
