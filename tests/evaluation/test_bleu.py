"""Scores: several references, length buckets, the probability of references, cards."""

from __future__ import annotations

import json
import math
import re
import subprocess
from pathlib import Path

import pytest
import sacrebleu

from nmtcore.config import DecodingConfig
from nmtcore.decoding import decode
from nmtcore.errors import CheckpointError, DataError
from nmtcore.evaluation import bleu, cards
from nmtcore.evaluation.bleu import (
    Item,
    buckets,
    by_length,
    group_references,
    quality,
    reference_log_probability,
    translate_all,
    within_limits,
)
from nmtcore.intervention import Intervention
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import CARD, CONFIG, WEIGHTS, Checkpoint
from nmtcore.text.vocabulary import EOS, Vocab
from nmtcore.text.words import text_length
from nmtcore.training.corpus import Pair
from tests.helpers import small

ITEMS = [
    Item("the small cat sees a red house .", ("le petit chat voit une maison rouge .", "le chat voit une maison .")),
    Item("a big dog", ("un grand chien",)),
    Item("the old cat .", ("le vieux chat .", "un vieux chat .", "vieux chat")),
]
SHORT = DecodingConfig(max_length=6)


def test_rows_with_one_source_are_one_item() -> None:
    rows = [Pair("a", "x"), Pair("b", "y"), Pair("a", "z"), Pair("A", "x")]
    assert group_references(rows) == [Item("a", ("x", "z")), Item("b", ("y",)), Item("A", ("x",))]


def test_every_reference_counts_and_missing_ones_do_not() -> None:
    second = [item.references[-1] for item in ITEMS]
    found = quality(second, ITEMS)
    assert found.bleu == pytest.approx(100) and found.chrf == pytest.approx(100)
    assert found.items == 3 and "nrefs:var" in found.bleu_signature and "version" in found.chrf_signature

    one = [Item(item.source, item.references[:1]) for item in ITEMS]
    hypotheses = ["le petit chien voit une maison rouge .", "un grand chat", "le vieux chien ."]
    expected = sacrebleu.corpus_bleu(hypotheses, [[item.references[0] for item in one]])
    assert quality(hypotheses, one).bleu == pytest.approx(expected.score)
    assert quality(hypotheses, one).bleu < quality(hypotheses, ITEMS).bleu + 1e-9
    # An empty second reference would be nearer in length than the long first one, and forgive the short text.
    items = [Item("one", ("a b c d", "a b c d e")), Item("two", ("e f g h i j k l m",))]
    assert quality(["a b c d", "e f g h"], items).bleu == pytest.approx(100 * math.exp(1 - (4 + 9) / 8))


def test_intervals_lie_around_the_score_and_are_reproducible() -> None:
    items = [Item(f"s {i}", (f"un deux trois quatre {'cinq' if i % 3 else 'six'} sept",)) for i in range(40)]
    texts = ["un deux trois quatre cinq sept"] * 40
    found = quality(texts, items, resamples=100)
    assert found == quality(texts, items, resamples=100)
    assert found.bleu_low is not None and found.bleu_high is not None and found.chrf_low is not None
    assert found.bleu_low < found.bleu < found.bleu_high < 100
    assert set(quality(texts, items).to_json()) == {"items", "bleu", "chrf", "bleu_signature", "chrf_signature"}


def test_mandarin_is_scored_by_character() -> None:
    found = quality(["红色的房子"], [Item("red house", ("红色的屋子",))], "zh")
    assert "tok:zh" in found.bleu_signature and found.bleu > 10


def test_nothing_to_evaluate(vocab: Vocab) -> None:
    with pytest.raises(DataError):
        quality([], [])
    with pytest.raises(DataError, match="at most 300 pieces"):
        within_limits([Item("cat " * 301, ("chat",))], vocab)
    kept = within_limits([*ITEMS, Item("cat", ("chat " * 301,))], vocab)
    assert kept == ITEMS
    assert within_limits([Item("cat cat cat", ("chat",)), Item("cat", ("chat",))], vocab, max_length=4) == [
        Item("cat", ("chat",))
    ]


def test_batches_change_nothing_but_the_speed(small_checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [item.source for item in ITEMS] * 2
    done: list[int] = []
    together = translate_all(small_checkpoint, sources, SHORT, done.append)
    assert together.texts == [decode.translate(small_checkpoint, source, SHORT).text for source in sources]
    assert sum(done) == 6 and len(done) == 1
    monkeypatch.setattr(bleu, "ROWS", 1)
    done.clear()
    assert translate_all(small_checkpoint, sources, SHORT, done.append).texts == together.texts
    assert done == [1] * 6
    assert translate_all(small_checkpoint, [], SHORT).texts == []


def test_the_probability_of_references_is_that_of_a_forced_search(small_checkpoint: Checkpoint) -> None:
    sums, pieces = [], 0
    for item in ITEMS:
        for reference in item.references:
            ids = (*small_checkpoint.vocab.encode(reference), EOS)
            decoding = DecodingConfig(max_length=len(ids))
            forced = decode.translate(small_checkpoint, item.source, decoding, Intervention.prefix(ids))
            sums.append(forced.log_probability)
            pieces += len(ids)
    a_reference, a_piece = reference_log_probability(small_checkpoint, ITEMS)
    assert a_reference == pytest.approx(sum(sums) / len(sums), rel=1e-4)
    assert a_piece == pytest.approx(sum(sums) / pieces, rel=1e-4)


def test_buckets_are_filled_by_joining(vocab: Vocab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bleu, "BUCKET_ITEMS", 7)
    made = small("dot", vocab)
    items = [Item(f"{w} cat", (f"chat {w}", f"le chat {w}")) for w in ("red", "big", "old", "small")]
    items += [Item("the old dog sees a big red house .", ("un",))]
    found = buckets(items, made)
    assert found == buckets(items, made)
    assert list(found) == list(bleu.BUCKETS)
    assert found[1, 5][:4] == items[:4] and found[6, 10][0] == items[4]
    for (low, high), inside in found.items():
        assert len(inside) == len({item.source for item in inside}) >= 7
        assert all(low <= text_length(item.source, vocab) <= high for item in inside)
    joined = next(item for item in found[1, 5][4:] if len(item.references) == 2)
    words = joined.source.split()[::2]
    assert joined.references == (" ".join(f"chat {w}" for w in words), " ".join(f"le chat {w}" for w in words))


def test_a_bucket_that_cannot_be_filled_is_left_out(vocab: Vocab) -> None:
    assert list(buckets([Item(" ".join(["cat"] * 8), ("x",))], small("dot", vocab))) == [
        (6, 10),
        (16, 20),
        (21, 30),
        (31, 50),
    ]


def test_by_length(vocab: Vocab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bleu, "BUCKET_ITEMS", 3)
    monkeypatch.setattr(bleu, "RESAMPLES", 20)
    rows = by_length(small("dot", vocab), ITEMS, SHORT)
    assert [(row["low"], row["high"]) for row in rows] == list(bleu.BUCKETS)
    assert all({"items", "bleu", "bleu_low", "bleu_high", "chrf", "chrf_low", "chrf_high"} <= set(row) for row in rows)
    assert json.loads(json.dumps(rows)) == rows


SCORES = {
    **{
        "bleu": 41.26,
        "chrf": 60.1,
        "bleu_signature": "a|b",
        "chrf_signature": "c|d",
        "items": 1234,
        "references": 2000,
    },
    **{"reference_log_probability": -9.1, "reference_log_probability_per_piece": -1.1, "hardware": "a machine"},
    **{"sentences_per_second": 20.0, "tokens_per_second": 210.0, "file": "pairs.tsv", "split": "test"},
    **{"beam": 5, "alpha": 0.6, "beta": 0.0},
}

GRAMMAR_READINGS = [
    {"layer": 1, "head": 0, "position": "output", "aer": 0.5},
    {"layer": 1, "head": 0, "position": "input", "aer": 0.3456},
    {"layer": None, "head": None, "position": "output", "aer": 0.75},
]


@pytest.fixture
def folder(tmp_path: Path, vocab: Vocab) -> Path:
    card = "# A card\n\n- Data: ours.\n\n## Limits\n\nMany.\n"
    checkpoint.save(tmp_path, small("dot", vocab).model, vocab, {"source": "en", "target": "fr"}, card)
    return tmp_path


def test_scores_are_recorded_beside_untouched_weights(folder: Path) -> None:
    weights = (folder / WEIGHTS).read_bytes()
    before = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    cards.record(folder, checkpoint.load(folder).meta, {"scores": SCORES})
    row = {"low": 1, "high": 5, "items": 100, **{k: 1.0 for k in ("bleu", "bleu_low", "bleu_high")}}
    row |= {k: 2.0 for k in ("chrf", "chrf_low", "chrf_high")}
    best = {"layer": 1, "head": 0, "position": "input", "aer": 0.2345, "eos": 0.01, "full_stop": 0.5}
    later = {
        "scores": SCORES | {"bleu": 50.0},
        "by_length": [row],
        "alignments": {"best": best, "pairs": 60, "readings": [best]},
        "grammar_alignments": {"best": best | {"aer": 0.3456}, "pairs": 1000, "readings": GRAMMAR_READINGS},
        "robustness": {
            "right": 0.5,
            "sentences": 100,
            "kinds": {"name": {"sentences": 10, "right": 0.3}},
            "failures": [["name", "I am Zoe.", "Je suis Zo."]],
        },
        "copying": {
            "right": 0.6,
            "sentences": 50,
            "kinds": {"price": {"sentences": 20, "right": 0.625}, "date": {"sentences": 30, "right": 1.0}},
            "failures": [["price", "It costs £3.", "Ça coûte 3."]],
        },
    }
    cards.record(folder, checkpoint.load(folder).meta, later)

    loaded = checkpoint.load(folder)
    assert loaded.meta == {"source": "en", "target": "fr", **later}
    after = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    assert {k: v for k, v in after.items() if k != "meta"} == {k: v for k, v in before.items() if k != "meta"}
    assert (folder / WEIGHTS).read_bytes() == weights
    card = (folder / CARD).read_text(encoding="utf-8")
    assert card.startswith("# A card\n\n- Data: ours.\n\n## Limits\n\nMany.\n\n## Scores\n")
    assert card.count("## Scores") == 1 and "BLEU 50.0 (`a|b`)" in card and "41.3" not in card
    assert "| 1-5 | 100 | 1.0 (1.0 to 1.0) |" in card and "name 30% of 10" in card
    assert "- name: `I am Zoe.` became `Je suis Zo.`" in card and "- price: `It costs £3.` became `Ça" in card
    assert "as they should: price 62% of 20, date 100% of 30." in card
    assert "Alignment error rate 0.234 on 60 sentence pairs, layer 2, head 1, at the decoder's input" in card
    assert "Alignment error rate 0.346 on 1,000 sentence pairs of the grammar, whose links are exact, layer 2" in card
    assert "| layer | head | by hand, output | by hand, input | grammar, output | grammar, input |\n|---" in card
    assert "| 2 | 1 |  | 0.234 | 0.500 | 0.346 |\n| all | all |  |  | 0.750 |  |\n" in card
    assert not list(folder.glob(".*"))


def test_scores_of_another_model_are_not_recorded(folder: Path) -> None:
    before = (folder / CONFIG).read_bytes()
    with pytest.raises(CheckpointError, match="has changed since"):
        cards.record(folder, {"source": "en", "target": "de"}, {"scores": SCORES})
    assert (folder / CONFIG).read_bytes() == before


def test_a_command_is_recorded_without_this_machines_folders() -> None:
    assert cards.typed_command(["train", "--pairs", "/somewhere/else/a b.tsv", "--out=/x/y"]) == (
        "python -m nmtcore train --pairs 'a b.tsv' --out=y"
    )
    inside = str(Path.cwd() / "pretrained" / "en-fr")
    assert cards.typed_command(["train", "--out", inside]).endswith("--out pretrained/en-fr")


def test_a_card_says_whether_the_library_was_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = tmp_path / "nmtcore"
    library.mkdir()
    for file in (library / "cards.py", tmp_path / "model"):
        file.write_text("a")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=us", "-c", "user.email=us@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*git, *command], check=True)
    monkeypatch.setattr(cards, "__file__", str(library / "cards.py"))
    (tmp_path / "model").write_text("a model that a training ships")
    assert re.fullmatch(r", with the library at commit [0-9a-f]+", cards.commit())
    (library / "cards.py").write_text("b")
    assert cards.commit().endswith(" and changes that were not committed")
    monkeypatch.setattr(cards, "__file__", "/cards.py")
    assert cards.commit() == ""
