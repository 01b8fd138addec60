"""The dot page with tiny models: the six steps, the other scores beside them, and what scaling does."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis.general_score import head_score
from nmtcore.config import DecodingConfig
from nmtcore.intervention import Intervention
from nmtcore.models import checkpoint
from nmtcore.models.scores import SCORES
from nmtcore.text.vocabulary import Vocab
from tests.helpers import SENTENCES, rounding, small, translate
from tests.pages.helpers import opened, press, rebuild, said, saved_figures
from tests.pages.test_additive import bent, drawn, walked

TEXT = "a big cat"
PAGE = f"dot?text={TEXT}"
OF_ITS_STATES = sum(not score.matrices for score in SCORES.values())  # these scores need no other model


def test_input_feeding_and_merged_directions_are_in_the_formulas(page: AppTest, own_model_directory: Path) -> None:
    rebuild(own_model_directory / "en-fr" / "dot", input_feeding=True, merge="mean")
    data = drawn(page.run())
    walked(data)
    assert "[e(y<sub>j−1</sub>); h̃<sub>j−1</sub>]" in data["formulas"][5]
    assert data["formulas"][0].endswith(") / 2")
    assert "input feeding" in " ".join(block.value for block in page.markdown)


def test_local_attention_is_refused_in_a_sentence(page: AppTest, own_model_directory: Path) -> None:
    rebuild(own_model_directory / "en-fr" / "dot", locality="monotonic", window=2)
    page.run()
    assert not page.exception and "local attention, which looks only at a window" in " ".join(said(page))


def test_the_other_scores_and_their_variance_are_of_the_same_states(page: AppTest, model_directory: Path) -> None:
    data = drawn(page.run())
    dot, scaled, cosine, *_others, additive = data["lab"]["columns"]
    model = checkpoint.load(model_directory / "en-fr" / "dot")
    trace = translate(model, TEXT, DecodingConfig(5))
    exact = rounding(model.model, np.abs(data["scores"]).max())
    h = trace.inner["states"][0]
    for j, s in enumerate(trace.inner["query"][:, 0]):
        np.testing.assert_allclose(dot["scores"][j], data["scores"][j], rtol=0, atol=exact)
        np.testing.assert_allclose(np.array(scaled["scores"][j]) * 18**0.5, dot["scores"][j], rtol=0, atol=exact)
        np.testing.assert_allclose(cosine["scores"][j], SCORES["cosine"].recompute(s, h), atol=1e-5)
    assert (dot["note"], scaled["note"]) == ("this model's own", "from the same s and h")
    assert "scores" not in additive and additive["hue"] == "#E69F00"
    root = data["lab"]["root"]
    assert root["d"] == root["sizes"][-1] == 18 and root["sizes"][0] == 1
    assert len(root["sizes"]) == len(root["matched"]) == len(root["shuffled"])
    assert root["measured"] == pytest.approx(np.array(data["scores"])[:40, :40].var(), rel=1e-3)
    assert data["lab"]["root_d"] == pytest.approx(18**0.5)


@pytest.mark.parametrize("beam", [1, 4])
def test_the_additive_model_writes_the_same_words(page: AppTest, model_directory: Path, beam: int) -> None:
    page.run()
    data = drawn(page.slider(key="beam").set_value(beam).run())
    other = checkpoint.load(model_directory / "en-fr" / "additive")
    expected = translate(other, TEXT, DecodingConfig(1), Intervention.prefix(data["taken"]))
    assert list(expected.target) == data["target"]
    cross = expected.known_attention("cross")
    np.testing.assert_allclose(data["lab"]["columns"][-1]["weights"], cross.weights[0, 0], rtol=1e-5, atol=1e-7)
    assert "same vocabulary" in data["lab"]["notes"][0]


def test_another_vocabulary_is_not_compared(page: AppTest, own_model_directory: Path) -> None:
    other = small("additive", Vocab.train(SENTENCES[:2] * 5, 40))
    folder = own_model_directory / "en-fr" / "additive"
    shutil.rmtree(folder)
    checkpoint.save(folder, other.model, other.vocab, other.meta)
    data = drawn(page.run())
    assert len(data["lab"]["columns"]) == OF_ITS_STATES and "splits words differently" in data["lab"]["notes"][0]


def test_without_an_additive_model_the_page_goes_on(page: AppTest, own_model_directory: Path) -> None:
    shutil.rmtree(own_model_directory / "en-fr" / "additive")
    data = drawn(page.run())
    assert len(data["lab"]["columns"]) == OF_ITS_STATES
    assert "cannot be shown" in data["lab"]["notes"][0] and "additive" in data["lab"]["notes"][0]
    walked(data)


def test_independent_components_have_the_variance_d() -> None:
    from pages.attention.score_comparison import _growth, _unit

    random = np.random.default_rng(3)
    q, k = _unit(random.normal(2, 3, (400, 64))), _unit(random.normal(-1, 0.5, (400, 64)))
    np.testing.assert_allclose(_growth(q, k, np.array([1, 16, 64])), [1, 16, 64], rtol=0.1)


def test_a_bent_step_is_compared_too(page: AppTest) -> None:
    data = bent(page, "2.s1")
    walked(data)
    assert len(data["lab"]["columns"][-1]["weights"]) == len(data["target"])
    assert data["lab"]["columns"][-1]["weights"][1] != data["weights"][1]


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
