"""A stand-in for a GPU, to find what only a GPU would: operations across devices, and synchronizing calls.

Inside `accelerator()` there is the device `standin`. Its tensors are a subclass over CPU data: they compute what the
CPU computes, an operation on tensors of two devices raises as CUDA's do, and whatever makes the CPU wait for the device
(`item`, `tolist`, `cpu`, `bool`, `nonzero`, an index of bools) is counted. It has a random generator of its own, and
autocast casts there as it does for CUDA. PyTorch calls a device of this kind "private use 1".

What it cannot show: speed, memory, and the last digits of a GPU's arithmetic.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import torch
from torch import Tensor
from torch._decomp import decompositions
from torch.utils import backend_registration
from torch.utils._mode_utils import no_dispatch
from torch.utils._python_dispatch import TorchDispatchMode

from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate

NAME = "standin"
aten = torch.ops.aten
# Operations that take tensors of two devices, as CUDA's do.
MIXED = {aten.copy_, aten._to_copy, aten._pack_padded_sequence, aten._pad_packed_sequence, aten._foreach_copy_}
INDEXING = {aten.index, aten.index_put, aten.index_put_}
# What these return second stays on the CPU: the sizes of batches, and lengths.
SECOND_ON_CPU = {aten._pack_padded_sequence, aten._pad_packed_sequence}
# Operations whose result's size depends on the numbers, or that return a Python number.
WAITING = {
    *(aten._local_scalar_dense, aten.nonzero, aten.masked_select, aten.equal, aten._unique2, aten.bincount),
    *(aten.unique_dim, aten.unique_consecutive),
}
# Operations that autocast runs in bfloat16 and in float32, from the lists for CUDA.
IN_BF16 = ("linear", "matmul", "mm", "bmm", "addmm", "baddbmm")
PACKED = {"lstm": "data_impl", "gru": "impl_data"}  # names of definitions for packed sequences
IN_FLOAT32 = ("softmax.int", "log_softmax.int", "layer_norm", "exp", "log", "norm.Scalar", "cumsum")


class OnDevice(torch.Tensor):
    """A tensor on the stand-in: it claims to be on `standin:0`, and holds its numbers on the CPU."""

    held: Tensor

    @staticmethod
    def __new__(cls, held: Tensor) -> OnDevice:
        return torch.Tensor._make_wrapper_subclass(
            cls,
            held.size(),
            strides=held.stride(),
            storage_offset=held.storage_offset(),
            dtype=held.dtype,
            device=torch.device(NAME, 0),
        )

    def __init__(self, held: Tensor) -> None:
        self.held = held

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return f"OnDevice({self.held})"

    def numpy(self, *, force: bool = False) -> Any:
        if not force:
            raise TypeError(f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() first.")
        return self.cpu().numpy()

    def tolist(self) -> Any:
        return self.cpu().tolist()

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise RuntimeError(f"{func} works on a tensor of the stand-in for a GPU outside accelerator().")


class Accelerator(TorchDispatchMode):
    """The device: runs each operation on the CPU data. waits: how often each operation made the CPU wait."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: Counter[str] = Counter()
        self.random = torch.Generator().manual_seed(0).get_state()

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Whether to load torch's compiler to keep it out of each operation: there is none here."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        device = kwargs.get("device")
        here = device.type == NAME if device is not None else OnDevice in types
        if not here and OnDevice not in types:
            return func(*args, **kwargs)
        ours: list[OnDevice] = []
        others: list[Tensor] = []
        held = [take(value, ours, others) for value in args]
        named = {name: take(value, ours, others) for name, value in kwargs.items()}
        kind = Kind.of(func)
        if others and ours and not kind.mixed:
            given = [args[0], *args[2:3]] if kind.indexing else others  # an index may come from the CPU
            for t in given:
                if not isinstance(t, OnDevice) and not (kind.takes_numbers and t.dim() == 0):
                    message = f"found at least two devices, {NAME}:0 and {t.device}! (in {func})"
                    raise RuntimeError(f"Expected all tensors to be on the same device, but {message}")
        into_cpu = kind.packet is aten.copy_ and not isinstance(args[0], OnDevice)
        if (
            into_cpu
            or kind.waits
            or (kind.packet is aten._to_copy and not here)
            or (kind.indexing and indexed_by_bools(kind.packet, args))
        ):
            self.waits[kind.packet.__name__] += 1
        if device is not None:
            named["device"] = torch.device("cpu")
        if kind.changes_view:  # transpose_: the wrapper's shape changes with it
            with no_dispatch():
                func(*args, **kwargs)
        if here and kind.random:
            with self.own_random():
                found = func(*held, **named)
        else:
            found = func(*held, **named)
        if into_cpu or not here:
            return found
        if kind.second_on_cpu:
            return OnDevice(found[0]), found[1]
        return wrap(found, {id(t.held): t for t in ours} if kind.in_place else {})  # in place: it returns its argument

    @property
    def waited(self) -> int:
        """How often the CPU has waited."""
        return sum(self.waits.values())

    @contextlib.contextmanager
    def own_random(self) -> Iterator[None]:
        """Draw from the device's generator."""
        before = torch.get_rng_state()
        torch.set_rng_state(self.random)
        try:
            yield
        finally:
            self.random = torch.get_rng_state()
            torch.set_rng_state(before)


def indexed_by_bools(packet: Any, args: Any) -> bool:
    """Whether the size of the result is known on the device alone."""
    by_bools = any(isinstance(t, OnDevice) and t.dtype == torch.bool for t in args[1])
    return by_bools and (packet is aten.index or args[2].numel() != 1)  # with one number it is a masked_fill


class Kind:
    """An operation's properties: looked up once for each, since tests run a million of them."""

    def __init__(self, func: Any) -> None:
        self.packet = func.overloadpacket
        self.mixed, self.indexing = self.packet in MIXED, self.packet in INDEXING
        self.takes_numbers = self.indexing or torch.Tag.pointwise in func.tags  # single ones, of the CPU
        self.waits, self.second_on_cpu = self.packet in WAITING, self.packet in SECOND_ON_CPU
        self.changes_view = torch.Tag.inplace_view in func.tags
        self.random = torch.Tag.nondeterministic_seeded in func.tags
        self.in_place = func._schema.is_mutable

    @staticmethod
    @functools.cache
    def of(func: Any) -> Kind:
        return Kind(func)


def take(value: Any, ours: list[OnDevice], others: list[Tensor]) -> Any:
    """A value as the CPU sees it; its tensors are appended to the device's or to the others."""
    if isinstance(value, OnDevice):
        ours.append(value)
        return value.held
    if isinstance(value, Tensor):
        others.append(value)
    elif isinstance(value, list | tuple):
        return type(value)([take(part, ours, others) for part in value])
    return value


def wrap(found: Any, given: dict[int, OnDevice]) -> Any:
    """An operation's results as tensors of the device: those that were `given`, found by their data, or new ones."""
    if isinstance(found, Tensor):
        same = given.get(id(found))
        return OnDevice(found) if same is None else same
    return type(found)([wrap(part, given) for part in found]) if isinstance(found, list | tuple) else found


class Backend:
    """`torch.standin`, PyTorch's interface to the device. It exists only inside `accelerator()`."""

    device: Accelerator | None = None

    def is_available(self) -> bool:
        return self.device is not None

    def is_initialized(self) -> bool:
        return True

    def _lazy_init(self) -> None:
        pass

    def device_count(self) -> int:
        return int(self.is_available())

    def current_device(self) -> int:
        return 0

    def _is_in_bad_fork(self) -> bool:
        return False

    def manual_seed_all(self, seed: int) -> None:
        if self.device:
            self.device.random = torch.Generator().manual_seed(seed).get_state()

    def get_rng_state(self, device: Any = None) -> Tensor:
        assert self.device
        return self.device.random.clone()

    def set_rng_state(self, state: Tensor, device: Any = None) -> None:
        assert self.device
        self.device.random = state.clone()

    def empty_cache(self) -> None:
        pass

    def synchronize(self) -> None:
        pass

    def get_amp_supported_dtype(self) -> list[torch.dtype]:
        return [torch.bfloat16, torch.float16]


BACKEND = Backend()


@functools.cache
def register() -> tuple[torch.library.Library, torch.library.Library]:
    """Register the device with PyTorch, once per process, and how autocast casts there."""
    backend_registration._setup_privateuseone_for_python_backend(NAME, BACKEND)
    others = torch.library.Library("_", "IMPL")
    others.fallback(torch.library.fallthrough_kernel, "AutocastPrivateUse1")
    library = torch.library.Library("aten", "IMPL")
    for names, cast in ((IN_BF16, lambda t: t.to(torch.bfloat16)), (IN_FLOAT32, lambda t: t.float())):
        for name in names:
            library.impl(name, casting(getattr(aten, name.partition(".")[0]), cast), "AutocastPrivateUse1")
    return others, library  # which are in force as long as they are kept


def casting(operation: Any, cast: Callable[[Tensor], Tensor]) -> Callable[..., Any]:
    """An operation under autocast: floating-point arguments are cast first."""
    autocast = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastPrivateUse1)

    def run(*args: Any, **kwargs: Any) -> Any:
        with torch._C._ExcludeDispatchKeyGuard(autocast):
            cast_args = [cast(t) if isinstance(t, OnDevice) and t.is_floating_point() else t for t in args]
            return operation(*cast_args, **kwargs)

    return run


def without_gradients(self: Any) -> None:
    """Enter `torch.inference_mode` as `torch.no_grad`: views of a tensor of a subclass cannot be made in it."""
    self.before = torch.is_grad_enabled()
    torch._C._set_grad_enabled(False)


def with_gradients(self: Any, *error: Any) -> None:
    """Leave it again."""
    torch._C._set_grad_enabled(self.before)


@contextlib.contextmanager
def accelerator() -> Iterator[Accelerator]:
    """The stand-in as a device of this thread."""
    register()
    lifted, overwrites = torch._C._only_lift_cpu_tensors(), torch.__future__.get_overwrite_module_params_on_conversion()
    BACKEND.device = device = Accelerator()
    torch._C._set_only_lift_cpu_tensors(True)  # torch.tensor(..., device=) asks the mode
    torch.__future__.set_overwrite_module_params_on_conversion(True)  # a parameter becomes one of the subclass
    try:
        with (
            torch.autograd.set_multithreading_enabled(False),  # the mode belongs to this thread
            mock.patch.multiple(torch._VF, lstm=network("lstm"), gru=network("gru")),
            mock.patch.multiple(torch.inference_mode, __enter__=without_gradients, __exit__=with_gradients),
            device,
        ):
            yield device
    finally:
        BACKEND.device = None
        torch._C._set_only_lift_cpu_tensors(lifted)
        torch.__future__.set_overwrite_module_params_on_conversion(overwrites)


def network(name: str) -> Callable[..., Any]:
    """torch.lstm or torch.gru: on the device, whose own kernels are for GPUs, by PyTorch's definition in Python."""
    kernel = getattr(torch._VF, name)
    padded, packed = getattr(decompositions, f"{name}_impl"), getattr(decompositions, f"{name}_{PACKED[name]}")

    def run(x: Tensor, *args: Any) -> Any:
        if not isinstance(x, OnDevice):
            return kernel(x, *args)
        return (padded if isinstance(args[1], list) else packed)(x, *args)  # the list of weights

    return run


def on_device(model: Checkpoint, fast: bool = False) -> Checkpoint:
    """A copy of a model on the stand-in; `fast` for decoding."""
    moved = copy.deepcopy(model.model).to(NAME)
    return dataclasses.replace(model, model=accelerate(moved) if fast else moved)
