"""A model of the shape of OPUS-MT's, imported from the files of transformers, on every page of the app."""

from pathlib import Path

import pytest

from nmtcore.marian.importing import import_model
from pages.common.registry import PAGES, entry
from tests.marian import foreign
from tests.pages.helpers import component_data, opened, said
from tests.pages.test_every_page import pictures

HEADS = 16
DRAWN = {"translate": "alignment", "transformer": "heads", "positions": "rotation", "beam": "beam_tree"}


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of own models, with one of 6 + 6 layers."""
    root = tmp_path_factory.mktemp("imported")
    heads = {"encoder_attention_heads": HEADS, "decoder_attention_heads": HEADS}
    foreign.hugging_face(root / "theirs", encoder_layers=6, decoder_layers=6, **heads)
    import_model(str(root / "theirs"), root / "own" / "en-de" / "opus")
    return root / "own"


@pytest.fixture(autouse=True)
def own(imported: Path, model_directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALIGNMENT_LAB_MODELS", str(imported))


@pytest.mark.parametrize("page", [page.name for page in PAGES])
def test_every_page_opens(page: str) -> None:
    at = opened(page, pair="own.en-de.opus", text="the old dog", beam="2")
    said(at)
    if page in DRAWN:
        assert DRAWN[page] in pictures(at) and str(at.selectbox(key="pair").value).startswith("own/")
    elif entry(page).offers:
        assert at.main.children, "it says what it needs, or shows a model that ships"


@pytest.mark.parametrize("pane", ["grid", "head", "compare", "cell", "layer", "batch"])
def test_every_pane_of_the_transformer_opens(pane: str) -> None:
    at = opened("transformer", pair="own.en-de.opus", text="the old dog", beam="2", pane=pane)
    said(at)
    if pane == "grid":
        kinds = component_data(at, "heads")["heads"]["maps"].values()
        assert {(one["layers"], one["heads"]) for one in kinds} == {(6, HEADS)}
