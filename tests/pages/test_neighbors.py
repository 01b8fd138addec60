"""The way from any piece to its nearest ones: on its own page, from a pane, and to the page of the model."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from pages.common import neighbors
from pages.common.link_parameters import PARAMETERS, VECTORS
from tests.pages.helpers import component_data, components, opened, saved_figures

TEXT = "a red cat"


@pytest.mark.parametrize(("piece", "name"), [("t1", ""), ("s0", "a")])
def test_the_layer_pane_opens_the_section_with_its_piece(shelf: Path, piece: str, name: str) -> None:
    at = opened("transformer", text=TEXT, pane="layer", piece=piece)
    assert "nearest" not in saved_figures(at)
    button = at.button(key="layer neighbors")
    assert button.label.startswith(f"neighbours of “{name}")
    button.click().run()
    assert "".join(at.query_params["vectors"]) == piece
    assert "nearest" in saved_figures(at)
    assert component_data(at, "scroll_here")["asked"] == 1
    at.run()
    assert component_data(at, "scroll_here")["asked"] == 0, "scrolled to once"


@pytest.mark.parametrize(
    ("page", "link"), [("translate", "alignment"), ("architectures", "alignment")], ids=["translate", "architectures"]
)
def test_a_column_names_the_page_of_its_model_with_the_same_question(shelf: Path, page: str, link: str) -> None:
    at = opened(page, text=TEXT, beam="3")
    for panel in components(at, link)[0]["panels"]:
        address = urlsplit(panel["neighbors"])
        assert VECTORS in PARAMETERS[address.path]
        assert parse_qs(address.query) == {"pair": ["en-fr"], "text": [TEXT], "beam": ["3"]}
        own = opened(address.path, **{name: value for name, (value,) in parse_qs(address.query).items()}, vectors="s1")
        assert "nearest" in saved_figures(own)


def test_an_architecture_without_a_page_has_no_such_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbors.models, "architecture", lambda model: "convolutional")
    assert neighbors.neighbors_address(None, "en-fr/convolutional") is None  # type: ignore[arg-type]


def test_the_heads_ask_on_their_own_page(shelf: Path) -> None:
    assert component_data(opened("transformer", text=TEXT), "heads")["heads"]["neighbors"] == ""
