"""Alignment error rate: the file, the links from attention, the count; and our own files."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nmtcore.decoding.decode import force
from nmtcore.decoding.trace import AttentionMap, Trace
from nmtcore.errors import DataError
from nmtcore.evaluation.alignment_error import (
    Counts,
    Measured,
    common_parts,
    measure,
    reference_attention,
)
from nmtcore.evaluation.gold_alignments import Aligned, read_alignments
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small
from tests.paths import EVALUATION


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_read(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.tsv",
        "# A comment.",
        "# languages: zh-en",
        "红色 的 房子 ， 很 大 。\tThe red house’s big.\t0-1 2-2 5-3 6-4\t1-1 2-0",
        "",
        "a cat\tun chat\t0-0 1-1",
    )
    gold = read_alignments(path)
    first, second = gold.pairs
    assert (gold.languages, gold.kind, gold.linked_only) == ("zh-en", "hand", False)
    assert first.source == "红色的房子,很大。" and first.target == "The red house's big."
    assert first.source_words == ("红色", "的", "房子", ",", "很", "大", "。")
    assert first.target_words == ("The", "red", "house's", "big", ".")
    assert first.sure == {(0, 1), (2, 2), (5, 3), (6, 4)} and first.possible == first.sure | {(1, 1), (2, 0)}
    assert second.source == "a cat" and second.sure == second.possible == {(0, 0), (1, 1)}


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("a.tsv", "a cat", "line 2: there must be three or four columns, separated by tabs; there are 1"),
        ("a.tsv", "a\tb\t0-0\t\tmore", "there are 5"),
        ("a.tsv", "a\tb\t0-1\t", "link 0-1 is outside the sentence: words count from zero, and there are 1 and 1"),
        ("a.tsv", "a\tb\t0-0\t1-0", "link 1-0 is outside"),
        ("a.tsv", "a\tb\t0:0\t", "a link is two numbers such as 3-4; this is '0:0'"),
        ("a.tsv", "a\tb\t\t0-0", "there is no sure link"),
        ("a.tsv", " \tb\t0-0\t", "a side has no words"),
        ("a.tsv", "# nothing", "no line with source words"),
        ("n.jsonl", "{", "line 2: "),
        ("n.jsonl", "[1]", "an object must have lists"),
        ("n.jsonl", '{"source": ["a"], "target": ["b"]}', "an object must have lists: words"),
        ("n.jsonl", '{"source": ["a"], "target": ["b"], "sure": [[0, 1]]}', "the link 0-1 is outside"),
        ("n.jsonl", '{"source": ["a"], "target": ["b"], "sure": [[0, -1]]}', "the link 0--1 is outside"),
        ("n.jsonl", '{"source": ["a"], "target": ["b"], "sure": []}', "no sure link"),
        ("n.jsonl", '{"source": ["a"], "target": ["b"], "sure": [[0, 0, 0]]}', "line 2: "),
    ],
)
def test_wrong_lines_are_named(tmp_path: Path, name: str, line: str, message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        read_alignments(write(tmp_path / name, "# comment", line))


def test_the_rate_is_that_of_och_and_ney() -> None:
    counts = Counts()
    counts.add({(0, 0), (1, 1), (2, 2), (3, 3)}, {(0, 0), (1, 1), (1, 4)}, {(0, 0), (1, 1), (1, 4), (2, 2)})
    found = counts.to_json()
    assert found["aer"] == pytest.approx(1 - (2 + 3) / (4 + 3), abs=1e-4)
    assert (found["precision"], found["recall"]) == (0.75, pytest.approx(2 / 3, abs=1e-4))
    perfect = Counts()
    perfect.add({(0, 0)}, {(0, 0)}, {(0, 0)})
    assert perfect.to_json()["aer"] == 0


def test_common_parts() -> None:
    assert common_parts(("▁红", "色的", "房", "子"), ("红色", "的", "房子")) == ([0, 0, 1, 1], [0, 0, 1])
    assert common_parts(("the", "cat"), ("the", "cat")) == ([0, 1], [0, 1])
    assert common_parts(("a", "bc", "d"), ("ab", "cd")) == ([0, 0, 0], [0, 0])
    with pytest.raises(DataError, match="not the same text"):
        common_parts(("a", "b"), ("a", "c"))


PAIR = Aligned(
    "Big cats sleep.",
    "Chats dorment.",
    ("Big", "cats", "sleep", "."),
    ("Chats", "dorment", "."),
    frozenset({(1, 0), (2, 1), (3, 2)}),
    frozenset({(0, 0), (1, 0), (2, 1), (3, 2)}),
)
KEYS = ("▁Big", "▁ca", "ts", "▁sleep", ".", "<eos>")
QUERIES = ("▁Cha", "ts", "▁dor", "ment", ".", "<eos>")


def attention(*rows: list[float]) -> AttentionMap:
    return AttentionMap("cross", QUERIES, KEYS, np.array([[rows]], np.float32))


def test_links_are_of_merged_words_without_eos() -> None:
    found = attention(
        [0.4, 0.3, 0.3, 0, 0, 0],  # no piece of "cats" beats "Big", both together do
        [0.5, 0.2, 0.3, 0, 0, 0],
        [0, 0, 0, 0.3, 0.1, 0.6],  # <eos> has the most, but is no word
        [0.2, 0, 0, 0.2, 0.2, 0.4],
        [0, 0, 0, 0.1, 0.9, 0],
        [0, 0, 0, 0, 0, 1],
    )
    measured = Measured()
    measured.add(PAIR, found)
    output, shifted = measured.to_json()
    assert (output["layer"], output["head"], output["position"]) == (0, 0, "output")
    assert (output["aer"], output["precision"], output["recall"]) == (0, 1, 1)
    assert output["eos"] == pytest.approx((0 + 0.5) / 2) and output["full_stop"] == pytest.approx((0 + 0.15) / 2)
    assert shifted["position"] == "input" and shifted["aer"] > 0.5


def test_the_input_position_reads_one_step_later() -> None:
    on = np.eye(6).tolist()
    late = attention(on[5], on[1], on[1], on[3], on[3], on[4])  # row j holds the attention of word j - 1
    measured = Measured()
    measured.add(PAIR, late)
    output, shifted = measured.to_json()
    assert shifted["aer"] == 0 < output["aer"]


def test_target_words_without_a_link_are_left_out_where_links_are_exact() -> None:
    on = np.eye(6).tolist()
    pair = replace(PAIR, sure=frozenset({(1, 0)}), possible=frozenset({(1, 0)}))
    found = attention(on[1], on[2], on[4], on[0], on[0], on[5])  # the verb and the full stop look at wrong words
    counted = []
    for linked_only in (False, True):
        measured = Measured(linked_only)
        measured.add(pair, found)
        counted.append(measured.to_json()[0])
    assert (counted[0]["precision"], counted[0]["recall"]) == (pytest.approx(1 / 3, abs=1e-4), 1)
    assert (counted[1]["precision"], counted[1]["recall"], counted[1]["aer"]) == (1, 1, 0)


@pytest.mark.parametrize("languages", ["en-fr", "zh-en"])
def test_our_exact_links(languages: str, vocab: Vocab) -> None:
    gold = read_alignments(EVALUATION / f"exact.{languages}.tsv")
    assert (gold.languages, gold.kind, len({pair.source for pair in gold.pairs})) == (languages, "exact", 1000)
    for pair in gold.pairs:
        several = {j for i, j in pair.possible if any((k, j) in pair.possible for k in range(i))}
        assert several == {j for _, j in pair.possible - pair.sure} and not several & {j for _, j in pair.sure}
    assert any(pair.sure < pair.possible for pair in gold.pairs)
    done: list[Trace] = []
    report = measure(small("transformer", vocab), gold.pairs[:5], done.append, linked_only=gold.linked_only)
    assert report is not None and report["pairs"] == 5 == len(done) and len(report["readings"]) == 20
    assert all(0 <= r["aer"] <= 1 for r in report["readings"])
    assert [trace.source_text for trace in done] == [pair.source for pair in gold.pairs[:5]]


NEWS = {
    "source": ["“", "She", "did", "n't", "go", "to", "the", "park", "s", ".", "”"],
    "target": ["«", "Elle", "n'", "est", "pas", "allée", "à", "les", "parcs", ".", "»"],
    "sure": [[4, 5], [7, 8], [8, 8]],
}


def test_links_of_content_words_in_news(tmp_path: Path) -> None:
    long = {"source": ["a"] * 16, "target": ["b"], "sure": [[0, 0]]}
    path = write(tmp_path / "n.jsonl", json.dumps(NEWS), "", json.dumps(long, ensure_ascii=False))
    gold = read_alignments(path)
    assert (gold.languages, gold.kind, gold.linked_only, len(gold.pairs)) == ("", "news", True, 1)
    (pair,) = gold.pairs
    assert pair.target_words[5:8] == ("allée", "aux", "parcs") and "n'est pas allée aux parcs." in pair.target
    assert "She didn't go to the park s." in pair.source
    assert pair.possible == {(4, 5), (7, 7), (8, 7)} and pair.sure == {(4, 5)}
    swapped = read_alignments(path, swap=True).pairs  # the long one has a short target, which is now its source
    assert len(swapped) == 2 and swapped[0].possible == {(5, 4), (7, 7), (7, 8)} == swapped[0].sure


def test_a_pronoun_before_an_infinitive_is_not_contracted(tmp_path: Path) -> None:
    row = {
        "source": ["to", "see", "it"],
        "target": ["De", "le", "manger", "de", "le", "pain"],
        "sure": [[1, 2], [2, 5]],
    }
    (pair,) = read_alignments(write(tmp_path / "n.jsonl", json.dumps(row))).pairs
    assert pair.target_words == ("De", "le", "manger", "du", "pain") and pair.possible == {(1, 2), (2, 4)}


def test_of_all_readings_the_best_may_be_an_average_or_at_the_input(vocab: Vocab) -> None:
    gold = read_alignments(EVALUATION / "exact.en-fr.tsv").pairs[:6]
    for name in ("dot", "transformer"):
        model = small(name, vocab)
        report = measure(model, gold, linked_only=True, any_reading=True)
        assert report is not None and report["aer"] == min(r["aer"] for r in report["readings"])
        strict = measure(model, gold, linked_only=True)
        assert strict is not None and strict["aer"] >= report["aer"] and strict["best"]["head"] is not None


def test_every_head_and_average_is_read() -> None:
    on = np.eye(6, dtype=np.float32)
    good = on[[1, 2, 3, 3, 4, 5]]
    weights = np.stack([np.stack([good, on[[5] * 6]]), np.stack([on[[4] * 6], on[[0] * 6]])])  # (L, H, T, S)
    measured = Measured()
    measured.add(PAIR, AttentionMap("cross", QUERIES, KEYS, weights))
    rates = {(r["layer"], r["head"]): r for r in measured.to_json() if r["position"] == "output"}
    assert set(rates) == {(0, 0), (0, 1), (1, 0), (1, 1), (0, None), (1, None), (None, None)}
    assert rates[0, 0]["aer"] == 0 == rates[0, None]["aer"]  # the other head looks at <eos> alone
    assert rates[0, 1]["eos"] == 1 and rates[1, 0]["full_stop"] == 1
    assert rates[0, None]["eos"] == 0.5 and rates[None, None]["full_stop"] == 0.25


def test_a_model_is_made_to_write_the_reference(small_checkpoint: Checkpoint) -> None:
    pair = Aligned(
        "a 🙂 cat", "le chat 🙂", ("a", "🙂", "cat"), ("le", "chat", "🙂"), frozenset({(0, 0)}), frozenset({(0, 0)})
    )
    found = reference_attention(small_checkpoint, pair, force(small_checkpoint, pair.source, pair.target))
    if small_checkpoint.config.architecture == "none":
        assert found is None and measure(small_checkpoint, [pair]) is None
        return
    assert found is not None
    assert found.queries == (*small_checkpoint.vocab.pieces("le chat 🙂"), "<eos>") and "🙂" in found.queries
    report = measure(small_checkpoint, [pair, pair])
    assert report is not None and report["pairs"] == 2 and report["best"] in report["readings"]
    layers, heads = found.weights.shape[:2] if found.weights.ndim == 4 else (1, 1)
    several = layers * heads > 1
    assert len(report["readings"]) == (2 * (layers * heads + 1 + layers * (heads > 1)) if several else 2)
    heads = [r for r in report["readings"] if r["head"] is not None]
    if several:
        assert report["aer"] == min(r["aer"] for r in heads)
    else:
        assert report["best"]["position"] == "output"


def test_a_model_that_writes_all_words_at_once_is_read_at_its_output_alone(vocab: Vocab) -> None:
    made = small("mask-predict", vocab)
    pair = Aligned("a cat", "le chat", ("a", "cat"), ("le", "chat"), frozenset({(0, 0)}), frozenset({(0, 0), (1, 1)}))
    found = reference_attention(made, pair, force(made, pair.source, pair.target))
    assert found is not None and found.queries == tuple(vocab.pieces("le chat"))
    assert found.weights.shape[2:] == (len(found.queries), len(vocab.pieces("a cat")) + 1)
    report = measure(made, [pair])
    assert report is not None and {r["position"] for r in report["readings"]} == {"output"}


@pytest.mark.parametrize(("name", "pairs"), [("alignments.en-fr.tsv", 60), ("alignments.zh-en.tsv", 40)])
def test_our_files(name: str, pairs: int, vocab: Vocab) -> None:
    gold = read_alignments(EVALUATION / name)
    found = gold.pairs
    assert (
        gold.languages in name and gold.kind == "hand" and len(found) == pairs == len({pair.source for pair in found})
    )
    for pair in found:
        assert {j for _, j in pair.possible} == set(range(len(pair.target_words))), pair.target
        assert len({j for _, j in pair.sure}) >= 0.4 * len(pair.target_words), pair.target
    report = measure(small("dot", vocab), found[:2])
    assert report is not None and 0 <= report["aer"] <= 1
