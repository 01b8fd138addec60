"""Sentence-level evaluation: each number by hand on small examples, the order, the filters, one model and two."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from nmtcore.analysis import sentence_scores
from nmtcore.analysis.sentence_scores import (
    SentenceRow,
    SentenceScore,
    filtered,
    repetition,
    sentence_rows,
    worst_first,
)
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import AttentionMap
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.corpus import Pair
from tests.helpers import SENTENCES, Run, refused, save_small, small, translate

PAIRS = [Pair(source, target) for source, target in zip(SENTENCES[:2], SENTENCES[2:4], strict=True)] + [Pair("a", "un")]
SHORT = DecodingConfig(max_length=9)


def test_attention_is_read_by_words() -> None:
    weights = np.array([[[[0.1, 0.2, 0.6, 0.1], [0.3, 0.4, 0.1, 0.2], [0.0, 0.0, 0.0, 1.0]]]], np.float32)
    attention = AttentionMap(
        "cross", ("\u2581le", "\u2581chat", "<eos>"), ("\u2581the", "\u2581c", "at", "<eos>"), weights
    )
    found = sentence_scores._attention_measures(attention)
    assert found["coverage"] == pytest.approx((0.4 + 1.0) / 2)  # "cat" has 0.8 + 0.5, counted as 1
    assert found["on_eos"] == pytest.approx((0.1 + 0.2) / 2)


@pytest.mark.parametrize(
    ("text", "share"), [("le chat le chat le chat", 3 / 5), ("le chat voit", 0.0), ("le", 0.0), ("", 0.0)]
)
def test_repetition_counts_bigrams_that_were_there_before(text: str, share: float) -> None:
    assert repetition(text) == pytest.approx(share)


def test_rows_are_those_of_single_decodes(vocab: Vocab) -> None:
    models = [small("dot", vocab), small("mask-predict", vocab), small("none", vocab)]
    done: list[int] = []
    rows = {row.number: row for row in sentence_rows(models, PAIRS, SHORT, done.append)}
    assert sorted(rows) == [1, 2, 3] and sum(done) == 3
    trace = translate(models[0], PAIRS[1].source, SHORT)
    found = rows[2].scores["en-fr/dot"]
    assert found.translation == trace.text
    mean = sum(step.log_probability for step in trace.steps) / len(trace.steps)
    assert found.confidence == pytest.approx(np.exp(mean), abs=1e-3)
    assert rows[2].scores["en-fr/none"].coverage is None and rows[2].scores["en-fr/none"].chrf is not None
    assert rows[2].scores["en-fr/mask-predict"].coverage is not None
    assert rows[1].length == 7 and SentenceRow.from_json(json.loads(json.dumps(rows[1].to_json()))) == rows[1]


def test_a_sentence_beyond_the_limits_disturbs_no_other(vocab: Vocab) -> None:
    rows = list(sentence_rows([small("dot", vocab)], [Pair("cat " * 700, "x"), PAIRS[0]], SHORT))
    scores = {row.number: row.scores["en-fr/dot"] for row in rows}
    assert "limit" in scores[1].refused and scores[1].chrf is None and scores[2].chrf is not None


def row(number: int, length: int, *chrf: float | None) -> SentenceRow:
    scores = {name: SentenceScore("Le Chat", value, on_eos=value) for name, value in zip("ab", chrf, strict=False)}
    return SentenceRow(number, "the dog", "le chien", length, scores)


def test_worst_first_and_filters() -> None:
    rows = [row(1, 4, 50.0, 20.0), row(2, 9, 10.0, 80.0), row(3, 6, None, 5.0)]
    assert [r.number for r in worst_first(rows, "chrf", "a")] == [2, 1, 3]
    assert [r.number for r in worst_first(rows, "chrf", "b")] == [3, 1, 2]
    assert [r.number for r in worst_first(rows, "on_eos", "a")] == [1, 2, 3]
    assert [r.number for r in worst_first(rows, "length", "a")] == [2, 3, 1]
    assert [r.number for r in worst_first(rows, "difference", "a")] == [2, 1, 3]
    assert [r.number for r in filtered(rows, least=5, most=8)] == [3]
    assert len(filtered(rows, "chat")) == 3 and not filtered(rows, "cheval")


@pytest.fixture
def folder(tmp_path: Path, vocab: Vocab) -> Path:
    for name in ("dot", "transformer"):
        save_small(tmp_path / "en-fr" / name, name, vocab, source="en", target="fr")
    text = "".join(f"{pair.source}\t{pair.target}\n" for pair in PAIRS)
    (tmp_path / "pairs.tsv").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def corpus(folder: Path, run: Run) -> Run:
    models = [folder / "en-fr" / name for name in ("dot", "transformer")]
    return lambda *options: run("corpus", "--pairs", folder / "pairs.tsv", "--model", *models, *options)


def test_the_command_compares_two_models(folder: Path, corpus: Run, short_translations: None) -> None:
    out = folder / "table.tsv"
    assert corpus("--sort", "difference", "--out", out)[0] == 0
    with open(out, encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    differences = [float(row["difference"]) for row in rows]
    assert len(rows) == 3 and differences == sorted(differences)
    for row, difference in zip(rows, differences, strict=True):
        both = float(row["chrf en-fr/dot"]) - float(row["chrf en-fr/transformer"])
        assert difference == pytest.approx(both, abs=0.01)
    assert corpus("--longest", "2", "--out", folder / "table.json")[0] == 0
    assert [row["source"] for row in json.loads((folder / "table.json").read_text(encoding="utf-8"))] == ["a"]
    assert corpus("--out", folder / "rows.jsonl")[0] == 0  # written as they come, for whoever reads them meanwhile
    lines = (folder / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(SentenceRow.from_json(json.loads(line)).number for line in lines) == [1, 2, 3]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--out", "table.doc"), "table.doc must end in"),
        (("--out", "nowhere/table.tsv"), "There is no folder nowhere"),
        (("--longest", "-3"), "longest must be between 0"),
        (("--split", "test"), "does not say how its data were split"),
    ],
)
def test_what_cannot_be_is_one_sentence(corpus: Run, options: tuple[str, ...], says: str) -> None:
    refused(corpus(*options), says)


@pytest.mark.parametrize(
    ("other", "says"), [("zh-fr", "source: en for en-fr/dot, zh for zh"), ("en-fr", "two different ones")]
)
def test_two_models_are_different_ones_of_one_pair(folder: Path, vocab: Vocab, run: Run, other: str, says: str) -> None:
    save_small(folder / "zh-fr" / "dot", "dot", vocab, source="zh", target="fr")
    refused(
        run("corpus", "--pairs", folder / "pairs.tsv", "--model", *(folder / p / "dot" for p in ("en-fr", other))), says
    )
