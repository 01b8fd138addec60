"""Run time: measure on this machine how long a model takes to encode and to decode n pieces."""

import math
import time
import timeit
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch

from nmtcore.decoding.mask_predict import write_rounds
from nmtcore.models.mask_predict import MaskPredict
from nmtcore.models.padded import pad
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import EOS, SOS

LENGTHS = (8, 16, 32, 64, 128, 256)  # pieces
Clock = Callable[[], float]  # seconds since an arbitrary moment
REPEATS = 3  # the quickest counts, since other programs can only add time


class Speed(NamedTuple):
    """Seconds to encode a source of this many pieces, and to write as many."""

    length: int
    encode: float
    decode: float


@torch.inference_mode()
def measure(model: Seq2Seq, ids: Sequence[int], length: int, repeats: int = REPEATS, *, rounds: int = 1) -> Speed:
    """Measure the run time for `length` pieces, a sentence's pieces repeated; only the steps, without search.

    The decoder is fed the same pieces, which make no difference to the time. A mask-predict model has no steps: it
    writes one translation of this length in `rounds` rounds.
    """
    pieces = [ids[n % len(ids)] for n in range(length - 1)]
    source = pad([[*pieces, EOS]]).to(model.device)
    inputs = [torch.tensor([token], device=model.device) for token in (SOS, *pieces)]
    memory = model.encode(source)

    def decode() -> None:
        if isinstance(model, MaskPredict):
            write_rounds(model, memory, torch.tensor([[length]], device=model.device), rounds)
            return
        state = model.start(memory)
        for token in inputs:
            state = model.step(token, state, memory).state

    clock = clock_of(model.device)
    runs = (lambda: model.encode(source)), decode
    return Speed(length, *(min(timeit.repeat(run, timer=clock, number=1, repeat=repeats)) for run in runs))


def clock_of(device: torch.device) -> Clock:
    """Choose the clock for timing a model: processor time, which other programs on a busy machine do not affect.

    A GPU, and several threads, which have processor times of their own, need elapsed time.
    """
    return time.thread_time if device.type == "cpu" and torch.get_num_threads() == 1 else time.perf_counter


def measured_crossing(lengths: Sequence[int], first: Sequence[float], second: Sequence[float]) -> float | None:
    """The length from which the second model is faster or slower than the first, interpolated; None if there is none.

    If there are several crossings, the last counts, since short times are noisy. Between two lengths both times are
    treated as powers of n.
    """
    for i in reversed(range(len(lengths) - 1)):
        before, after = (math.log(first[j] / second[j]) for j in (i, i + 1))
        if before * after < 0:
            share = before / (before - after)
            return float(lengths[i] * (lengths[i + 1] / lengths[i]) ** share)
    return None
