"""The words as vectors, on each page of one model, folded until asked for; and links to any piece's nearest ones."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis.embeddings import (
    Analogy,
    EmbeddingTable,
    embedding_tables,
    principal_plane,
    score_analogies,
    solve_analogy,
    whole_analogies,
    word_vector,
)
from nmtcore.config import DecodingConfig
from nmtcore.models import checkpoint
from nmtcore.text.vocabulary import EOS, is_byte
from nmtcore.text.words import piece_name
from pages.common import embeddings, neighbors
from pages.common.question import Question
from pages.common.registry import PAGES, entry
from pages.common.vectors import VECTORS
from tests.helpers import translate
from tests.pages.helpers import component_data, components, opened, press, rebuild, said

MODELS = {"no_attention": "none", "additive": "additive", "dot": "dot", "transformer": "transformer", "beam": "dot"}
TEXT = "a red cat"


def picture(at: AppTest) -> dict[str, Any]:
    return component_data(at, "embeddings")


def is_open(at: AppTest) -> bool:
    return bool(components(at, "embeddings"))


def shown(at: AppTest) -> dict[str, Any]:
    """The picture's data for the picked row, and the plane that it is in, as the browser finds both."""
    record = picture(at)
    side, position = record["picked"]["side"], record["picked"]["position"]
    found = record["other"] if position is None else record["sides"][side]
    return {**found, "row": found["rows"][str(found["id"] if position is None else found["ids"][position])]}


@pytest.mark.parametrize("page", MODELS)
def test_the_bars_are_of_the_rows_that_are_nearest_in_the_models_table(model_directory: Path, page: str) -> None:
    at = opened(page, text=TEXT, **({"model": MODELS[page]} if page == "beam" else {}))
    assert not is_open(at)
    press(at, "vectors")
    assert "".join(at.query_params["vectors"]).startswith("s")
    loaded = checkpoint.load(model_directory / "en-fr" / MODELS[page])
    table, source = embedding_tables(loaded)["source"], picture(at)["sides"]["s"]
    assert source["ids"] == [*loaded.vocab.encode(TEXT), EOS]
    for index in source["ids"]:
        bars(source["rows"][str(index)]["nearest"], table, index)
    press(at, "vectors")
    assert not is_open(at) and "vectors" not in at.query_params


def bars(found: list[list[Any]], table: EmbeddingTable, index: int) -> None:
    """Assert that they are the neighbours of this row."""
    expected = table.nearest(table.rows[index], without=(index,), count=8)
    assert [other for _, other, _ in found] == [neighbor.id for neighbor in expected]
    for (piece, other, cosine), neighbor in zip(found, expected, strict=True):
        assert piece == piece_name(table.vocab.token(other)) and cosine == pytest.approx(neighbor.cosine, abs=1e-3)


@pytest.mark.parametrize("tied", [True, False])
def test_the_plane_has_each_piece_of_its_table_once(own_model_directory: Path, tied: bool) -> None:
    folder = own_model_directory / "en-fr" / "transformer"
    loaded = checkpoint.load(folder) if tied else rebuild(folder, tied=False)
    at = opened("transformer", text="a cat a cat", vectors="t1", beam="2")
    trace = translate(loaded, "a cat a cat", DecodingConfig(2))
    source, target = [*loaded.vocab.encode("a cat a cat"), EOS], list(trace.ids)
    own = dict.fromkeys([*source, *target] if tied else target)
    plane = shown(at)["plane"]
    assert plane["ids"] == list(own)
    assert picture(at)["shared"] == tied
    expected = principal_plane(embedding_tables(loaded)["target"].rows[list(own)])
    assert plane["shares"] == pytest.approx(expected.shares, abs=1e-4)
    np.testing.assert_allclose(plane["points"], expected.points, atol=1e-3)
    groups = dict(zip(plane["ids"], plane["groups"], strict=True))
    both = {i: int(i in target) if (i in target) != (i in source) else 2 for i in own}
    assert groups == (both if tied else dict.fromkeys(own, 1))


def test_a_minus_b_plus_c_is_the_links_and_leaves_its_words_out(model_directory: Path) -> None:
    address = {"word-a": "cat", "word-b": "dog", "word-c": "a"}
    at = opened("transformer", text=TEXT, vectors="t0", **address)
    assert [at.text_input(key=name).value for name in address] == ["cat", "dog", "a"]
    table = embedding_tables(checkpoint.load(model_directory / "en-fr" / "transformer"))["target"]
    expected = solve_analogy(table, *(word_vector(table, word) for word in address.values()))
    assert [index for _, index, _ in component_data(at, "nearest")["nearest"]] == [found.id for found in expected]
    assert any("“cat” is not one piece here: the mean of its" in text for text in said(at))
    at.text_input(key="word-b").set_value("").run()
    assert any("one word in each" in text for text in said(at)) and is_open(at)
    at.text_input(key="word-b").set_value("<b>ж</b>").run()
    assert any("no pieces for all characters" in text for text in said(at))


def test_how_often_it_works_is_counted_on_this_table(
    own_model_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = (Analogy("form", "un", "a", "do", "ma"), Analogy("meaning", "do", "un", "a", "s"))
    monkeypatch.setattr(embeddings, "read_analogies", lambda pair: asked if pair == "en-fr" else ())
    at = opened("dot", text=TEXT, vectors="s0")
    words = "\n".join(m.value for m in at.markdown)
    model_table = embedding_tables(checkpoint.load(own_model_directory / "en-fr" / "dot"))["source"]
    scores = score_analogies(model_table, whole_analogies(model_table, asked))
    total = sum(score.asked for score in scores.values())
    assert total >= 1 and f"all {total} analogies" in words
    assert [at.text_input(key=f"word-{box}").value for box in "abc"][0] in ("un", "do")
    for kind, score in scores.items():
        name = {"form": "forms of a word", "meaning": "meaning"}[kind]
        assert any(name in line and f"first in {score.first} of {score.asked}" in line for line in words.splitlines())


def test_a_pair_without_a_list_says_so_and_opens_with_empty_boxes(
    own_model_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embeddings, "read_analogies", lambda pair: ())
    at = opened("additive", text=TEXT, vectors="s0")
    assert any("has not been measured for this model" in m.value for m in at.markdown)
    assert [at.text_input(key=f"word-{box}").value for box in "abc"] == ["", "", ""]
    assert any("one word in each" in text for text in said(at))


@pytest.mark.parametrize(
    ("asked", "open_"),
    [("s999", True), ("t.9999999", True), ("s1<b>", False)],
)
def test_a_link_to_a_piece_that_is_not_there_is_said(model_directory: Path, asked: str, open_: bool) -> None:
    at = opened("no_attention", text=TEXT, vectors=asked)
    assert any("a piece that is in neither these sentences nor the vocabulary" in text for text in said(at))
    assert is_open(at) == open_


@pytest.mark.parametrize("side", ["source", "target"])
def test_a_piece_that_stands_in_neither_sentence_has_its_neighbours_too(own_model_directory: Path, side: str) -> None:
    loaded, text = rebuild(own_model_directory / "en-fr" / "transformer", tied=False), "a cat a cat"
    trace = translate(loaded, text, DecodingConfig(2))
    pieces = {"source": [*loaded.vocab.encode(text), EOS], "target": list(trace.ids)}
    vocab = loaded.vocab
    other = next(i for i in range(len(vocab) - 1, 4, -1) if i not in pieces[side] and not is_byte(vocab.token(i)))
    at = opened("transformer", text=text, beam="2", vectors=f"{side[0]}.{other}")
    found = shown(at)
    assert picture(at)["picked"] == {"side": side[0], "position": None} and found["id"] == other
    bars(found["row"]["nearest"], embedding_tables(loaded)[side], other)  # type: ignore[index]
    assert found["plane"]["ids"] == [*dict.fromkeys(pieces[side]), other]
    elsewhere = other in {*pieces["source"], *pieces["target"]}
    assert (found["plane"]["groups"][-1] == 3) != elsewhere
    usual = picture(at)["sides"][side[0]]["plane"]
    assert usual["ids"] == [*dict.fromkeys(pieces[side])], "without it, once another is picked"


def test_a_sentence_that_was_typed_after_the_link_lets_its_piece_go_in_silence(model_directory: Path) -> None:
    at = opened("dot", text="a red cat a red cat", vectors="s7")
    assert picture(at)["picked"] == {"side": "s", "position": 7}
    at.text_input(key="text").set_value("a cat").run()
    assert picture(at)["picked"]["position"] < 7 and not any("in neither these sentences" in text for text in said(at))


def test_a_row_is_picked_where_its_piece_stands_or_was_asked_for(model_directory: Path) -> None:
    trace = translate(checkpoint.load(model_directory / "en-fr" / "dot"), TEXT, DecodingConfig(5))
    last = trace.ids[-1]
    found = picture(opened("beam", text=TEXT, model="dot", vectors=f"t.{last}"))
    assert (found["picked"], found["other"]) == ({"side": "t", "position": trace.ids.index(last)}, None)
    assert picture(opened("dot", text="a a a a a", vectors="s2"))["picked"] == {"side": "s", "position": 2}


@pytest.mark.parametrize("piece", ["t1", "s0", "t.7"])
def test_a_piece_that_the_layer_pane_asks_for_opens_the_section(model_directory: Path, piece: str) -> None:
    at = opened("transformer", text=TEXT, pane="layer")
    declared = component_data(at, "residual_stream")["link"]["vectors"]
    assert declared["runs"] and declared["now"] is None and not components(at, "embeddings")
    at.query_params["vectors"] = piece
    at.run()
    assert components(at, "embeddings") and components(at, "scroll_here") == [{"links": False}]
    assert component_data(at, "residual_stream")["link"]["vectors"]["now"] == piece


def test_a_column_names_the_page_of_its_model_with_the_same_question(model_directory: Path) -> None:
    for panel in component_data(opened("architectures", text=TEXT, beam="3"), "alignment")["panels"]:
        address = urlsplit(panel["neighbors"])
        (name,) = (page.name for page in PAGES if page.address == address.path)
        assert VECTORS in entry(name).state.parameters().values()
        assert parse_qs(address.query) == {"pair": ["en-fr"], "text": [TEXT], "beam": ["3"]}
        own = opened(name, **{key: value for key, (value,) in parse_qs(address.query).items()}, vectors="s1")
        assert components(own, "embeddings")


@pytest.mark.parametrize("architecture", ["convolutional", "deep-lstm", "copying"])
def test_an_architecture_without_a_page_has_its_vectors_beside_its_search(
    model_directory: Path, architecture: str
) -> None:
    address = neighbors.neighbors_address(Question("en-fr", TEXT, 3), f"en-fr/{architecture}")
    assert address is not None
    page, __, query = address.partition("?")
    asked = dict(parse_qsl(query))
    assert (page, asked) == (entry("beam").address, {"pair": "en-fr", "text": TEXT, "beam": "3", "model": architecture})
    at = opened("beam", **asked, vectors="s1")
    assert components(at, "embeddings") and component_data(at, "beam_tree")["width"] == 3


def test_a_model_that_writes_all_words_at_once_has_no_such_link() -> None:
    assert neighbors.neighbors_address(Question("en-fr", TEXT, 3), "en-fr/mask-predict") is None


@pytest.mark.parametrize(
    ("page", "asked", "stays"), [("beam", "t.20", False), ("dot", "s.20", False), ("dot", "s1", True)]
)
def test_another_vocabulary_has_other_pieces_in_its_rows(
    model_directory: Path, page: str, asked: str, stays: bool
) -> None:
    at = opened(page, text=TEXT, vectors=asked)
    assert components(at, "embeddings")
    at.selectbox(key="pair").set_value("zh-en").run()
    assert ("vectors" in at.query_params) == bool(components(at, "embeddings")) == stays


def test_the_heads_ask_on_their_own_page(model_directory: Path) -> None:
    assert component_data(opened("transformer", text=TEXT), "heads")["heads"]["neighbors"] == ""
