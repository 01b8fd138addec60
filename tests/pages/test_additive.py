"""The additive page with tiny models: every step of every word, bends, and sentences about impossible requests."""

import __future__

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis import arithmetic
from nmtcore.config import DecodingConfig
from nmtcore.models import checkpoint
from nmtcore.models.scores import SCORES
from pages.attention.override import AttentionOverride
from pages.attention.state import AdditiveState
from pages.common.examples import example_sentences
from tests.helpers import translate
from tests.pages.helpers import component_data, opened, said

TEXT = "a big cat"
PAGE = f"additive?text={TEXT}"


def drawn(at: AppTest) -> dict[str, Any]:
    """The walkthrough's data."""
    return component_data(at, "walkthrough")


def walked(data: dict[str, Any]) -> None:
    """Every number of every step, as the browser will show it. tests/analysis compares them with NumPy."""
    S, T = len(data["source"]), len(data["target"])
    states, scores, weights = (np.array(data[name]) for name in ("states", "scores", "weights"))
    assert states.shape == (S, 16) and scores.shape == weights.shape == (T, S)
    bent = data["override"]["step"] if data["override"] else None
    for j in range(T):
        raised = np.exp(scores[j] - scores[j].max())
        if j != bent:
            np.testing.assert_allclose(weights[j], raised / raised.sum(), atol=1e-5)
        np.testing.assert_allclose(data["context"][j], weights[j] @ states, atol=1e-5)
        assert all(differences[j] < 1e-5 for differences in data["numpy"]["differences"].values())
        candidates = {token_id: probability for _, probability, token_id in data["candidates"][j]}
        assert candidates[data["taken"][j]] == pytest.approx(data["probabilities"][j])
        assert data["normalizers"][j] > np.log(data["probabilities"][j])
    assert len(data["state"]) == len(data["output"]) == T
    assert len(data["formulas"]) == len(data["words"]["says"]["steps"]) == 6


FORMULAS = {  # with the state before the word, or at it
    "additive": ["v · tanh(W s<sub>j−1</sub> + U h<sub>i</sub>)", "[s<sub>j</sub>; C<sub>j</sub>; e(y<sub>j−1</sub>)]"],
    "dot": ["β<sub>ij</sub> = s<sub>j</sub> · h<sub>i</sub>", "[C<sub>j</sub>; s<sub>j</sub>]"],
}


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("pair", ["en-fr", "zh-en"])
def test_every_step_of_every_pair(model_directory: Path, name: str, pair: str) -> None:
    at = opened(name, text=TEXT)
    data = drawn(at.selectbox(key="pair").set_value(pair).run())
    walked(data)
    text = TEXT if pair == "en-fr" else example_sentences(pair)[0].text
    trace = translate(checkpoint.load(model_directory / pair / name), text, DecodingConfig(5))
    for vector in ("state", "output"):
        np.testing.assert_allclose(data[vector], trace.inner[vector][:, 0, :16], rtol=1e-5, atol=1e-6)
    before = name == "additive"
    assert data["asksBefore"] is before and (data["lab"] is None) is before
    assert data["query"][before:] == data["state"][: -1 if before else None]
    assert all(part in formula for part, formula in zip(FORMULAS[name], data["formulas"][1::4], strict=True))
    assert data["title"] == f"{pair}/{name}: {text}"
    assert said(at) == []


def test_the_products_of_a_score_are_its_terms(page: AppTest, model_directory: Path) -> None:
    data = drawn(page.run())
    terms, j, i = data["terms"], 1, 2
    model = checkpoint.load(model_directory / "en-fr" / "additive")
    trace = translate(model, TEXT, DecodingConfig(5))
    weights = model.model.state_dict()
    inside = weights["score.W.weight"].numpy() @ trace.inner["query"][j, 0] + trace.inner["keys"][0, i]
    products = weights["score.v.weight"].numpy()[0] * np.tanh(inside)
    for k in range(2):
        term = terms["v"][k] * np.tanh(terms["left"][j][k] + terms["right"][i][k])
        assert term == pytest.approx(products[k], abs=1e-5)
    assert products.sum() == pytest.approx(data["scores"][j][i], abs=1e-4)


def test_the_code_on_the_page_is_the_code_that_ran(page: AppTest) -> None:
    code = drawn(page.run())["numpy"]["code"]
    functions: dict[str, Any] = {"np": np, "Array": np.ndarray}
    exec(compile(code, "page", "exec", flags=__future__.annotations.compiler_flag), functions)
    s, h = np.arange(3.0), np.arange(12.0).reshape(4, 3) / 7
    weights = {name: np.sin(np.arange(9.0)).reshape(3, 3) for name in "WU"} | {"v": np.ones((1, 3))}
    scores = functions["recompute"](s, h, **weights)
    np.testing.assert_array_equal(scores, SCORES["additive"].recompute(s, h, **weights))
    np.testing.assert_array_equal(functions["softmax"](scores), arithmetic.softmax(scores))
    assert "expectation" in functions


def bent(page: AppTest, code: str) -> dict[str, Any]:
    """The page after a bend, as the component asks for it: by the address."""
    mark = drawn(page.run())["mark"]
    page.query_params["bend"] = f"{code}.{mark}"
    return drawn(page.run())


def test_bending_a_step_decodes_again_from_there(page: AppTest, model_directory: Path) -> None:
    data = bent(page, "3.s2")
    model = checkpoint.load(model_directory / "en-fr" / "additive")
    own = translate(model, TEXT, DecodingConfig(5))
    expected = translate(model, TEXT, DecodingConfig(5), AttentionOverride(2, 1).intervention(own))
    assert data["target"] == list(expected.target) and data["target"][:2] == list(own.target[:2])
    assert data["weights"][2] == [float(i == 1) for i in range(len(own.source))]
    assert (data["override"]["code"], data["override"]["step"], data["override"]["at"]) == ("3.s2", 2, 1)
    assert "".join(text for text, _ in data["override"]["before"]) == own.text
    assert "".join(text for text, _ in data["override"]["after"]) == expected.text
    walked(data)
    del page.query_params["bend"]
    undone = drawn(page.run())
    assert undone["override"] is None and undone["target"] == list(own.target)
    assert undone["mark"] == data["mark"] and undone["id"] != data["id"]


def test_looking_everywhere_alike(page: AppTest) -> None:
    data = bent(page, "2.all")
    S = len(data["source"])
    np.testing.assert_allclose(data["weights"][1], [1 / S] * S, atol=1e-6)
    assert data["override"]["at"] is None
    walked(data)


def test_another_sentence_undoes_the_bend(page: AppTest) -> None:
    assert bent(page, "1.s1")["override"]
    assert drawn(page.text_input(key="text").set_value("a small dog").run())["override"] is None
    assert said(page) == []
    assert drawn(page.text_input(key="text").set_value(TEXT).run())["override"] is None  # undone, not put aside


def test_a_place_and_an_override_go_with_their_question(model_directory: Path) -> None:
    state = AdditiveState.parse({"text": TEXT, "decoder-step": "2.4", "bend": "1.s1.12ab", "lookup": "3", "tau": "0"})
    for values in ({"typed": "a small dog"}, {"beam": 2}, {"choice": "zh-en"}):
        assert set(state.changed(**values).stale(state)) == {"place", "override"}
    assert state.changed(lookup=1, tau="2").stale(state) == ()
