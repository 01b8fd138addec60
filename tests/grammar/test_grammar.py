"""Sentence pairs and links that the English-French grammar makes; errors in its files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from nmtcore.__main__ import main
from nmtcore.errors import DataError
from nmtcore.evaluation.alignment_error import read_alignments
from nmtcore.grammar.grammar import FOLDER, Grammar
from nmtcore.text.vocabulary import Vocab
from nmtcore.text.words import split_words
from nmtcore.training.batches import TrainingData
from nmtcore.training.corpus import Pair

SURNAMES = {"Smith", "Tremblay", "Okafor", "Silva", "Kowalski", "Nguyen", "Petrov", "Cohen", "Levy", "Sato", "Garcia"}


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar.load()


def test_no_sentence_twice(grammar: Grammar) -> None:
    pairs = grammar.pairs(1000, 5)
    assert len({pair.source for pair in pairs}) == 1000
    assert all(len(pair.source.split()) + 2 >= 4 and len(pair.source.split()) <= 27 for pair in pairs)


def test_seed(grammar: Grammar) -> None:
    assert grammar.pairs(30, 3) == grammar.pairs(30, 3) != grammar.pairs(30, 4)


def test_links_are_of_words(grammar: Grammar) -> None:
    """Links count words as the rest of the library does, and every word but a few is linked."""
    unlinked = total = 0
    for pair in grammar.pairs(1500, 7):
        source, target = split_words(pair.source), split_words(pair.target)
        assert all(i < len(source) and j < len(target) for i, j in pair.links)
        linked = {i for i, _ in pair.links}
        words = [i for i, word in enumerate(source) if word[0].isalnum()]
        unlinked += len([i for i in words if i not in linked])
        total += len(words)
        for i, word in enumerate(source):
            if word in SURNAMES:
                assert any(word == target[j] for k, j in pair.links if k == i)
    assert unlinked < 0.03 * total


def broken(tmp_path: Path, file: str, row: str) -> str:
    """The error of a grammar to one of whose files a row was added."""
    shutil.copytree(FOLDER / "en-fr", tmp_path / "en-fr")
    path = tmp_path / "en-fr" / file
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text.rstrip()}\n{row}\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        Grammar.load(tmp_path)
    number = text.rstrip().count("\n") + 2
    assert f"{file}, row {number}: " in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("file", "row", "message"),
    [
        ("nouns.tsv", "dragon\t\tdragon\tm\t\tbeast", "'beast' is no kind"),
        ("nouns.tsv", "dragon\t\tdragon\t\t\tanimal", "gender"),
        ("nouns.tsv", "dragon\t\t\tm\t\tanimal", "fr is empty"),
        ("verbs.tsv", "slay\tzigouillaxer\tperson\t:animal", "no row for the verb 'zigouillaxer'"),
        ("verbs.tsv", "slay\tmanger\tperson\tanimal", "no complement"),
        ("adjectives.tsv", "scaly\técailleux\t\t\t\tx\tanimal", "place_fr"),
        ("rules.tsv", "Sentence\t5\tc:Dragon\t\t{c}\t{c}", "no category 'Dragon'"),
        ("rules.tsv", "Sentence\t5\tc:Clause\t\t{d}\t{c}", "'d' is none"),
        ("rules.tsv", "Sentence\tmuch\tc:Clause\t\t{c}\t{c}", "'much' is no number"),
        ("names.tsv", "a\tb\tc\td\te", "5 columns"),
    ],
)
def test_errors_name_file_and_row(tmp_path: Path, file: str, row: str, message: str) -> None:
    assert message in broken(tmp_path, file, row)


def test_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["grammar", "--count", "3", "--seed", "2", "--links"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [len(row) for row in rows] == [3, 3, 3]
    assert main(["grammar", "--count", "40", "--alignments"]) == 0
    path = tmp_path / "links.tsv"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    languages, aligned = read_alignments(path)
    assert (languages, len(aligned)) == ("en-fr", 40)
    assert main(["grammar", "--data", str(tmp_path)]) == 2
    assert "no grammar for en-fr" in capsys.readouterr().err


def test_fresh_rows_in_training() -> None:
    """Each epoch asks for other rows; what is too long for the model is left out."""
    asked: list[tuple[int, int]] = []

    def fresh(count: int, seed: int) -> list[tuple[str, str]]:
        asked.append((count, seed))
        return [("a b", "c d e"), ("a b c d e f g", "a")][:count]

    pairs = [Pair(text, text) for text in ("a b", "c d", "e f", "g a")]
    vocab = Vocab.train([sentence for pair in pairs for sentence in pair] * 20, 40)
    limit = len(vocab.encode("c d e")) + 1  # with <eos>
    data = TrainingData(pairs, vocab, 100, grammar=0.5, fresh=fresh, max_length=limit)
    rows = [len(data.epoch(number).sources) for number in (1, 2, 1)]
    assert rows == [5, 5, 5]
    assert [count for count, _ in asked] == [2, 2, 2]
    assert asked[0] == asked[2] != asked[1]
