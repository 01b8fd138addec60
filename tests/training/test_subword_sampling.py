"""Subword regularisation: some rows of every epoch are cut into pieces at random, each epoch anew."""

from collections import Counter

import pytest

from nmtcore.errors import SettingError
from nmtcore.text.vocabulary import EOS, UNK, Vocab
from nmtcore.training.batches import TrainingData
from nmtcore.training.config import AugmentationConfig
from nmtcore.training.corpus import Pair
from tests.helpers import SENTENCES

PAIRS = [
    Pair(f"{en} {number}", f"{fr} {number}")
    for number in range(30)
    for en, fr in zip(SENTENCES[:2], SENTENCES[2:4], strict=True)
]


@pytest.fixture(scope="module")
def vocab() -> Vocab:
    return Vocab.train([side for pair in PAIRS for side in pair], 120)


def test_a_random_segmentation_spells_the_same_text(vocab: Vocab) -> None:
    texts = [SENTENCES[0], "  the cat’s\u200b house ", "", "the cat 🙂"]
    best = vocab.encode_all(texts)
    drawn = [vocab.sample_all(texts, seed) for seed in range(40)]
    for cut in drawn:
        assert [vocab.decode(ids) for ids in cut] == [vocab.decode(ids) for ids in best]
        assert cut[2] == [] and UNK in cut[3]
    assert vocab.sample_all(texts, 7) == drawn[7] == vocab.sample_all(texts, 7)
    firsts = Counter(tuple(cut[0]) for cut in drawn)
    assert len(firsts) > 10  # many cuts
    lengths = [len(ids) for ids in firsts]
    assert min(lengths) >= len(best[0]) and max(lengths) > len(best[0])


def test_a_share_of_the_rows_is_cut_anew_in_every_epoch(vocab: Vocab) -> None:
    data = TrainingData(PAIRS, vocab, 200, augmentation=AugmentationConfig(subword_regularisation=0.4))
    plain = TrainingData(PAIRS, vocab, 200).epoch(0)
    first, second = data.epoch(0), data.epoch(1)
    assert (
        first.sources
        == TrainingData(PAIRS, vocab, 200, augmentation=AugmentationConfig(subword_regularisation=0.4)).epoch(0).sources
    )
    assert first.sources != second.sources
    for side, other in ((first.sources, plain.sources), (first.targets, plain.targets)):
        assert all(ids[-1] == EOS and EOS not in ids[:-1] for ids in side)
        assert [vocab.decode(ids) for ids in side] == [vocab.decode(ids) for ids in other]
    for side in (0, 1):
        whole = data._encoded[side]
        drawn = [(epoch.sources, epoch.targets)[side] for epoch in map(data.epoch, range(10))]
        changed = [a != b for cut in drawn for a, b in zip(cut, whole, strict=True)]
        assert 0.2 < sum(changed) / len(changed) < 0.45
    assert plain.sources == data._encoded[0]  # the pairs themselves stay as they were


def test_rows_that_a_model_could_not_hold_stay_whole(vocab: Vocab) -> None:
    longest = max(len(ids) for side in TrainingData(PAIRS, vocab, 200)._encoded for ids in side)
    epoch = TrainingData(
        PAIRS, vocab, 200, augmentation=AugmentationConfig(subword_regularisation=1.0), max_length=longest
    ).epoch(0)
    assert max(map(len, epoch.sources + epoch.targets)) == longest
    wider = TrainingData(PAIRS, vocab, 200, augmentation=AugmentationConfig(subword_regularisation=1.0)).epoch(0)
    assert max(map(len, wider.sources + wider.targets)) > longest


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_is_from_0_to_1(vocab: Vocab, share: float) -> None:
    with pytest.raises(SettingError, match="subword_regularisation must be between 0 and 1"):
        TrainingData(PAIRS, vocab, 200, augmentation=AugmentationConfig(subword_regularisation=share))
