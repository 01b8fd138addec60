"""Additional training data: sentence pairs written for this project, dictionaries, and monolingual text.

Our own corpus has three tab-separated columns: kind, source, target. A dictionary gives one row per word with its
most usual translation, so that every rare word is seen at least once. Monolingual text is first translated by a model
(`python -m nmtcore distil --texts`). All of them exclude the sentences set aside for validation and testing
(`without_held_out`); monolingual text also excludes sentences that resemble these (`without_overlap`).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from nmtcore.training.corpus import Pair, Split, connected_groups, read_rows, sentence_key

LEAST = 3  # occurrences in the training targets that every word of a dictionary translation needs
WORDS_IN_A_ROW = 6  # length of the n-grams that training sentences may not share with evaluation sentences
SENSES = 2  # most translations of a word; with more, the most frequent one is often not the usual one
_IN_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_NO_TRANSLATION = re.compile(r"\b(?:variant of|surname|abbr|used in|classifier|see|particle|old variant)\b")


def read_corpus(path: Path | str) -> list[Pair]:
    """Read our own sentence pairs: kind, source, target. Raises DataError for missing or further columns."""

    def parse(line: str) -> Pair:
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) != 3 or not all(columns):
            raise ValueError("a row is a kind, a sentence and its translation, tabs between.")
        return Pair(*columns[1:])

    return read_rows(path, parse, "a kind, a sentence and its translation")[1]


def read_dictionary(path: Path | str, targets: Iterable[str]) -> list[Pair]:
    """One pair per word of a dictionary, with the translation whose words are most frequent in the training targets.

    There are two kinds of files: word, translation, part of speech (Wiktionary, one sense per row); or word, part of
    speech, meanings separated by ` / `, and further columns (the HSK lists, where the first meaning is the usual one).
    Words are left out if their translations are too rare or too many. Raises DataError for a wrong number of columns.
    """

    def parse(line: str) -> tuple[str, str]:
        columns = line.split("\t")
        if len(columns) == 3:
            return columns[0], columns[1]
        if len(columns) >= 6:
            return columns[0], columns[2].split(" / ")[0]
        raise ValueError("a row of a dictionary has 3 columns, or 6 and more.")

    counts = Counter(word for text in targets for word in re.findall(r"[\w'-]+", text.lower()))
    entries: dict[str, dict[str, int]] = {}
    for word, meaning in read_rows(path, parse, "a word and its translation")[1]:
        senses = entries.setdefault(word, {})
        text = " ".join(_IN_BRACKETS.sub("", meaning).split())
        parts = re.findall(r"[\w'-]+", text.lower())
        if 0 < len(parts) <= 3 and not _NO_TRANSLATION.search(meaning):
            senses[text] = min(counts[part] for part in parts)  # the frequency of its rarest word
    usual = {word: max(senses, key=senses.__getitem__) for word, senses in entries.items() if 0 < len(senses) <= SENSES}
    return [Pair(word, text) for word, text in usual.items() if entries[word][text] >= LEAST and len(word.split()) <= 2]


def read_sentences(path: Path | str) -> list[str]:
    """Sentences without translations, one per line, without repeats. Raises DataError for a file without any."""
    return list(dict.fromkeys(read_rows(path, str.strip, "a sentence")[1]))


def without_held_out(pairs: Sequence[Pair], split: Split) -> list[Pair]:
    """Leave out every pair whose source or target is set aside for validation or testing."""
    aside = [{sentence_key(p[side]) for part in (split.validation, split.test) for p in part} for side in (0, 1)]
    return [pair for pair in pairs if not any(sentence_key(pair[side]) in aside[side] for side in (0, 1))]


def without_linked(pairs: Sequence[Pair], split: Split) -> list[Pair]:
    """Leave out every pair linked to one that is set aside, by shared sentences, directly or through other pairs."""
    aside = [*split.validation, *split.test]
    groups = connected_groups([*aside, *pairs])
    held = {i for group in groups if min(group) < len(aside) for i in group}
    return [pair for i, pair in enumerate(pairs, len(aside)) if i not in held]


def casefolded_words(text: str) -> list[str]:
    """Words in lower case; each Chinese character counts as one."""
    return re.findall(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+", unicodedata.normalize("NFKC", text).casefold())


def word_ngrams(text: str) -> Iterator[tuple[str, ...]]:
    """All n-grams of WORDS_IN_A_ROW words; a shorter sentence is a single n-gram of all its words."""
    words = casefolded_words(text)
    return (tuple(words[i : i + WORDS_IN_A_ROW]) for i in range(max(1, len(words) - WORDS_IN_A_ROW + 1)))


def without_overlap(sentences: Iterable[str], judged_by: Iterable[str]) -> list[str]:
    """Decontamination: leave out every sentence that shares an n-gram of words with an evaluation sentence.

    A sentence of fewer than WORDS_IN_A_ROW words is left out if it equals one, ignoring case and punctuation.
    """
    held = {ngram for sentence in judged_by for ngram in word_ngrams(sentence)}
    return [sentence for sentence in sentences if held.isdisjoint(word_ngrams(sentence))]
