"""Run time against length: what is run to measure it, and where two measured lines cross."""

import math
import time
from typing import Any

import pytest
import torch

from nmtcore.analysis.speed import clock_of, measure, measured_crossing
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import EOS, SOS, Vocab
from tests.helpers import small


def test_what_is_measured_is_one_reading_and_as_many_steps(
    small_checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, read, stepped = small_checkpoint.model, [], []
    encode, step = model.encode, model.step

    def reading(source: Any) -> Any:
        read.append(source.ids.tolist())
        return encode(source)

    def stepping(token: Any, *rest: Any) -> Any:
        stepped.append(int(token))
        return step(token, *rest)

    monkeypatch.setattr(model, "encode", reading)
    monkeypatch.setattr(model, "step", stepping)
    found = measure(model, [7, 8, 9], 6, repeats=2)
    assert read == [[[7, 8, 9, 7, 8, EOS]]] * 3, "once for the decoder, and two rounds"
    assert stepped == [SOS, 7, 8, 9, 7, 8] * 2
    assert found.length == 6 and found.encode > 0 and found.decode > 0


def test_of_all_words_at_once_so_many_rounds_are_measured(monkeypatch: pytest.MonkeyPatch, vocab: Vocab) -> None:
    model = small("mask-predict", vocab).model
    masked, decode = [], model.decode

    def decoding(words: Any, memory: Any) -> Any:
        masked.append((words.ids == model.mask_id).sum().item())
        return decode(words, memory)

    monkeypatch.setattr(model, "decode", decoding)
    found = measure(model, [7, 8, 9], 6, repeats=2, rounds=3)
    assert masked == [6, 4, 2] * 2
    assert found.length == 6 and found.encode > 0 and found.decode > 0


def test_lines_that_are_powers_of_n_cross_where_they_are_equal() -> None:
    lengths = (8, 16, 32, 64)
    linear, square = [3.0 * n for n in lengths], [0.1 * n**2 for n in lengths]
    assert measured_crossing(lengths, linear, square) == pytest.approx(30)
    assert measured_crossing(lengths, square, linear) == pytest.approx(30)
    assert measured_crossing(lengths, linear, [2 * t for t in linear]) is None


def test_of_several_crossings_the_last_counts() -> None:
    found = measured_crossing((8, 16, 32, 64), [1, 3, 3, 9], [2, 2, 4, 4])
    assert found == pytest.approx(32 * 2 ** (math.log(4 / 3) / math.log(3)))


def test_waiting_for_the_processor_does_not_count_on_one_thread_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "get_num_threads", lambda: 1)
    assert clock_of(torch.device("cpu")) is time.thread_time
    assert clock_of(torch.device("meta")) is time.perf_counter, "another device works beside this thread"
    monkeypatch.setattr(torch, "get_num_threads", lambda: 2)
    assert clock_of(torch.device("cpu")) is time.perf_counter, "and so does another thread"
