"""The cache of records: bounded by bytes, evicts the least recently used first, and its records are read-only."""

import dataclasses
import pickle
import tracemalloc

import pytest

from nmtcore.config import DecodingConfig, MaskPredictDecoding
from nmtcore.decoding.mask_predict import translate as translate_at_once
from nmtcore.decoding.trace import Trace
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.serving.service import Records, size
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small, translate


def made(checkpoint: Checkpoint, words: int) -> Trace:
    return translate(checkpoint, "cat " * words, DecodingConfig(beam=3, max_length=7))


def test_bytes_are_bounded(small_checkpoint: Checkpoint) -> None:
    traces = [made(small_checkpoint, words) for words in (1, 5, 3, 2)]
    records = Records(size(traces[0]) + size(traces[1]) + size(traces[2]))
    for number in range(3):
        records.put(number, traces[number])
    assert records.get(0) is traces[0]  # the least recently used is now the second
    records.put(3, traces[3])
    assert records.get(1) is None and records.get(0) is traces[0] and records.get(3) is traces[3]
    assert records.currsize == sum(size(trace) for trace in records.values()) <= records.maxsize
    records.put(3, traces[1])
    records.put(3, traces[1])
    assert records.currsize == sum(size(trace) for trace in records.values()) <= records.maxsize


def test_what_is_larger_than_all_is_not_kept(small_checkpoint: Checkpoint) -> None:
    trace = made(small_checkpoint, 2)
    records = Records(size(trace) - 1)
    records.put("one", trace)
    assert (records.get("one"), records.currsize) == (None, 0)


def test_the_size_is_about_what_memory_says(small_checkpoint: Checkpoint) -> None:
    """For a record as it comes from a worker; PyTorch's own allocations are not traced."""
    packed = pickle.dumps(made(small_checkpoint, 9), pickle.HIGHEST_PROTOCOL)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        trace = pickle.loads(packed)
        assert trace.beam
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert 0.7 * grown < size(trace) < 1.5 * grown, f"{grown} {size(trace)}"


def test_a_record_is_the_same_after_it_was_sent(small_checkpoint: Checkpoint) -> None:
    trace = made(small_checkpoint, 3)
    sent = pickle.loads(pickle.dumps(trace))
    before = size(sent)
    assert "beam" not in vars(sent)
    again = pickle.loads(pickle.dumps(sent))
    assert sent == trace and sent.beam == trace.beam and sent.beam is sent.beam
    assert size(sent) == before, "what was added on arrival is subtracted on removal"
    assert dataclasses.replace(again, text="other").beam == trace.beam
    assert dataclasses.replace(sent, beam=()).beam == () and sent.beam
    assert not hasattr(sent, "anything else")


def test_records_are_read_only(small_checkpoint: Checkpoint) -> None:
    trace = made(small_checkpoint, 2)
    Records(10**9).put("one", trace)
    for array in (*trace.inner.values(), *(attention.weights for attention in trace.attention)):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_rounds_and_times_are_kept_as_records_are(vocab: Vocab) -> None:
    model = small("mask-predict", vocab)
    rounds = translate_at_once(model, model.read("a red cat"), MaskPredictDecoding(2))
    records = Records(10**9)
    records.put("rounds", rounds)
    records.put("time", 0.0)
    assert records.get("rounds") is rounds and records.get("time") == 0.0
    assert records.currsize == size(rounds) + size(0.0) and size(rounds) > rounds.attention.weights.nbytes
    with pytest.raises(ValueError, match="read-only"):
        rounds.attention.weights[...] = 0
