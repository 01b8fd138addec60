"""The general score on the Dot page: the W of a Transformer's head, or that of a model which has its own."""

import shutil
from pathlib import Path

import numpy as np

from nmtcore.analysis.general_score import head_score
from nmtcore.config import DecodingConfig
from nmtcore.models import checkpoint
from tests.helpers import translate
from tests.pages.helpers import opened, press, rebuild, said, saved_figures


def test_it_shows_the_matrix_of_the_transformers_head(model_directory: Path) -> None:
    at = opened("dot", text="a red cat", beam="2")
    assert "general-w" not in saved_figures(at)
    press(at, "general score")
    figures = saved_figures(at)
    assert "".join(at.query_params["general"]) == "shown"
    loaded = checkpoint.load(model_directory / "en-fr" / "transformer")
    found = head_score(loaded, translate(loaded, "a red cat", DecodingConfig(2)), 2, 0)
    shown = np.array([[float(x) for x in row] for row in figures["general-w"]["rows"][1:]])
    np.testing.assert_allclose(shown, found.W[:16, :16], rtol=1e-2, atol=1e-3)
    scores = np.array([[float(x) for x in row[1:]] for row in figures["general-scores"]["rows"][1:]])
    np.testing.assert_allclose(scores, found.scores, rtol=1e-2, atol=1e-3)
    words = "\n".join(m.value for m in at.markdown)
    assert "layer 3, head 1" in words and f"the rank is {found.rank}" in words
    press(at, "general score")
    assert "general-w" not in saved_figures(at)


def test_a_model_with_the_general_score_shows_its_own(own_model_directory: Path) -> None:
    model = rebuild(own_model_directory / "en-fr" / "dot", attention="general").model
    shutil.rmtree(own_model_directory / "en-fr" / "transformer")
    at = opened("dot", text="a red cat", general="shown")
    shown = [[float(x) for x in row] for row in saved_figures(at)["general-w"]["rows"][1:]]
    np.testing.assert_allclose(shown, model.state_dict()["score.W.weight"], rtol=1e-2, atol=1e-3)
    assert any("This model's own W" in m.value for m in at.markdown)


def test_without_a_transformer_it_is_said(own_model_directory: Path) -> None:
    shutil.rmtree(own_model_directory / "en-fr" / "transformer")
    assert any("transformer" in text for text in said(opened("dot", text="a red cat", general="shown")))
