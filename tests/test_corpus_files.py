"""The sentence pairs in pretrained/corpus: readable, unique, and far from every test sentence."""

from functools import cache
from pathlib import Path

import pytest

from nmtcore.evaluation.challenge_set import read_challenges, read_copying, tokens
from nmtcore.training import names
from nmtcore.training.corpus import Pair, SplitConfig, read_pairs, sentence_key, split_pairs
from nmtcore.training.supplement import casefolded_words, read_corpus, word_ngrams
from tests.paths import EVALUATION, PRETRAINED, ROOT

PAIRS = ("en-fr", "zh-en")
LEAST = {"en-fr": 12_000, "zh-en": 8_000}
DATA = {  # as in the recipes; not part of the repository
    "en-fr": (ROOT / "data" / "tatoeba.eng-fra.tsv.gz", False, SplitConfig()),
    "zh-en": (ROOT / "data" / "tatoeba.eng-cmn.tsv.gz", True, SplitConfig(600, 1000)),
}


@cache
def corpus(pair: str) -> list[Pair]:
    files = sorted((PRETRAINED / "corpus").glob(f"{pair}*.tsv"))
    return [row for file in files for row in read_corpus(file)]


def shared(pair: str, sentences: list[str]) -> list[str]:
    """The rows of the corpus that share six words in a row with one of `sentences`, or are a shorter one of them."""
    held = {ngram for sentence in sentences for ngram in word_ngrams(sentence)}
    return [side for row in corpus(pair) for side in row if not held.isdisjoint(word_ngrams(side))]


@pytest.mark.parametrize("pair", PAIRS)
def test_rows_are_many_and_each_source_stands_once(pair: str) -> None:
    rows = corpus(pair)
    assert len(rows) >= LEAST[pair]
    assert len({sentence_key(row.source) for row in rows}) == len(rows)
    english = [len((row.source if pair == "en-fr" else row.target).split()) for row in rows]
    assert sum(length > 14 for length in english) >= 0.2 * len(rows)
    assert max(english) <= 40


@pytest.mark.parametrize("pair", PAIRS)
def test_no_row_repeats_a_challenge(pair: str) -> None:
    challenges = read_challenges(EVALUATION / f"robustness.{pair}.tsv")[1]
    assert shared(pair, [challenge.source for challenge in challenges]) == []


@pytest.mark.parametrize("pair", PAIRS)
def test_no_row_repeats_the_test_split(pair: str) -> None:
    path, swap, config = DATA[pair]
    if not Path(path).exists():
        pytest.skip(f"{path.name} is not in data/: it is no part of the repository")
    test = split_pairs(read_pairs(path, swap)[0], config).test
    assert shared(pair, [side for row in test for side in row]) == []


@pytest.fixture(scope="module")
def known_words() -> set[str]:
    """The words of the corpora and the names used in data augmentation."""
    known = {*casefolded_words(" ".join((*names.MEN, *names.WOMEN, *names.CITIES)))}
    for file in (PRETRAINED / "corpus").rglob("*.tsv"):
        known |= {*casefolded_words(file.read_text(encoding="utf-8"))}
    return known


@pytest.mark.parametrize("pair", PAIRS)
def test_names_that_are_to_be_copied_are_new(pair: str, known_words: set[str]) -> None:
    sentences = [row for row in read_copying(EVALUATION / f"copying.{pair}.tsv")[1] if row.kind == "name"]
    wanted = {name.strip() for row in sentences for forms in row.wanted for name in forms}
    assert len(wanted) == len(sentences) >= 60 and not wanted & known_words
    assert all(name in row.source.casefold() for row in sentences for name in map(str.strip, *row.wanted))


def test_chinese_names_that_are_to_become_pinyin_are_new() -> None:
    sentences = [row for row in read_copying(EVALUATION / "copying.zh-en.tsv")[1] if row.kind == "pinyin"]
    known = "".join(tokens(row.target) for row in corpus("zh-en"))
    assert len(sentences) == 60
    assert [row.source for row in sentences if any(form in known for form in row.wanted[0])] == []
