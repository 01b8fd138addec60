"""Leaving words out, other orders, and positions: each held against a slower or independent way to the same."""

from __future__ import annotations

import numpy as np
import pytest

from nmtcore.analysis import occlusion
from nmtcore.config import DecodingConfig
from nmtcore.decoding import decode
from nmtcore.errors import InterventionError
from nmtcore.intervention import Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import EOS, Vocab
from tests.conftest import small

TEXT = "the small cat sees a red house ."
WORDS = TEXT.split()
BEAM = DecodingConfig(beam=3)


def test_the_whole_source_scores_as_search_did(small_checkpoint: Checkpoint) -> None:
    trace = decode.translate(small_checkpoint, TEXT, BEAM)
    found = occlusion.left_out(small_checkpoint, trace)
    assert found.target == trace.target
    np.testing.assert_allclose(found.whole, [step.log_probability for step in trace.steps], atol=1e-4)


def test_each_word_is_left_out_alone(small_checkpoint: Checkpoint) -> None:
    trace = decode.translate(small_checkpoint, TEXT, BEAM)
    found = occlusion.left_out(small_checkpoint, trace)
    assert found.words == tuple(WORDS)
    assert found.without.shape == (len(WORDS), len(trace.target))
    assert [i for group in found.pieces for i in group] == list(range(len(trace.source) - 1))  # never <eos>
    ids = small_checkpoint.vocab.encode(TEXT)
    forced = Intervention.prefix(trace.ids)
    for word in (0, 4, len(WORDS) - 1):
        shorter = " ".join(w for i, w in enumerate(WORDS) if i != word)
        kept = [i for at, i in enumerate(ids) if at not in found.pieces[word]]
        assert small_checkpoint.vocab.encode(shorter) == kept  # the same question, asked by typing
        again = decode.translate(small_checkpoint, shorter, DecodingConfig(max_length=len(trace.target)), forced)
        assert again.ids == trace.ids
        assert found.without[word].sum() == pytest.approx(again.log_probability, abs=1e-3)
        assert found.drops[word] == pytest.approx(trace.log_probability - again.log_probability, abs=1e-3)


def test_scoring_in_parts_changes_nothing(small_checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [*small_checkpoint.vocab.encode(TEXT), EOS]
    sources = [ids, ids[1:], ids[3:], ids[-1:]]
    target = [*small_checkpoint.vocab.encode("le petit chat"), EOS]
    whole = occlusion.forced(small_checkpoint, sources, target)
    monkeypatch.setattr(occlusion, "TOKENS", 1)
    np.testing.assert_allclose(occlusion.forced(small_checkpoint, sources, target), whole, atol=1e-4)
    assert whole.shape == (4, len(target))
    assert len({round(float(row.sum()), 4) for row in whole}) == 4


def test_one_word_can_be_left_out_of_one(small_checkpoint: Checkpoint) -> None:
    found = occlusion.left_out(small_checkpoint, decode.translate(small_checkpoint, "cat", DecodingConfig()))
    assert found.words == ("cat",)
    assert np.isfinite(found.without).all()


def test_the_given_order_is_the_ordinary_translation(small_checkpoint: Checkpoint) -> None:
    trace = decode.translate(small_checkpoint, TEXT, BEAM)
    same = occlusion.reordered(small_checkpoint, TEXT, range(len(trace.source) - 1), BEAM)
    assert (same.source, same.ids, same.source_text) == (trace.source, trace.ids, trace.source_text)
    assert same.log_probability == pytest.approx(trace.log_probability, abs=1e-5)


def test_another_order_is_what_typing_it_gives(small_checkpoint: Checkpoint) -> None:
    words = ("cat", "sees", "house")
    counts = [len(small_checkpoint.vocab.encode(word)) for word in words]
    order = [*range(sum(counts[:2]), sum(counts)), *range(sum(counts[:2]))]  # the last word first
    moved = occlusion.reordered(small_checkpoint, " ".join(words), order, BEAM)
    typed = decode.translate(small_checkpoint, "house cat sees", BEAM)
    assert (moved.source, moved.ids, moved.source_text) == (typed.source, typed.ids, "house cat sees")
    assert moved.log_probability == pytest.approx(typed.log_probability, abs=1e-5)


@pytest.fixture
def transformer(vocab: Vocab) -> Checkpoint:
    return small("transformer", vocab)


def test_shuffled_words_are_shuffled_positions(transformer: Checkpoint) -> None:
    count = len(transformer.vocab.encode(TEXT))
    order = occlusion.shuffle(count, 3)
    places = tuple(np.argsort(order).tolist())  # token i is read at place p_i
    moved = occlusion.reordered(transformer, TEXT, order, BEAM)
    intervened = decode.translate(transformer, TEXT, BEAM, Intervention(positions=(*places, count)))
    assert moved.ids == intervened.ids
    assert occlusion.permuted(intervened, moved, order).largest < 1e-5


def test_without_positions_the_outputs_are_only_permuted(transformer: Checkpoint) -> None:
    count = len(transformer.vocab.encode(TEXT))
    order = occlusion.shuffle(count, 1)
    dropped = Intervention(positions="dropped")
    removed = occlusion.permuted(
        decode.translate(transformer, TEXT, BEAM, dropped),
        occlusion.reordered(transformer, TEXT, order, BEAM, dropped),
        order,
    )
    kept = occlusion.permuted(
        decode.translate(transformer, TEXT, BEAM), occlusion.reordered(transformer, TEXT, order, BEAM), order
    )
    assert removed.largest < 1e-4 < 1e-2 < kept.largest
    assert removed.moved.shape == (count + 1,)
    assert removed.moved.max() < 1e-5 < kept.moved.min()
    assert removed.tokens == (*transformer.vocab.pieces(TEXT), "<eos>")


def test_an_order_holds_each_piece_once(transformer: Checkpoint) -> None:
    with pytest.raises(InterventionError, match="once"):
        occlusion.reordered(transformer, "cat sees", [0, 0], BEAM)


@pytest.mark.parametrize("count", [0, 1, 2, 7, 40])
def test_a_shuffle_moves_something_and_is_remembered(count: int) -> None:
    order = occlusion.shuffle(count, 4)
    assert order == occlusion.shuffle(count, 4)
    assert sorted(order) == list(range(count))
    assert count < 2 or order != tuple(range(count))


def test_the_table_is_what_the_model_adds(transformer: Checkpoint) -> None:
    table = occlusion.position_table(transformer, 11)
    assert table.kind == "sinusoidal"
    assert table.own is not None and table.own.shape == (11, 16)
    for position, pair in ((0, 0), (5, 2), (10, 7)):
        angle = position / 10000 ** (2 * pair / 16)
        expected = [np.sin(angle), np.cos(angle)]
        np.testing.assert_allclose(table.own[position, 2 * pair : 2 * pair + 2], expected, atol=1e-6)
    np.testing.assert_array_equal(table.own, table.waves)
