"""The training data of `train`: no held-out rows, and a vocabulary in which chosen words have few pieces."""

from argparse import Namespace
from pathlib import Path

import pytest

from nmtcore.commands.training_data import make_vocabulary, weighted
from nmtcore.errors import DataError, SettingError
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.corpus import Pair, Split, SplitConfig
from nmtcore.training.material import Material
from nmtcore.training.parallel import Group


@pytest.mark.parametrize(
    ("written", "expected"),
    [("a.tsv", ("a.tsv", 1)), ("a.tsv:3", ("a.tsv", 3)), ("b:c:12", ("b:c", 12)), ("part:two", ("part:two", 1))],
)
def test_a_file_may_have_a_weight_or_a_colon_in_its_name(
    written: str, expected: tuple[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "part:two").touch()
    assert weighted(written) == expected


@pytest.mark.parametrize("weight", ["0", "-1", "x", "1.5", "", "100", "٣"])
def test_a_weight_that_cannot_be_is_refused(weight: str) -> None:
    with pytest.raises(SettingError, match=r"a\.tsv:.*: the weight after the colon must be a whole number"):
        weighted(f"a.tsv:{weight}")


WORDS = ["crumbs", "planet", "window", "bridge", "mother", "kitten", "forest", "summer", "pencil", "orange"]


def vocabulary(folder: Path, words: str) -> Vocab:
    """A vocabulary with room for all letters and a few words, learned from a sentence and a file of words."""
    file = folder / "words.txt"
    file.write_bytes(words.encode())
    options = Namespace(resume=False, vocab=None, vocab_words=str(file), vocab_size=30)
    pairs = [Pair(f"{', '.join(WORDS)},", "")] * 3
    material = Material("en", "fr", "pairs.tsv", 3, SplitConfig(), Split(pairs, [], []), pairs)
    return make_vocabulary(options, folder, material, None, None, Group())


@pytest.mark.parametrize("frequent", [slice(0, 3), slice(6, 9)])
def test_a_word_counts_once_for_each_of_its_lines(tmp_path: Path, frequent: slice) -> None:
    found = vocabulary(tmp_path, "\ufeff" + "\r\n".join([*WORDS, *WORDS[frequent] * 8]))
    assert [len(found.pieces(word)) for word in WORDS[frequent]] == [1, 1, 1]
    assert any(len(found.pieces(word)) > 1 for word in WORDS)


def test_a_file_without_words_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="words.txt has no words"):
        vocabulary(tmp_path, "\n \n")
