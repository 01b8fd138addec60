"""Another order of words: checked against typing them so, and against shuffled positions."""

import numpy as np
import pytest

from nmtcore.analysis.position_ablation import permuted_states, random_order, translate_permuted
from nmtcore.analysis.positional_encodings import position_table
from nmtcore.config import DecodingConfig
from nmtcore.errors import InterventionError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import Vocab
from tests.helpers import rounding, small, translate

TEXT = "the small cat sees a red house ."
BEAM = DecodingConfig(beam=3, max_length=12)


@pytest.mark.numerical
def test_another_order_is_what_typing_it_gives(small_checkpoint: Checkpoint) -> None:
    words = ("cat", "sees", "house")
    counts = [len(small_checkpoint.vocab.encode(word)) for word in words]
    order = [*range(sum(counts[:2]), sum(counts)), *range(sum(counts[:2]))]  # the last word first
    moved = translate_permuted(small_checkpoint, small_checkpoint.read(" ".join(words)), order, BEAM)
    typed = translate(small_checkpoint, "house cat sees", BEAM)
    assert (moved.source, moved.ids, moved.source_text) == (typed.source, typed.ids, "house cat sees")
    assert moved.log_probability == pytest.approx(typed.log_probability, rel=rounding(small_checkpoint.model))


@pytest.fixture(scope="module")
def transformer(vocab: Vocab) -> Checkpoint:
    return small("transformer", vocab)


@pytest.mark.numerical
def test_shuffled_words_are_shuffled_positions(transformer: Checkpoint) -> None:
    count = len(transformer.vocab.encode(TEXT))
    order = random_order(count, 3)
    places = tuple(np.argsort(order).tolist())  # token i is read at place p_i
    moved = translate_permuted(transformer, transformer.read(TEXT), order, BEAM)
    intervened = translate(transformer, TEXT, BEAM, Intervention(positions=(*places, count)))
    assert moved.ids == intervened.ids
    by_piece = moved.inner["states"][0][[*places, count]]
    exact = rounding(transformer.model, np.abs(by_piece).max())
    np.testing.assert_allclose(intervened.inner["states"][0], by_piece, rtol=0, atol=exact)


@pytest.mark.numerical
def test_without_positions_the_outputs_are_only_permuted(transformer: Checkpoint) -> None:
    count = len(transformer.vocab.encode(TEXT))
    order = random_order(count, 1)
    dropped = Intervention(positions="dropped")
    removed, kept = (
        permuted_states(transformer, transformer.read(TEXT), order, change) for change in (dropped, NO_CHANGE)
    )
    assert removed.largest < 2 * rounding(transformer.model) < 1e-2 < kept.largest
    assert removed.moved.shape == (count + 1,)
    assert removed.moved.max() < 2 * rounding(transformer.model) < kept.moved.min()
    assert removed.tokens == (*transformer.vocab.pieces(TEXT), "<eos>")


@pytest.mark.numerical
@pytest.mark.parametrize("change", [NO_CHANGE, Intervention(positions="dropped")])
def test_the_states_are_those_of_the_two_decodes(transformer: Checkpoint, change: Intervention) -> None:
    order = random_order(len(transformer.vocab.encode(TEXT)), 2)
    found = permuted_states(transformer, transformer.read(TEXT), order, change)
    trace = translate(transformer, TEXT, BEAM, change)
    moved = translate_permuted(transformer, transformer.read(TEXT), order, BEAM, change)
    back = [*np.argsort(order), len(order)]
    exact = rounding(transformer.model, np.abs(found.kept).max())
    np.testing.assert_allclose(found.kept, trace.inner["states"][0], rtol=0, atol=exact)
    np.testing.assert_allclose(found.shuffled, moved.inner["states"][0][back], rtol=0, atol=exact)


def test_an_order_holds_each_piece_once(transformer: Checkpoint) -> None:
    with pytest.raises(InterventionError, match="once"):
        translate_permuted(transformer, transformer.read("cat sees"), [0, 0], BEAM)
    with pytest.raises(InterventionError, match="once"):
        permuted_states(transformer, transformer.read("cat sees"), [0, 0])


@pytest.mark.parametrize("count", [0, 1, 2, 7, 40])
def test_a_shuffle_moves_something_and_is_remembered(count: int) -> None:
    order = random_order(count, 4)
    assert order == random_order(count, 4)
    assert sorted(order) == list(range(count))
    assert count < 2 or order != tuple(range(count))


def test_the_table_is_what_the_model_adds(transformer: Checkpoint) -> None:
    table = position_table(transformer, 11)
    assert table.config.positions == "sinusoidal"
    assert table.own is not None and table.own.shape == (11, 16)
    for position, pair in ((0, 0), (5, 2), (10, 7)):
        angle = position / 10000 ** (2 * pair / 16)
        expected = [np.sin(angle), np.cos(angle)]
        np.testing.assert_allclose(table.own[position, 2 * pair : 2 * pair + 2], expected, atol=1e-6)
    np.testing.assert_array_equal(table.own, table.sinusoids)
