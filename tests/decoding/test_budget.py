"""The budget of a question: ordinary ones are left alone, large ones get a narrower beam or a shorter record."""

import dataclasses

import pytest

from nmtcore import limits
from nmtcore.config import DecodingConfig, ModelConfig, model_config
from nmtcore.decoding.decode import translate_batch
from nmtcore.errors import InterventionError
from nmtcore.intervention import Intervention
from nmtcore.limits import MAX_PIECES, within_budget
from nmtcore.models.checkpoint import Checkpoint
from tests.helpers import translate

SHIPPED = model_config("transformer", 8000)  # 3 + 3 layers of 4 heads
LARGEST = model_config("transformer", 8000, heads=8, width=256, encoder_layers=4, decoder_layers=4)
DOT = model_config("dot", 8000)
TEXT = "the small cat sees a big red house ."


@pytest.mark.parametrize("config", [SHIPPED, LARGEST, DOT])
def test_ordinary_questions_are_left_alone(config: ModelConfig) -> None:
    for pieces, beam in ((1, 20), (30, 20), (60, 10), (120, 5), (MAX_PIECES + 1, 1)):
        asked = DecodingConfig(beam, 0.3, 0.1)
        found = within_budget(asked, pieces, config)
        assert dataclasses.replace(found, max_length=0) == asked
        assert found == asked or (config is not DOT and pieces == MAX_PIECES + 1)


def test_a_wide_beam_on_a_long_text_is_narrowed() -> None:
    widths = [within_budget(DecodingConfig(20), pieces, SHIPPED).beam for pieces in (50, 110, 150, 200, 301)]
    assert widths[0] == 20 and widths[:4] == sorted(widths[:4], reverse=True)
    assert max(widths[3:]) < 10  # at last the translation is less long, and the beam need not be the narrowest
    assert all(width >= 1 for width in widths)
    assert within_budget(DecodingConfig(20), 301, DOT).beam > within_budget(DecodingConfig(20), 301, SHIPPED).beam
    short = within_budget(DecodingConfig(20, max_length=30), 301, SHIPPED)
    assert short.beam > widths[-1] and short.max_length == 30


@pytest.mark.parametrize("config", [SHIPPED, LARGEST, DOT])
def test_what_a_record_keeps_is_bounded_in_bytes(config: ModelConfig) -> None:
    encoder, decoder = limits._maps(config)
    for pieces in (20, 150, MAX_PIECES + 1):
        limit = within_budget(DecodingConfig(), pieces, config).limit(pieces)
        kept = 8 * (encoder * pieces**2 + decoder * limit * (pieces + limit))
        assert kept <= limits.RECORD_BYTES
        assert limit == 2 * pieces + 20 or kept > 0.98 * limits.RECORD_BYTES


def test_a_requirement_takes_its_share_of_the_budget() -> None:
    assert within_budget(DecodingConfig(20), 30, SHIPPED, banks=3).beam == 20
    assert within_budget(DecodingConfig(20), 60, SHIPPED, banks=8).beam < 20
    with pytest.raises(InterventionError, match="have 149 parts, too many for a sentence of 301 pieces"):
        within_budget(DecodingConfig(1), 301, SHIPPED, banks=150)


def test_a_record_says_how_wide_the_beam_was(small_checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = translate(small_checkpoint, TEXT, DecodingConfig(6, max_length=9))
    assert wide.decoding.beam == 6
    pieces = len(wide.source)
    monkeypatch.setattr(limits, "SEARCH_NUMBERS", 3 * limits._hypothesis(pieces, 9, small_checkpoint.config) + 1)
    narrow = translate(small_checkpoint, TEXT, DecodingConfig(6, max_length=9))
    assert narrow.decoding == DecodingConfig(3, max_length=9)
    monkeypatch.undo()
    assert narrow.ids == translate(small_checkpoint, TEXT, DecodingConfig(3, max_length=9)).ids
    required = Intervention(contains=(tuple(small_checkpoint.vocab.encode("chat")),))
    assert translate(small_checkpoint, "a cat", DecodingConfig(2, max_length=30), required).decoding.beam == 2


def test_a_batch_narrows_as_one_sentence_does(small_checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    texts, decoding = ["a cat", TEXT, "a dog sees"], DecodingConfig(4, max_length=9)
    pieces = len(translate(small_checkpoint, "a dog sees", decoding).source)
    monkeypatch.setattr(limits, "SEARCH_NUMBERS", 4 * limits._hypothesis(pieces, 9, small_checkpoint.config) + 1)
    found = translate_batch(small_checkpoint, [*map(small_checkpoint.read, texts)], decoding)
    alone = [translate(small_checkpoint, text, decoding) for text in texts]
    assert [trace.decoding for trace in found] == [trace.decoding for trace in alone]
    assert found[0].decoding.beam == 4 > found[1].decoding.beam
    assert [trace.ids for trace in found] == [trace.ids for trace in alone]
