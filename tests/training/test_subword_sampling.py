"""Subword regularisation: some rows are cut into pieces at random, differently in every epoch."""

import itertools
import json
import math
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from nmtcore.text.subword_regularisation import SegmentationSampler
from nmtcore.text.vocabulary import EOS, SAMPLING_ALPHA, UNK, Vocab
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


def test_segmentations_are_drawn_with_their_probability() -> None:
    """Against all 2^6 ways to cut a word; x is no piece."""
    pieces = {"h": 0.1, "e": 0.2, "l": 0.15, "he": 0.3, "el": 0.05, "ll": 0.12, "hell": 0.08}
    logs, unknown, text = {piece: math.log(p) for piece, p in pieces.items()}, math.log(0.01), "hellxel"
    expected: dict[tuple[str, ...], float] = {}
    for ends in itertools.product((False, True), repeat=len(text) - 1):
        bounds = [0, *(i for i, end in enumerate(ends, 1) if end), len(text)]
        cut = tuple(text[a:b] for a, b in itertools.pairwise(bounds))
        if all(piece in pieces or piece == "x" for piece in cut):
            expected[cut] = math.prod(pieces.get(piece, 0.01) for piece in cut)
    sampler, generator, draws = SegmentationSampler(logs, unknown), random.Random(3), 20_000
    drawn = Counter(tuple(sampler.draw(text, generator)) for _ in range(draws))
    assert len(expected) == len(drawn) == 12
    for cut, weight in expected.items():
        p = weight / sum(expected.values())
        assert abs(drawn[cut] / draws - p) < 4 * math.sqrt(p * (1 - p) / draws), cut


def test_as_the_library_draws_them(vocab: Vocab) -> None:
    """The mean number of pieces, which the power of the probabilities decides."""
    texts = [side for pair in PAIRS for side in pair] * 10
    library = vocab._processor.encode(texts, enable_sampling=True, alpha=SAMPLING_ALPHA, nbest_size=-1)
    mine = vocab.sample_all(texts, 1)
    assert sum(map(len, mine)) == pytest.approx(sum(map(len, library)), rel=0.02)
    assert sum(map(len, mine)) > 1.05 * sum(map(len, vocab.encode_all(texts)))


def test_another_process_draws_the_same(vocab: Vocab, tmp_path: Path) -> None:
    """Else a resumed training would see other rows than the one that was stopped."""
    vocab.save(tmp_path / "vocab.model")
    code = "import json, sys; from nmtcore.text.vocabulary import Vocab; "
    code += "print(json.dumps(Vocab.load(sys.argv[1]).sample_all(sys.argv[2:], 7)))"
    texts = [SENTENCES[0], "the cat 🙂"]
    command = [sys.executable, "-c", code, str(tmp_path / "vocab.model"), *texts]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert json.loads(printed) == vocab.sample_all(texts, 7)


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
