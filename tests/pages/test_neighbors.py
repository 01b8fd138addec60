"""Links from any piece to its nearest ones: on its own page, from a pane, and to the model's page."""

from pathlib import Path
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest

from pages.common import neighbors
from pages.common.question import Question
from pages.common.registry import PAGES, entry
from pages.common.vectors import VECTORS
from tests.pages.helpers import component_data, components, opened

TEXT = "a red cat"


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
