"""Run time against length: what reading n pieces and writing n pieces take a model, measured on this machine."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch

from nmtcore.decoding.decode import collector_paused
from nmtcore.models.padded import pad
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import EOS, SOS

LENGTHS = (8, 16, 32, 64, 128, 256)  # pieces
ROUNDS = 3  # of which the quickest counts: what others do on the machine only adds


class Speed(NamedTuple):
    """Seconds to encode a source of so many pieces, and to take as many steps of the decoder after it."""

    length: int
    encode: float
    decode: float


def fits(model: Seq2Seq, length: int) -> bool:
    """Whether the model has positions for so many pieces."""
    return length <= model.max_length


@torch.inference_mode()
def measure(model: Seq2Seq, ids: Sequence[int], length: int, rounds: int = ROUNDS) -> Speed:
    """The times for the pieces of a sentence, over and over until there are `length`. No search: the steps alone.

    The decoder is fed the same pieces; which they are makes no difference to the time.
    """
    pieces = [ids[n % len(ids)] for n in range(length - 1)]
    source = pad([[*pieces, EOS]]).to(model.device)
    inputs = [torch.tensor([token], device=model.device) for token in (SOS, *pieces)]
    memory = model.encode(source)

    def decode() -> None:
        state = model.start(memory)
        for token in inputs:
            state = model.step(token, state, memory).state

    with collector_paused():
        return Speed(length, _quickest(lambda: model.encode(source), rounds), _quickest(decode, rounds))


def _quickest(run: Callable[[], object], rounds: int) -> float:
    found = math.inf
    for _ in range(rounds):
        began = time.perf_counter()
        run()
        found = min(found, time.perf_counter() - began)
    return found


def measured_crossing(lengths: Sequence[int], first: Sequence[float], second: Sequence[float]) -> float | None:
    """The length from which the other of two is quicker, between the lengths that were measured; None for none.

    Of several the last, since what is short is noise. Between two lengths both times are powers of n.
    """
    for i in reversed(range(len(lengths) - 1)):
        before, after = (math.log(first[j] / second[j]) for j in (i, i + 1))
        if before * after < 0:
            share = before / (before - after)
            return float(lengths[i] * (lengths[i + 1] / lengths[i]) ** share)
    return None
