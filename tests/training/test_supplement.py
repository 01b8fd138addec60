"""Rows beside the corpus: rows that are read, refused with file and row, or left out."""

import gzip
from pathlib import Path

import pytest

from nmtcore.errors import DataError
from nmtcore.training.corpus import Pair, Split
from nmtcore.training.supplement import (
    casefolded_words,
    read_corpus,
    read_dictionary,
    read_sentences,
    without_held_out,
    without_overlap,
    word_ngrams,
)

ROWS = "# kind, source, target\nfamily\tMy aunt.\tMa tante.\n\nfood\t Some  rice. \tDu riz.\n"


@pytest.mark.parametrize("zipped", [False, True])
def test_own_pairs_are_read(tmp_path: Path, zipped: bool) -> None:
    path = tmp_path / "own.tsv"
    path.write_bytes(gzip.compress(ROWS.encode()) if zipped else ROWS.replace("\n", "\r\n").encode())
    assert read_corpus(path) == [Pair("My aunt.", "Ma tante."), Pair("Some  rice.", "Du riz.")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (ROWS + "food\tRice.\n", "line 5: a row is a kind, a sentence and its translation"),
        (ROWS + "food\tRice.\tDu riz.\tnote\n", "line 5: a row is a kind"),
        (ROWS + "food\t \tDu riz.\n", "line 5: a row is a kind"),
        ("# nothing\n\n", "has no line with a kind, a sentence and its translation"),
        ("family\tété\tsummer\n".encode("latin-1"), "is not in UTF-8"),
        (gzip.compress(ROWS.encode(), mtime=0)[:-9], "cannot be read"),
        (gzip.compress(b"", mtime=0)[:10] + ROWS.encode(), "cannot be read"),  # packed in no known way
    ],
)
def test_what_is_wrong_is_said_with_file_and_row(tmp_path: Path, content: str | bytes, message: str) -> None:
    path = tmp_path / "own.tsv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DataError, match=f"own.tsv.*{message}") as found:
        read_corpus(path)
    assert "\n" not in str(found.value)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="nowhere.tsv cannot be read: No such file"):
        read_corpus(tmp_path / "nowhere.tsv")


def test_a_word_gets_its_most_frequent_translation(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    senses = [
        *("cat\tchat\tnoun", "cat\tmatou\tnoun"),
        *("rare\tsaignant (meat)\tadj", "rare\tinusité\tadj"),  # of two translations one is frequent enough
        *("bank\tbanque\tn", "bank\trive\tn", "bank\ttalus\tn"),  # three senses: the most frequent need not be usual
        *("far too many words\tchat\tn", "owl\thibou\tn"),  # too long; too rare among the targets
        "long\tun chat noir et blanc\tadj",
    ]
    path.write_text("\n".join(senses) + "\n", encoding="utf-8")
    targets = ["Le chat saignant.", "Un chat, saignant", "chat saignant matou", "la banque", "Hibou !"]
    assert read_dictionary(path, targets) == [Pair("cat", "chat"), Pair("rare", "saignant")]


def test_a_list_of_words_gives_its_first_meaning(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    rows = [
        "猫\tn\tcat / kitty\tmāo\t1\t貓",
        "们\tparticle\tplural particle / men\tmen\t1\t們",  # no translation of a word
        "狗\tn\tdog (animal) / cur\tgǒu\t1\t狗",
        "鸟\tn\tbird / cat\tniǎo\t1\t鳥",  # the first is too rare, the second is not asked for
    ]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert read_dictionary(path, ["A cat, a dog."] * 3) == [Pair("猫", "cat"), Pair("狗", "dog")]


@pytest.mark.parametrize("row", ["cat", "cat\tchat", "a\tb\tc\td", "a\tb\tc\td\te"])
def test_another_number_of_columns_is_named(tmp_path: Path, row: str) -> None:
    path = tmp_path / "words.tsv"
    path.write_text(f"cat\tchat\tnoun\n{row}\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"words\.tsv, line 2: a row of a dictionary has 3 columns, or 6 and more\."):
        read_dictionary(path, [])


def test_what_is_set_aside_is_left_out() -> None:
    split = Split([Pair("a", "b")], [Pair("The cat.", "Le chat.")], [Pair("A dog.", "Un chien.")])
    kept = [Pair("a", "b"), Pair("le chat.", "the cat."), Pair("A bird.", "Un oiseau.")]  # the other way round: another
    out = [Pair("the CAT .", "Ce chat."), Pair("That cat.", "le chat."), Pair("A dog.", "x"), Pair("y", "Un chien.")]
    assert without_held_out([out[0], kept[0], *out[1:], *kept[1:]], split) == kept


def test_sentences_stand_one_a_line_each_once(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("One. \n\nTwo.\nOne.\n", encoding="utf-8")
    assert read_sentences(path) == ["One.", "Two."]
    path.write_text("\n")
    with pytest.raises(DataError, match=r"texts\.txt has no line with a sentence"):
        read_sentences(path)


def test_words_and_their_ngrams() -> None:
    assert casefolded_words("Don't eat 3 姜饼!") == ["don", "t", "eat", "3", "姜", "饼"]
    assert casefolded_words("吃3个café") == ["吃", "3", "个", "café"]
    assert list(word_ngrams("a b c d e f g")) == [tuple("abcdef"), tuple("bcdefg")]
    assert list(word_ngrams("A, b c d e.")) == [tuple("abcde")]


def test_a_sentence_with_six_words_of_a_test_sentence_is_left_out() -> None:
    judged_by = ["Yesterday my old aunt bought a very small car."]
    apart = ["My old aunt bought a car.", "A very small car."]
    assert without_overlap(["So, my OLD aunt bought a very big car!", *apart], judged_by) == apart


def test_a_short_test_sentence_is_left_out_itself_and_nothing_that_holds_it() -> None:
    longer = "I know that I am a student."
    assert without_overlap(["i am a student!", longer, "I am a"], ["I am a student."]) == [longer, "I am a"]
