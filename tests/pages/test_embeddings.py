"""The words as vectors, on each page of one model: folded until asked for, and its numbers are the table's."""

from __future__ import annotations

import base64
import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from nmtcore.analysis.embeddings import Analogy, embedding_tables, score_analogies, whole_analogies
from nmtcore.config import DecodingConfig
from nmtcore.decoding import decode
from nmtcore.models import checkpoint
from nmtcore.text.vocabulary import EOS, is_byte
from pages.common import embeddings
from tests.pages.helpers import opened, said, saved_figures

PAGES = {"no_attention": "none", "additive": "additive", "dot": "dot", "transformer": "transformer", "beam": "dot"}
TEXT = "a red cat"


def rows(shelf: Path, page: str) -> tuple[np.ndarray, checkpoint.Checkpoint]:
    """The model's own embedding matrix, as it lies on the disk."""
    loaded = checkpoint.load(shelf / "en-fr" / PAGES[page])
    return loaded.model.state_dict()["embed.weight"].float().numpy(), loaded


def table(at: AppTest, key: str) -> list[list[str]]:
    return list(saved_figures(at)[key]["rows"][1:])


def bars(at: AppTest, alt: str) -> list[float]:
    """The lengths of the bars of the figure whose title begins so."""
    (chart,) = [c for c in at.get("plotly_chart") if c.proto.alt.startswith(alt)]
    x = json.loads(chart.proto.spec)["data"][0]["x"]
    return list(np.frombuffer(base64.b64decode(x["bdata"]), x["dtype"])) if isinstance(x, dict) else x


@pytest.mark.parametrize("page", PAGES)
def test_the_bars_are_the_cosines_of_the_models_rows(shelf: Path, page: str) -> None:
    at = opened(page, text=TEXT, **({"model": PAGES[page]} if page == "beam" else {}))
    assert "nearest" not in saved_figures(at)
    at.button(key="vectors").click().run()
    assert "".join(at.query_params["vectors"]).startswith("s")
    last = len(at.button_group(key="vectors piece s").options) - 1
    at.button_group(key="vectors piece s").set_value(last).run()
    assert "".join(at.query_params["vectors"]) == f"s{last}"
    matrix, loaded = rows(shelf, page)
    for (piece, index, cosine), bar in zip(table(at, "nearest"), bars(at, "Nearest pieces to <eos>"), strict=True):
        mine, other = matrix[EOS], matrix[int(index)]
        expected = float(mine @ other) / float(np.linalg.norm(mine) * np.linalg.norm(other))
        assert loaded.vocab.token(int(index)) == piece
        assert float(cosine) == pytest.approx(expected, abs=1e-3) and bar == pytest.approx(expected, abs=1e-5)
    at.button(key="vectors").click().run()
    assert "nearest" not in saved_figures(at) and "vectors" not in at.query_params


@pytest.mark.parametrize("tied", [True, False])
def test_the_plane_has_each_piece_of_its_table_once(own_shelf: Path, tied: bool) -> None:
    loaded = checkpoint.load(own_shelf / "en-fr" / "transformer")
    if not tied:
        torch.manual_seed(3)
        config = dataclasses.replace(loaded.config, tied=False)  # type: ignore[call-arg]
        loaded = dataclasses.replace(loaded, model=checkpoint.build(config).eval())
        checkpoint.save(own_shelf / "en-fr" / "transformer", loaded.model, loaded.vocab, loaded.meta)
    at = opened("transformer", text="a cat a cat", vectors="t1", beam="2")
    trace = decode.translate(loaded, "a cat a cat", DecodingConfig(2))
    source, target = [*loaded.vocab.encode("a cat a cat"), EOS], list(trace.ids)
    own = dict.fromkeys([*source, *target] if tied else target)
    found = table(at, "plane")
    assert [int(row[1]) for row in found] == list(own)
    words = "\n".join(m.value for m in at.markdown)
    assert ("share one table" in words, "tables of their own" in words) == (tied, not tied)
    matrix = loaded.model.state_dict()["embed.weight" if tied else "embed_target.weight"].float().numpy()
    vectors = np.stack([matrix[i] / np.linalg.norm(matrix[i]) for i in own])
    spread = vectors - vectors.mean(0)
    variances = np.linalg.eigvalsh(spread.T @ spread)[::-1]
    assert "They hold **{:.0%} and {:.0%}**".format(*(variances / variances.sum())[:2]) in words
    points = np.array([[float(x) for x in row[2:]] for row in found])
    np.testing.assert_allclose((points**2).sum(0), variances[:2], rtol=1e-2)


def test_a_minus_b_plus_c_is_the_links_and_leaves_its_words_out(shelf: Path) -> None:
    address = {"word-a": "cat", "word-b": "dog", "word-c": "a"}
    at = opened("transformer", text=TEXT, vectors="t0", **address)
    assert [at.text_input(key=name).value for name in address] == ["cat", "dog", "a"]
    matrix, loaded = rows(shelf, "transformer")
    unit = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    words = []
    for word in address.values():
        pieces = [i for i in loaded.vocab.encode(word) if loaded.vocab.token(i) != "\u2581"]
        mean = sum(unit[i] for i in pieces) / len(pieces)
        words.append((pieces, mean / np.linalg.norm(mean)))
    (a_ids, a), (b_ids, b), (c_ids, c) = words
    target = a - b + c
    given = {*a_ids, *b_ids, *c_ids, 0, 1, 2}
    expected = sorted(set(range(len(unit))) - given, key=lambda i: -float(unit[i] @ target))[:5]
    assert [int(row[1]) for row in table(at, "analogy")] == expected
    assert any("“cat” is not one piece here: the mean of its" in text for text in said(at))
    at.text_input(key="word-b").set_value("").run()
    assert any("one word in each" in text for text in said(at)) and "nearest" in saved_figures(at)
    at.text_input(key="word-b").set_value("<b>ж</b>").run()
    assert any("no pieces for all characters" in text for text in said(at))


def test_how_often_it_works_is_counted_on_this_table(own_shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = (Analogy("form", "un", "a", "do", "ma"), Analogy("meaning", "do", "un", "a", "s"))
    monkeypatch.setattr(embeddings, "read_analogies", lambda pair: asked if pair == "en-fr" else ())
    at = opened("dot", text=TEXT, vectors="s0")
    words = "\n".join(m.value for m in at.markdown)
    model_table = embedding_tables(rows(own_shelf, "dot")[1])["source"]
    scores = score_analogies(model_table, whole_analogies(model_table, asked))
    total = sum(score.asked for score in scores.values())
    assert total >= 1 and f"all {total} analogies" in words
    assert [at.text_input(key=f"word-{box}").value for box in "abc"][0] in ("un", "do")
    for kind, score in scores.items():
        name = {"form": "forms of a word", "meaning": "meaning"}[kind]
        assert any(name in line and f"first in {score.first} of {score.asked}" in line for line in words.splitlines())


def test_a_pair_without_a_list_says_so_and_opens_with_empty_boxes(
    own_shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embeddings, "read_analogies", lambda pair: ())
    at = opened("additive", text=TEXT, vectors="s0")
    assert any("is not measured for this model" in m.value for m in at.markdown)
    assert [at.text_input(key=f"word-{box}").value for box in "abc"] == ["", "", ""]
    assert any("one word in each" in text for text in said(at))


@pytest.mark.parametrize(
    ("asked", "open_"),
    [("s999", True), ("t77", True), ("t.9999999", True), ("x1", False), ("s1<b>", False), ("t.", False)],
)
def test_a_link_to_a_piece_that_is_not_there_is_said(shelf: Path, asked: str, open_: bool) -> None:
    at = opened("no_attention", text=TEXT, vectors=asked)
    assert any("a piece that is in neither these sentences nor the vocabulary" in text for text in said(at))
    assert ("nearest" in saved_figures(at)) == open_


@pytest.mark.parametrize("side", ["source", "target"])
def test_a_piece_that_stands_in_neither_sentence_has_its_neighbours_too(own_shelf: Path, side: str) -> None:
    loaded = checkpoint.load(own_shelf / "en-fr" / "transformer")
    torch.manual_seed(3)
    config = dataclasses.replace(loaded.config, tied=False)  # type: ignore[call-arg]
    loaded = dataclasses.replace(loaded, model=checkpoint.build(config).eval())
    checkpoint.save(own_shelf / "en-fr" / "transformer", loaded.model, loaded.vocab, loaded.meta)
    text = "a cat a cat"
    trace = decode.translate(loaded, text, DecodingConfig(2))
    pieces = {"source": [*loaded.vocab.encode(text), EOS], "target": list(trace.ids)}
    vocab = loaded.vocab
    other = next(i for i in range(len(vocab) - 1, 4, -1) if i not in pieces[side] and not is_byte(vocab.token(i)))
    at = opened("transformer", text=text, beam="2", vectors=f"{side[0]}.{other}")
    weight = loaded.model.state_dict()["embed.weight" if side == "source" else "embed_target.weight"].float().numpy()
    unit = weight / np.linalg.norm(weight, axis=1, keepdims=True)
    for piece, index, cosine in table(at, "nearest"):
        assert (piece, float(cosine)) == (
            vocab.token(int(index)),
            pytest.approx(unit[other] @ unit[int(index)], abs=1e-3),
        )
    assert [int(row[1]) for row in table(at, "plane")] == [*dict.fromkeys(pieces[side]), other]
    (plane,) = [c for c in at.get("plotly_chart") if c.proto.alt.startswith("Embeddings on two")]
    symbols = {trace["name"]: trace["marker"]["symbol"] for trace in json.loads(plane.proto.spec)["data"][1:]}
    elsewhere = other in {*pieces["source"], *pieces["target"]}
    assert ("in neither" in symbols) != elsewhere and len({*symbols.values()}) == len(symbols)
    assert [at.button_group(key=f"vectors piece {letter}").value for letter in "st"] == [None, None]
    at.button_group(key="vectors piece s").set_value(1).run()
    assert "".join(at.query_params["vectors"]) == "s1"


def test_a_row_whose_piece_stands_in_the_translation_marks_its_chip(shelf: Path) -> None:
    trace = decode.translate(rows(shelf, "beam")[1], TEXT, DecodingConfig(5))
    last = trace.ids[-1]
    at = opened("beam", text=TEXT, model="dot", vectors=f"t.{last}")
    assert at.button_group(key="vectors piece t").value == trace.ids.index(last)
    assert at.button_group(key="vectors piece s").value is None
