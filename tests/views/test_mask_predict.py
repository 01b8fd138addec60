"""The rounds of mask-predict as plain data: which round wrote a word, and what is masked next."""

import math

import pytest

from nmtcore.config import MaskPredictDecoding
from nmtcore.decoding import mask_predict
from nmtcore.figures.palette import HUES
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.mask_predict.data import data
from tests.helpers import small, translate


def test_every_word_knows_the_round_that_wrote_it(vocab: Vocab) -> None:
    model = small("mask-predict", vocab)
    record = mask_predict.translate(model, model.read("a big dog sees a red house ."), MaskPredictDecoding(4, 3))
    found = data(record, title="Mask-predict")
    assert found["beside"] is None and found["hue"] == HUES["mask-predict"]
    assert len(found["rounds"]) == len(record.rounds) > 1
    for number, (places, cells) in enumerate(zip(record.rounds, found["rounds"], strict=True), 1):
        for i, (place, cell) in enumerate(zip(places, cells, strict=True)):
            assert cell["p"] == pytest.approx(math.exp(place.log_probability))
            assert cell["since"] == max(n for n in range(1, number + 1) if record.rounds[n - 1][i].written)
            former = record.rounds[max(0, number - 2)][i]
            assert cell["new"] == (place.token != former.token)
            assert cell["masked"] == (number < len(record.rounds) and record.rounds[number][i].written)
    assert found["lengths"] == [[tried.length, tried.mean] for tried in record.lengths]


def test_beside_it_stands_a_decode_word_by_word(vocab: Vocab) -> None:
    text = "the small cat"
    model = small("mask-predict", vocab)
    record = mask_predict.translate(model, model.read(text), MaskPredictDecoding(2))
    trace = translate(small("transformer", vocab), text)
    found = data(record, trace, title="Mask-predict", beside_title="Transformer")
    beside = found["beside"]
    assert beside["title"] == "Transformer" and beside["milliseconds"] == 1000 * trace.seconds
    assert [step["p"] for step in beside["steps"]] == [step.probability for step in trace.steps]
