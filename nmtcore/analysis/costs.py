"""Computational cost of a model: parameters, multiply-adds, sequential operations.

PyTorch's flop counter formulas count multiply-adds while the model runs on a few pieces. The values of its weights do
not matter: a small model uses uninitialised memory, a large one the device `meta`, which stores only shapes, so it need
not fit into memory. Matrix products and convolutions are counted; elementwise operations (softmax, tanh, gates, norms)
are left out, as is usual.

Each count is made once, even if many threads ask for it: a class that opens Architectures together would otherwise
count everything thirty times. Counting takes seconds and holds Python's global lock, so the counts of the shipped
models and of the papers' larger ones are stored with the code; `count_shipped` counts these again.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch
from cachetools import LRUCache, cached
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from nmtcore.config import ModelConfig, is_autoregressive
from nmtcore.decoding.mask_predict import masked_after
from nmtcore.models import checkpoint
from nmtcore.models.padded import Padded
from nmtcore.models.seq2seq import Seq2Seq

T = TypeVar("T")
Differences = np.ndarray[Any, np.dtype[np.int64]]
COUNTED = Path(__file__).with_name("counted.json")  # `differences` by the representation of a configuration
LIKE = 2  # number of layers above which each further one costs the same; the first has other inputs, like embeddings
LARGE = 30_000_000  # parameters above which a model is counted on `meta`, which loads torch's compiler first: 1 s
FIRST = 1  # pieces in the shortest sentence that is counted
PROOF = (4, 5)  # lengths at which the polynomial is compared to a count


class Operations(NamedTuple):
    """Operations for one sentence: multiply-adds, and sequential operations (the longest chain of matrix products).

    encode: multiply-adds of the encoder; total: of encoder and teacher-forced decoder. Sequential operations are
    counted for encoding; for training with teacher forcing, which reads the whole translation at once; and for
    decoding, in which each word waits for the one before. For a mask-predict model the counts are those of one round.
    """

    encode: int
    total: int
    sequential_encoding: int
    sequential_training: int
    sequential_decoding: int


@cached(LRUCache(256), condition=threading.Condition())
def parameters(config: ModelConfig) -> int:
    """The number of weights of a model."""
    return checkpoint.parameters(_without_numbers(config))


def operations(config: ModelConfig, source: int, target: int) -> Operations:
    """Multiply-adds and sequential products for `source` and `target` pieces, including `<eos>` in both.

    The counts are polynomials of degree two in both lengths. They are counted at a few small lengths, from which
    Newton's differences give all others exactly. A seventh count checks this; if it differs, these lengths are counted.
    """
    known = differences(config)
    return count(config, source, target) if known is None else _polynomials(known, source, target)


def stacked_operations(config: ModelConfig, source: int, target: int) -> Operations:
    """Operations of a deep model, extrapolated from shallow ones, since counting 48 layers would take seconds.

    From layer LIKE on, every layer of a stack costs as much as the one before it.
    """
    deep = {name: int(getattr(config, name)) for name in ("encoder_layers", "decoder_layers")}

    def shallow(**layers: int) -> Operations:
        wanted = {name: min(deep[name], layers.get(name, LIKE)) for name in deep}
        return operations(replace(config, **wanted), source, target)

    base = shallow()
    further = [(max(0, deep[name] - LIKE), shallow(**{name: LIKE + 1})) for name in deep]
    return Operations(
        *(n + sum(times * (more[i] - n) for times, more in further) for i, n in enumerate(base)),
    )


@cached(LRUCache(256), condition=threading.Condition())
@torch.no_grad()
def count(config: ModelConfig, source: int, target: int) -> Operations:
    """Operations, counted by a run at exactly these lengths."""
    device = "cpu" if parameters(config) < LARGE else "meta"
    model = _without_numbers(config) if device == "meta" else _built(config, device)
    x, y = _tokens(source, device), _tokens(target, device)
    encode, memory = _counted(lambda: model.encode(x))
    forced, _ = _counted(lambda: model(x, y))
    counts = (encode.flops // 2, forced.flops // 2, encode.longest, forced.longest)
    if not is_autoregressive(config.architecture):
        return Operations(*counts, forced.longest)
    start, state = _counted(lambda: model.start(memory))
    step, _ = _counted(lambda: model.step(y.ids[:, 0], state, memory))
    return Operations(*counts, encode.longest + start.longest + target * step.longest)


def in_rounds(config: ModelConfig, source: int, target: int, rounds: int) -> Operations:
    """Operations of T rounds of mask-predict in a non-autoregressive model, for a translation of one length.

    The source is read once. Each round waits for the one before, reads the whole translation, and computes logits
    only for the masked words; rounds without masked words are not run. total and sequential_decoding are sums over
    all rounds.
    """
    one = operations(config, source, target)
    masked = [count for count in (masked_after(target, rounds, done) for done in range(rounds)) if count]
    spared = sum(target - count for count in masked) * _logits(config)
    return one._replace(
        total=one.encode + len(masked) * (one.total - one.encode) - spared,
        sequential_decoding=one.sequential_encoding + len(masked) * (one.sequential_training - one.sequential_encoding),
    )


def training_multiply_adds(config: ModelConfig, source: int, target: int) -> int:
    """Multiply-adds of the forward pass in a training update on one pair, including `<eos>` in both lengths.

    A mask-predict model reads y_1 .. y_n without `<eos>` and computes the logits of the masked words, whose number is
    uniform from 1 to n: (n + 1) / 2 on average.
    """
    if is_autoregressive(config.architecture):
        return operations(config, source, target).total
    words = max(1, target - 1)
    return operations(config, source, words).total - (words - 1) * _logits(config) // 2


def _logits(config: ModelConfig) -> int:
    """Multiply-adds of the logits of one word."""
    return config.vocab_size * config.d_model


@cached(LRUCache(256), condition=threading.Condition())
def differences(config: ModelConfig) -> Differences | None:
    """Newton's forward differences of Operations from (FIRST, FIRST) on, (6, 5); None if the counts are no polynomials.

    Rows: none, first in the source and in the target, second in the source, in the target and in both.
    """
    if repr(config) in _stored():
        stored = _stored()[repr(config)]
        return None if stored is None else np.array(stored)
    further = ((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (1, 1))
    origin, s, t, ss, tt, st = (np.array(count(config, FIRST + i, FIRST + j)) for i, j in further)
    found = np.stack((origin, s - origin, t - origin, ss - 2 * s + origin, tt - 2 * t + origin, st - s - t + origin))
    return found if _polynomials(found, *PROOF) == count(config, *PROOF) else None


@cache
def _stored() -> dict[str, list[list[int]] | None]:
    stored: dict[str, list[list[int]] | None] = json.loads(COUNTED.read_text(encoding="utf-8"))
    return stored


def _polynomials(differences: Differences, source: int, target: int) -> Operations:
    """The value at two lengths. All numbers are integers, so nothing is rounded."""
    x, y = source - FIRST, target - FIRST
    return Operations(*((1, x, y, x * (x - 1) // 2, y * (y - 1) // 2, x * y) @ differences).tolist())


@cached(LRUCache(16), condition=threading.Condition())
def _without_numbers(config: ModelConfig) -> Seq2Seq:
    return _built(config, "meta")


def _built(config: ModelConfig, device: str) -> Seq2Seq:
    random_state = torch.random.fork_rng([])  # so that building the model does not change a caller's random numbers
    with random_state, torch.device(device), checkpoint.WithoutInitialisation():
        return checkpoint.build(config).eval()


def _tokens(length: int, device: str) -> Padded:
    """A sentence without padding."""
    return Padded.of(torch.zeros(1, length, dtype=torch.long, device=device), torch.tensor([length]))


def _counted(run: Callable[[], T]) -> tuple[OperationCounter, T]:
    """Count the operations of a function and return its result. A multiply-add is two floating point operations."""
    with OperationCounter() as counter:
        return counter, run()


class OperationCounter(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Flops by the formulas of PyTorch's flop counter, and the critical path: the longest chain of products.

    A tensor is as deep as the deepest one that it was computed from, and one deeper after a product. Depth belongs to
    a storage, since a view is not a new tensor. PyTorch's FlopCounterMode counts the same, but it hooks the modules of
    all threads, and a server has many.
    """

    def __init__(self) -> None:
        from torch.utils.flop_counter import flop_registry  # here, because it loads a GPU's compiler if there is one

        super().__init__()  # type: ignore[no-untyped-call]
        self.formulas = flop_registry
        self.flops = self.longest = 0
        self.depth: dict[int, int] = {}
        self.kept: list[Tensor] = []  # keeps storages alive, so that no address is used twice

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Torch asks this before it would import its compiler to hide __torch_dispatch__ from it."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        deep = max((self.depth.get(_storage(t), 0) for t in _tensors((args, kwargs))), default=0)
        if (flops := self.formulas.get(func._overloadpacket)) is not None:
            self.flops += flops(*args, **kwargs, out_val=out)
            deep += 1
        elif func is torch.ops.aten.mkldnn_rnn_layer.default:  # one direction of an LSTM on a CPU, as one operation
            steps, rows, _ = args[0].shape
            self.flops += 2 * steps * rows * (args[1].numel() + args[2].numel())  # W_x and W_h, of all four gates
            deep += steps
        for tensor in _tensors(out):
            self.depth[_storage(tensor)] = max(deep, self.depth.get(_storage(tensor), 0))
            self.kept.append(tensor)
        self.longest = max(self.longest, deep)
        return out


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        value = tuple(value.values())
    return [t for part in value for t in _tensors(part)] if isinstance(value, tuple | list) else []


def _storage(tensor: Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)
