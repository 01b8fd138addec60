"""Computational cost of a model: parameters, multiply-adds, sequential operations.

PyTorch's flop counter formulas count multiply-adds while the model runs on a few pieces. The values of its weights do
not matter: a small model uses uninitialised memory, a large one the device `meta`, which stores only shapes, so it need
not fit into memory. Matrix products and convolutions are counted; elementwise operations (softmax, tanh, gates, norms)
are left out, as is usual.

Each count is made once, even if many threads ask for it: a class that opens Architectures together would otherwise
count everything thirty times. The counts of shipped models are stored with the code (`counted.py`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, TypeVar

import torch
from cachetools import LRUCache, cached
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from nmtcore.analysis.counted import Counted, counted
from nmtcore.config import ModelConfig, is_autoregressive
from nmtcore.decoding.mask_predict import masked_after
from nmtcore.models import checkpoint
from nmtcore.models.padded import Padded
from nmtcore.models.seq2seq import Seq2Seq

T = TypeVar("T")
LIKE = 2  # number of layers above which each further one costs the same; the first has other inputs, like embeddings
LARGE = 30_000_000  # parameters above which a model is counted on `meta`, which loads torch's compiler first: 1 s
BYTES = 2  # per weight, stored as float16


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


@dataclass(frozen=True)
class Costs:
    """Size of a model, which does not depend on the sentence: its number of parameters, and their bytes in float16."""

    parameters: int

    @property
    def memory(self) -> int:
        """Bytes of the weights in float16."""
        return BYTES * self.parameters


@cached(LRUCache(256), condition=threading.Condition())
def model_costs(config: ModelConfig) -> Costs:
    """Parameters and memory of a model, counted on tensors without numbers (device `meta`)."""
    if kept := counted(config):
        return Costs(kept.parameters)
    return Costs(checkpoint.parameters(_without_numbers(config)))


def operations(config: ModelConfig, source: int, target: int) -> Operations:
    """Multiply-adds and sequential products for `source` and `target` pieces, including `<eos>` in both.

    The counts are polynomials of degree two in both lengths. They are counted at a few small lengths, from which
    Newton's differences give all others exactly. A seventh count checks this; if it differs, these lengths are counted.
    """
    known = _differences(config)
    return count(config, source, target) if known is None else known.at(source, target)


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
def count(config: ModelConfig, source: int, target: int) -> Operations:
    """Operations, counted by a run at exactly these lengths."""
    if model_costs(config).parameters < LARGE:
        return _count(config, source, target, "cpu")
    try:
        return _count(config, source, target, "meta")
    except (NotImplementedError, RuntimeError):  # the model reads the values of a tensor
        return _count(config, source, target, "cpu")


@torch.no_grad()
def _count(config: ModelConfig, source: int, target: int, device: str) -> Operations:
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


@cached(LRUCache(256), condition=threading.Condition())
@torch.no_grad()
def _logits(config: ModelConfig) -> int:
    """Multiply-adds of the logits of one word."""
    if kept := counted(config):
        return kept.logits
    model = _without_numbers(config)
    return _counted(lambda: model.project(torch.empty(1, config.d_model, device="meta")))[0].flops // 2


@dataclass(frozen=True)
class _Differences:
    """Newton's forward differences of counts from (FIRST, FIRST) on: integers, so nothing is rounded."""

    origin: Operations
    source: Operations  # first differences
    target: Operations
    source_twice: Operations  # second differences
    target_twice: Operations
    both: Operations

    def at(self, source: int, target: int) -> Operations:
        x, y = source - FIRST, target - FIRST
        factors = (1, x, y, x * (x - 1) // 2, y * (y - 1) // 2, x * y)
        terms = (self.origin, self.source, self.target, self.source_twice, self.target_twice, self.both)
        return Operations(
            *(sum(f * n for f, n in zip(factors, column, strict=True)) for column in zip(*terms, strict=True))
        )


FIRST = 1  # pieces in the shortest sentence that is counted
PROOF = (4, 5)  # lengths at which the polynomial is compared to a count


@cached(LRUCache(256), condition=threading.Condition())
def _differences(config: ModelConfig) -> _Differences | None:
    if kept := counted(config):
        return _Differences(*(Operations(*column) for column in kept.differences)) if kept.differences else None
    a = FIRST
    origin, s, t = count(config, a, a), count(config, a + 1, a), count(config, a, a + 1)
    ss, tt, st = count(config, a + 2, a), count(config, a, a + 2), count(config, a + 1, a + 1)
    differences = _Differences(
        origin,
        Operations(*(i - o for i, o in zip(s, origin, strict=True))),
        Operations(*(i - o for i, o in zip(t, origin, strict=True))),
        Operations(*(k - 2 * i + o for k, i, o in zip(ss, s, origin, strict=True))),
        Operations(*(k - 2 * i + o for k, i, o in zip(tt, t, origin, strict=True))),
        Operations(*(k - i - j + o for k, i, j, o in zip(st, s, t, origin, strict=True))),
    )
    return differences if differences.at(*PROOF) == count(config, *PROOF) else None


def counted_so_far() -> list[ModelConfig]:
    """The configurations for which it is known whether their counts are polynomials, for `counted.py`."""
    return [key[0] for key in _differences.cache]


def to_keep(config: ModelConfig) -> Counted:
    """What `counted.py` stores for one configuration."""
    logits = 0 if is_autoregressive(config.architecture) else _logits(config)
    differences = _differences(config)
    columns = [getattr(differences, field.name) for field in fields(differences)] if differences else None
    return Counted(model_costs(config).parameters, logits, columns)


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
        out = _run(func, args, kwargs)
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


_SHAPES: dict[Hashable, list[tuple[Any, ...]]] = {}  # sizes, strides and types of results, by operation and arguments
MOST_SHAPES = 20_000


def _run(func: Any, args: Any, kwargs: Any) -> Any:
    """The result of an operation. On `meta` PyTorch infers shapes in slow Python code, so equal calls are cached.

    A view, or an operation in place, shares the storage of an argument, and always goes to PyTorch.
    """
    key = (func, _signature((args, kwargs)))
    if key in _SHAPES:
        made = [torch.empty_strided(size, stride, dtype=kind, device="meta") for size, stride, kind in _SHAPES[key]]
        return made[0] if len(made) == 1 else tuple(made)
    out = func(*args, **kwargs)
    outputs, returned = _tensors(out), func._schema.returns
    aliases = any(value.alias_info for value in (*func._schema.arguments, *returned))
    if outputs and len(outputs) == len(returned) and not aliases and all(tensor.is_meta for tensor in outputs):
        if len(_SHAPES) >= MOST_SHAPES:
            _SHAPES.clear()
        _SHAPES[key] = [(tensor.size(), tensor.stride(), tensor.dtype) for tensor in outputs]
    return out


def _signature(value: Any) -> Hashable:
    """Cache key: everything that determines the shape of a result."""
    if isinstance(value, Tensor):
        return value.size(), value.stride(), value.dtype, value.device
    if isinstance(value, dict):
        value = tuple(value.items())
    return tuple(map(_signature, value)) if isinstance(value, tuple | list) else (type(value), value)


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        value = tuple(value.values())
    return [t for part in value for t in _tensors(part)] if isinstance(value, tuple | list) else []


def _storage(tensor: Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)
