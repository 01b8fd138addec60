"""A model ready to answer: laid out for decoding, with one-time work done."""

from pathlib import Path
from typing import Any

import pytest

from nmtcore.config import DecodingConfig, MaskPredictDecoding
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.intervention import Intervention
from nmtcore.models import checkpoint
from nmtcore.models.padded import Padded
from nmtcore.models.seq2seq import Memory, Seq2Seq
from nmtcore.serving.request import DecodeRequest, ModelKey, answers, load_model
from nmtcore.text.source import read_source
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small


@pytest.mark.parametrize("architecture", ["additive", "mask-predict"])
def test_a_model_has_decoded_once_before_it_is_asked(
    tmp_path: Path, vocab: Vocab, architecture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = small(architecture, vocab)
    checkpoint.save(tmp_path, made.model, vocab, made.meta)
    read, encode = [], type(made.model).encode

    def reading(self: Seq2Seq, source: Padded, *rest: Any) -> Memory:
        read.append(len(source.ids))
        return encode(self, source, *rest)

    monkeypatch.setattr(type(made.model), "encode", reading)
    load_model(ModelKey(str(tmp_path)))
    assert read == [1]


PLAIN = DecodeRequest(ModelKey("/nowhere"), read_source("a red dog"), DecodingConfig(beam=3))


@pytest.mark.parametrize(
    "change",
    [
        {"intervention": Intervention(forced=((0, 9),))},
        {"order": (2, 1, 0)},
        {"timed": True},
        {"decoding": MaskPredictDecoding()},
    ],
)
def test_a_batch_has_no_changes_neither_first_nor_later(change: dict[str, Any]) -> None:
    changed = PLAIN._replace(**change)
    assert PLAIN._replace(source=read_source("a cat")).joins(PLAIN)
    assert not PLAIN.joins(changed), "the batch would be decoded without what the first one asks"
    assert not changed.joins(PLAIN)
    assert not changed.joins(changed)


@pytest.mark.parametrize("architecture", ["additive", "mask-predict"])
def test_the_time_of_a_decode_is_that_of_the_quickest(
    tmp_path: Path, vocab: Vocab, architecture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = small(architecture, vocab)
    checkpoint.save(tmp_path, made.model, vocab, made.meta)
    loaded = load_model(ModelKey(str(tmp_path)))
    decoding = MaskPredictDecoding(2) if architecture == "mask-predict" else DecodingConfig(2, max_length=5)
    request = DecodeRequest(ModelKey(str(tmp_path)), read_source("a red dog"), decoding)
    (record,) = answers(loaded, [request])
    assert isinstance(record, Trace | MaskPredictRecord) and record.decoding == decoding
    times = iter([1.0, 1.03, 2.0, 2.01, 3.0, 3.05])
    monkeypatch.setattr("nmtcore.serving.request.clock_of", lambda device: lambda: next(times))
    assert answers(loaded, [request._replace(timed=True)]) == [pytest.approx(0.01)]
    times = iter([1.0, 1.5])
    assert answers(loaded, [request._replace(timed=True)]) == [0.5], "what takes long is not repeated"
