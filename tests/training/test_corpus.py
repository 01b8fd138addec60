"""Sentence pairs: reading every kind of file, splitting without a leak, batches that hold each row once."""

import gzip
import os
import random
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from nmtcore.errors import DataError, SettingError
from nmtcore.limits import TRAINING_CHARACTERS
from nmtcore.models.padded import pad
from nmtcore.text.vocabulary import EOS, PAD, SOS, Vocab
from nmtcore.text.words import join_texts
from nmtcore.training import corpus
from nmtcore.training.batches import Batches, TrainingData, cut, encode_pairs, fixed_batches
from nmtcore.training.config import AugmentationConfig
from nmtcore.training.corpus import (
    MAX_LINE,
    Pair,
    SplitConfig,
    connected_groups,
    read_pairs,
    split_pairs,
)

ROWS = "the cat\tle chat\na dog\tun chien\tignored\tmore\n"
PAIRS = [Pair("the cat", "le chat"), Pair("a dog", "un chien")]


def write(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    "content",
    [
        ROWS,
        ROWS.rstrip("\n"),
        ROWS.replace("\n", "\r\n"),
        "\ufeff" + ROWS,
        gzip.compress(ROWS.encode()),
        ROWS.replace("the cat", "  the   cat "),
    ],
    ids=["plain", "no last line end", "windows", "byte order mark", "gzip", "spaces"],
)
def test_read(tmp_path: Path, content: bytes | str) -> None:
    pairs, report = read_pairs(write(tmp_path / "pairs", content))
    assert pairs == PAIRS
    assert (report.rows, report.kept, report.dropped) == (2, 2, {})


def test_swap(tmp_path: Path) -> None:
    pairs, _ = read_pairs(write(tmp_path / "pairs", ROWS), swap=True)
    assert pairs == [Pair(b, a) for a, b in PAIRS]


def test_no_more_is_read_than_asked_for(tmp_path: Path) -> None:
    damaged_later = gzip.compress((ROWS[:16] + ROWS).encode()) + gzip.compress(random.Random(1).randbytes(9000))[:7000]
    path = write(tmp_path / "pairs.gz", damaged_later)
    pairs, report = read_pairs(path, most=2)
    assert pairs == PAIRS and (report.rows, report.dropped) == (3, {"duplicate": (2,)})
    with pytest.raises(DataError, match="is a damaged gzip file"):
        read_pairs(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders.")
@pytest.mark.parametrize("kind", ["pipe", "link", "/dev/zero"])
def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path, kind: str) -> None:
    """Nobody writes to this pipe, and the device never ends."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    with pytest.raises(DataError, match="cannot be read: it is not a regular file"):
        read_pairs(tmp_path / kind)


def test_a_row_without_an_end_costs_no_memory(tmp_path: Path) -> None:
    endless = b"x" * (2 * MAX_LINE + 7) + b"\t" + b"y" * MAX_LINE + b"\n"
    pairs, report = read_pairs(write(tmp_path / "pairs", endless + ROWS.encode()))
    assert pairs == PAIRS and report.dropped == {"columns": (1,)} and report.rows == 3


@pytest.mark.parametrize("line", [b"", b"\n", b"a cat\tun chat\n"], ids=["one row", "empty rows", "one pair"])
def test_a_gzip_bomb_is_refused(tmp_path: Path, line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file would unpack to fill the memory, and take hours."""
    monkeypatch.setattr(corpus, "UNPACKED", 1_000_000)
    bomb = write(tmp_path / "pairs.tsv.gz", gzip.compress((line or b"0") * (3_000_000 // max(1, len(line)))))
    with pytest.raises(DataError, match="unpacks to more than .* times its size: it is not text"):
        read_pairs(bomb)
    monkeypatch.setattr(corpus, "MOST_PACKED", 3_000_000)
    if line.strip():
        assert read_pairs(bomb)[0] == [Pair("a cat", "un chat")]


def test_nul_bytes_are_called_that(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has NUL bytes: it is not text, or it is in UTF-16"):
        read_pairs(write(tmp_path / "pairs", ROWS.encode("utf-16-le")))
    pairs, report = read_pairs(write(tmp_path / "pairs", ROWS * 3 + "a\0b\tc\n"))
    assert pairs == PAIRS and report.dropped["binary"] == (7,)


@pytest.mark.parametrize("seed", [-1, 2**32, 10**70])
def test_a_seed_of_the_split_has_a_range(seed: int) -> None:
    with pytest.raises(SettingError, match="split seed must be between 0 and"):
        SplitConfig(seed=seed)


def test_letters_with_accents_are_composed(tmp_path: Path) -> None:
    pairs, _ = read_pairs(write(tmp_path / "pairs", "cafe\u0301\tcoffee"))
    assert pairs == [Pair("café", "coffee")]


def test_bad_rows_are_dropped_and_named(tmp_path: Path) -> None:
    rows = [b"one column", b"a\tb", b"\tempty", b"empty\t ", b"", b"x" * 1001 + b"\ty", b"\xff\tz", b"a\tb", b"c\td"]
    rows += [b"%d\t%d" % (i, i) for i in range(5)]
    pairs, report = read_pairs(write(tmp_path / "pairs", b"\n".join(rows)))
    assert pairs[:2] == [Pair("a", "b"), Pair("c", "d")] and len(pairs) == report.kept == 7
    assert report.dropped == {"columns": (1,), "empty": (3, 4, 5), "long": (6,), "encoding": (7,), "duplicate": (8,)}
    assert "Dropped 3 rows with an empty side (lines 3, 4, 5)." in report.lines()
    assert "Dropped 1 row not in UTF-8 (line 7)." in report.lines()


def test_a_row_is_as_long_as_a_vocabulary_reads_it(tmp_path: Path) -> None:
    longest = "\ufdfa" * (TRAINING_CHARACTERS // 18)  # each becomes 18 characters
    rows = f"{longest}\tkept\n{longest}\ufdfa\tlong\nlong too\t{longest}\ufdfa\n"
    pairs, report = read_pairs(write(tmp_path / "pairs", rows.encode()))
    assert pairs == [Pair(longest, "kept")]
    assert report.dropped == {"long": (2, 3)}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no usable row.*It is empty"),
        (b"one column\nstill one\n", "no usable row.*without a tab"),
        (b"\t\n \t \n", "no usable row"),
        ("été\tsummer\nnoël\tchristmas\n".encode("latin-1"), "not in UTF-8"),
        (ROWS.encode("utf-16"), "not in UTF-8"),
        (ROWS.encode("utf-16-le"), "has NUL bytes"),
        (gzip.compress(ROWS.encode() * 50, mtime=0)[:-12], "damaged gzip"),
        (b"\x1f\x8b" + b"nonsense" * 5, "damaged gzip"),
    ],
)
def test_files_without_use(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        read_pairs(write(tmp_path / "pairs", content))
    assert str(tmp_path / "pairs") in str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(DataError, match="cannot be read"):
            read_pairs(path)


def tangled(count: int = 400, seed: int = 3) -> list[Pair]:
    """Pairs with common sentences on both sides, some equal except for case and spaces."""
    chance = random.Random(seed)
    pairs = []
    for i in range(count):
        source = f"Sentence {chance.randrange(count)}"
        pairs.append(Pair(source.upper() if i % 7 == 0 else source, f"phrase  {chance.randrange(count)}"))
    return list(dict.fromkeys(pairs))


def test_no_sentence_of_a_part_is_in_another() -> None:
    pairs = tangled()
    split = split_pairs(pairs, SplitConfig(validation=20, test=30, seed=4))
    assert Counter(pairs) == Counter([*split.train, *split.validation, *split.test])
    assert split.validation and split.test
    for side in (0, 1):
        seen = [{"".join(pair[side].lower().split()) for pair in part} for part in split]
        assert not seen[0] & seen[1] and not seen[0] & seen[2] and not seen[1] & seen[2]


def test_the_split_depends_on_the_seed_but_not_on_the_order_of_rows() -> None:
    pairs = tangled()
    first = split_pairs(pairs, SplitConfig(20, 30, seed=1))
    assert [set(part) for part in split_pairs(pairs[::-1], SplitConfig(20, 30, seed=1))] == [set(p) for p in first]
    assert set(split_pairs(pairs, SplitConfig(20, 30, seed=2)).test) != set(first.test)


def test_a_tenth_at_most_is_set_aside() -> None:
    pairs = [Pair(f"a{i}", f"b{i}") for i in range(50)]
    split = split_pairs(pairs)
    assert (len(split.train), len(split.validation), len(split.test)) == (40, 5, 5)
    with pytest.raises(SettingError):
        SplitConfig(validation=0)


def test_connected_groups() -> None:
    pairs = [Pair("a", "x"), Pair("b", "y"), Pair("c", "x"), Pair("B ", "z"), Pair("x", "a")]
    assert sorted(map(sorted, connected_groups(pairs))) == [[0, 2], [1, 3], [4]]


def test_pad() -> None:
    padded = pad([[5, 6, EOS], [EOS], [7, EOS]])
    assert padded.ids.tolist() == [[5, 6, EOS], [EOS, PAD, PAD], [7, EOS, PAD]]
    assert padded.mask.tolist() == [[True] * 3, [True, False, False], [True, True, False]]
    for wrong in ([], [[5], []]):
        with pytest.raises(ValueError, match="at least one"):
            pad(wrong)


def test_a_batch_is_what_the_decoder_reads_and_predicts(vocab: Vocab) -> None:
    batches = fixed_batches(vocab, [Pair("the cat", "le chat"), Pair("a dog", "un")], 100)
    (batch,) = batches
    rows = {tuple(row[mask].tolist()) for row, mask in zip(batch.inputs.ids, batch.inputs.mask, strict=True)}
    targets = [vocab.encode("le chat"), vocab.encode("un")]
    assert rows == {(SOS, *target) for target in targets}
    assert sorted(batch.labels.tolist()) == sorted([*targets[0], EOS, *targets[1], EOS])
    assert batch.tokens == int(batch.inputs.mask.sum())
    assert (batch.source.ids[batch.source.mask] == EOS).sum() == 2


def test_cut_holds_every_row_once_within_the_limit() -> None:
    chance = np.random.default_rng(0)
    sources = [[1] * n for n in chance.integers(1, 30, 97)]
    targets = [[1] * n for n in chance.integers(1, 30, 97)]
    sources[13] = [1] * 200  # alone in its batch
    batches = cut(sources, targets, 64, chance.permutation(97))
    assert sorted(row for batch in batches for row in batch) == list(range(97))
    for batch in batches:
        longest = max(max(len(sources[i]), len(targets[i])) for i in batch)
        assert len(batch) == 1 or len(batch) * longest <= 64
    padding = sum(len(b) * max(len(targets[i]) for i in b) - sum(len(targets[i]) for i in b) for b in batches)
    assert padding < 0.1 * sum(map(len, targets))  # similar lengths are together


def tokens(batches: Batches) -> list[tuple[int, ...]]:
    return [tuple(batches.sources[i]) for rows in batches.rows for i in rows]


def test_an_epoch_depends_on_seed_and_number_alone(vocab: Vocab) -> None:
    pairs = [Pair(f"the {'small ' * i}cat", f"le {'petit ' * i}chat") for i in range(12)]
    data = TrainingData(pairs, vocab, 60, seed=3, augmentation=AugmentationConfig(concatenation=0.5))
    again = TrainingData(pairs, vocab, 60, seed=3, augmentation=AugmentationConfig(concatenation=0.5))
    again.epoch(0)
    assert tokens(data.epoch(1)) == tokens(again.epoch(1))
    assert tokens(data.epoch(1)) != tokens(data.epoch(2))
    assert tokens(data.epoch(1)) != tokens(
        TrainingData(pairs, vocab, 60, seed=4, augmentation=AugmentationConfig(concatenation=0.5)).epoch(1)
    )
    assert data.fingerprint() == again.fingerprint() != TrainingData(pairs[:-1], vocab, 60).fingerprint()


def test_concatenated_rows_are_translations_of_their_parts(vocab: Vocab) -> None:
    pairs = [Pair("the cat", "le chat"), Pair("a dog", "un chien"), Pair("a red house", "une maison rouge")]
    translation = dict(pairs)
    data = TrainingData(
        pairs, vocab, 1000, augmentation=AugmentationConfig(concatenation=10.0), longest_concatenated=30
    )
    epoch = data.epoch(0)
    assert len(epoch.sources) == 33
    longer = 0
    for source, target in zip(epoch.sources[3:], epoch.targets[3:], strict=True):
        assert source.count(EOS) == target.count(EOS) == 1 and source[-1] == target[-1] == EOS
        assert max(len(source), len(target)) <= 31
        left, right = vocab.decode(source), []
        while left:
            part = next(p for p in translation if left == p or left.startswith(f"{p} "))
            right.append(translation[part])
            left = left[len(part) :].lstrip()
        assert vocab.decode(target) == " ".join(right)
        longer += len(right) > 1
    assert longer >= 20
    plain = TrainingData(pairs, vocab, 1000).epoch(0)
    assert len(plain.sources) == 3


def test_added_rows_fit_a_models_positions(vocab: Vocab) -> None:
    pairs = [Pair("the cat", "le chat"), Pair("a dog", "un chien"), Pair("a red house", "une maison rouge")]
    long = max(len(side) for sides in encode_pairs(vocab, pairs) for side in sides)
    epoch = TrainingData(
        pairs, vocab, 1000, augmentation=AugmentationConfig(concatenation=10.0, noise=1.0), max_length=long
    ).epoch(0)
    assert 3 <= len(epoch.sources) < 36
    assert max(map(len, [*epoch.sources, *epoch.targets])) == long
    wider = TrainingData(
        pairs, vocab, 1000, augmentation=AugmentationConfig(concatenation=10.0, noise=1.0), max_length=2 * long
    ).epoch(0)
    assert long < max(map(len, [*wider.sources, *wider.targets])) <= 2 * long


def test_join_puts_spaces_where_the_script_has_them() -> None:
    assert join_texts(["One.", "Two."]) == "One. Two."
    assert join_texts(["房子很大。", "他很小。"]) == "房子很大。他很小。"
    assert join_texts(["我有", "3", "本书"]) == "我有3本书"


def test_bad_training_data(vocab: Vocab) -> None:
    with pytest.raises(DataError, match="no training pairs"):
        TrainingData([], vocab, 10)
