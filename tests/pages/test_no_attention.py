"""The No attention page with tiny models: it opens, steps, grows, and says in a sentence what it cannot do."""

import base64
import csv
import html
import io
import math
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmtcore import limits
from nmtcore.config import DecodingConfig
from nmtcore.text.source import read_source
from pages.common import models
from pages.no_attention import forgetting, length_effect
from pages.no_attention.forgetting import LENGTHS
from pages.no_attention.length_effect import extra_clauses, lengthened
from pages.no_attention.state import NoAttentionState
from tests.pages.helpers import add_meta, components, press, rebuild, saved_figures

TEXT = "the small cat sees a red house ."
PAGE = f"no_attention?text={TEXT}&beam=1"
MEASURES = ("kept", "likelihood", "repeated")


def texts(at: AppTest) -> str:
    assert not at.exception, at.exception
    return "\n".join(element.value for element in at.text)


def picture(at: AppTest) -> dict[str, Any]:
    """The data of the one vector's picture; empty if there is none."""
    return next(iter(components(at, "context_vector")), {})


def test_it_opens_with_every_figure(page: AppTest) -> None:
    figures = saved_figures(page.run())
    growth = {f"growth-{measure}" for measure in MEASURES}
    assert {"drops-none", "drops-additive", "swaps"} | growth == set(figures)
    shown = picture(page)
    assert shown["sentence"] == TEXT and shown["source"][-1] == "<eos>"
    assert len(shown["candidates"]) == len(shown["target"]) == len(shown["probabilities"])
    assert figures["drops-none"]["csv"].splitlines()[0] == "word,loss"
    assert len(figures["drops-none"]["csv"].splitlines()) == 1 + len(TEXT.split())
    assert any("A bar to the left of zero" in element.value for element in page.markdown), "losses may be negative"
    swaps_are_said(page, list(csv.DictReader(figures["swaps"]["csv"].splitlines())))
    kept_pieces_are_underlined(page, list(csv.DictReader(io.StringIO(figures["growth-kept"]["csv"]))))


def swaps_are_said(page: AppTest, rows: list[dict[str, str]]) -> None:
    """What C keeps by place: the numbers in the sentence are those of the curves."""
    places = [(row["sentences"], int(row["place"])) for row in rows]
    assert places == [(f"{length} words", place) for length in LENGTHS for place in range(1, length + 1)]
    medians = {place: float(row["median"]) for place, row in zip(places, rows, strict=True)}
    ends = [medians[f"{length} words", place] for length in LENGTHS for place in (1, length)]
    shown = next(element.value for element in page.markdown if "is replaced" in element.value)
    assert all(f"{value:.2f}" in shown for value in ends)
    assert all(float(row["low"]) <= float(row["median"]) <= float(row["high"]) for row in rows)


def kept_pieces_are_underlined(page: AppTest, rows: list[dict[str, str]]) -> None:
    """As the chart counts: the pieces of the first translation, not those of the clauses."""
    lines = [e.proto.body for e in page.get("html") if "border-left" in e.proto.body and " pieces, " in e.proto.body]
    for architecture, line in zip(dict.fromkeys(row["architecture"] for row in rows), lines, strict=True):
        last = [row for row in rows if row["architecture"] == architecture][-1]
        marked = "".join(re.findall(r"<u>(.*?)</u>", line))
        assert bool(marked.strip()) == (float(last["kept"]) > 0)
        shown = re.sub(r"</?u>", "", line.split("anywhere")[1].split(">", 1)[1].split("</div>")[0])
        assert html.unescape(shown).strip() == last["translation"]


def test_a_word_that_a_spreadsheet_would_take_for_a_formula_is_saved_as_a_text(page: AppTest) -> None:
    page.query_params["text"] = "@red cat ."
    (_header, *rows) = csv.reader(io.StringIO(saved_figures(page.run())["drops-none"]["csv"]))
    assert [word for word, _loss in rows] == ["'@", "red", "cat", "."]
    assert all(math.isfinite(float(loss)) for _word, loss in rows), "numbers are left as they are, negative ones too"


def test_mandarin_has_no_words_between_spaces_to_swap(page: AppTest) -> None:
    page.query_params.clear()
    page.query_params["pair"] = "zh-en"
    assert len(saved_figures(page.run())) == 2 + len(MEASURES) and picture(page)
    assert extra_clauses("zh-en")[0][:4] in texts(page)


def test_clauses_make_the_sentence_longer_and_stand_in_the_address(page: AppTest) -> None:
    page.run()
    offered = extra_clauses("en-fr")
    assert lengthened("en-fr", TEXT, offered[:2]) in texts(page)
    page.pills(key="clauses").set_value([offered[3]]).run()
    assert lengthened("en-fr", TEXT, [offered[3]]) in texts(page)
    for measure in MEASURES:
        csv = saved_figures(page)[f"growth-{measure}"]["csv"].splitlines()
        assert len(csv) == 1 + 4 * 2  # four models, with and without the clause
    page.pills(key="clauses").set_value([offered[1], offered[0]]).run()
    assert page.query_params["clauses"] == f"{offered[1]}~{offered[0]}"
    page.pills(key="clauses").set_value([]).run()
    assert page.query_params["clauses"] == "" and page.pills(key="clauses").value == []


def test_a_sentence_grows_before_its_full_stop() -> None:
    assert lengthened("en-fr", "Come in!", ["because it rains", "and snows"]) == "Come in, because it rains, and snows."
    assert lengthened("zh-en", "你好。", ["因为下雨了"]) == "你好，因为下雨了。"
    assert lengthened("en-fr", "As it is", []) == "As it is"


def test_scores_by_length_are_drawn_or_missed_in_a_sentence(page: AppTest, own_model_directory: Path) -> None:
    assert "The cards of these models have no scores by length: No attention" in texts(page.run())
    assert "by-length" not in saved_figures(page)
    scores = {"bleu": 9.5, "bleu_low": 8, "bleu_high": 11, "chrf": 21.5, "chrf_low": 20, "chrf_high": 23}
    add_meta(own_model_directory / "en-fr" / "none", by_length=[{"low": 1, "high": 5, "items": 3} | scores])
    page.run()
    assert "21.5" in saved_figures(page)["by-length"]["csv"]
    assert "no scores by length: Additive, Dot, Transformer" in texts(page)
    page.segmented_control(key="score").set_value("BLEU").run()
    assert "9.5" in saved_figures(page)["by-length"]["csv"]


def test_models_with_other_lessons_are_told_apart() -> None:
    assert length_effect.unequal({}) == length_effect.unequal({"none": 0.0, "dot": 0.0}) == ""
    assert length_effect.unequal({"none": 0.1, "dot": 0.1, "transformer": 0.08}) == ""
    remark = length_effect.unequal({"none": 0.1, "additive": 0.4, "dot": 0.4, "transformer": 0.1})
    assert remark.startswith("Additive and Dot learned from far more joined, long sentences than No attention and Tr")
    assert length_effect.unequal({"none": None, "additive": "much", "dot": 0.1}) == "", "nobody knows of the others"


def test_a_missing_model_is_a_sentence(page: AppTest, own_model_directory: Path) -> None:
    shutil.rmtree(own_model_directory / "en-fr" / "none")
    assert "There is no model folder" in texts(page.run())
    assert "growth-kept" in saved_figures(page)
    shutil.rmtree(own_model_directory / "en-fr" / "additive")
    assert "growth-kept" in saved_figures(page.run())


def test_a_long_sentence_skips_only_what_would_take_long(page: AppTest) -> None:
    page.query_params["text"] = "cat " * 70
    page.query_params["clauses"] = ""
    page.run()
    assert "sentences of up to 60 words" in texts(page)
    assert len(picture(page)["source"]) > 70


def test_an_endless_translation_is_not_scored_without_each_word(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_SCORED_POSITIONS", 3)
    page.query_params["tour"] = "1"
    page.run()
    assert not page.exception
    assert "too long to leave out each word in turn: shorten it." in texts(page)


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
def test_gates_stand_below_the_states(page: AppTest, own_model_directory: Path, cell: Any) -> None:
    rebuild(own_model_directory / "en-fr" / "none", cell=cell)
    shown = picture(page.run())
    assert shown["cell"] == cell
    if cell == "rnn":
        assert shown["gates"] is None and "it has no gates" in shown["words"]["gates_none"]
        return
    after = np.array(shown["gates"]["rows"][-1]["values"])
    states = np.frombuffer(base64.b64decode(shown["cells"]), "<i2").reshape(-1, 18)[-len(shown["target"]) :] / 32767
    np.testing.assert_allclose(after, states[:, : after.shape[1]], atol=2e-4)
    assert set(shown["gates"]["means"]) == set("rz" if cell == "gru" else "ifo")


def test_an_lstm_shows_its_gates_when_somebody_asks(page: AppTest, model_directory: Path) -> None:
    """Every layer of the deep LSTM on the same sentence; its translation is the model's own."""
    assert not components(page.run(), "gates_by_layer")
    press(page, "lstm")
    assert "".join(page.query_params["lstm"]) == "1"
    (shown,) = components(page, "gates_by_layer")
    (trace,) = models.ask([models.request("en-fr/deep-lstm", read_source(TEXT), DecodingConfig(1))])
    assert shown["sentence"] == TEXT and shown["target"] == list(trace.target) and len(shown["layers"]) == 4
    after = np.array(shown["layers"][-1]["rows"][-1]["values"])
    np.testing.assert_allclose(after, trace.inner["state"][:, 0, : after.shape[1]], atol=2e-4)
    assert any("This decoder has 4 such layers" in element.value for element in page.markdown)
    press(page, "lstm")
    assert not components(page, "gates_by_layer") and "lstm" not in page.query_params


def test_a_pair_without_a_deep_lstm_offers_none(page: AppTest, own_model_directory: Path) -> None:
    shutil.rmtree(own_model_directory / "en-fr" / "deep-lstm")
    page.query_params["lstm"] = "1"
    assert not components(page.run(), "gates_by_layer")
    assert not any("LSTM" in button["says"] for button in components(page, "disclosure"))


def test_directions_that_are_not_side_by_side_are_not_drawn_so(page: AppTest, own_model_directory: Path) -> None:
    rebuild(own_model_directory / "en-fr" / "none", merge="sum")
    page.run()
    assert not page.exception and "adds or averages the two directions" in texts(page)


@pytest.mark.usefixtures("own_model_directory")
def test_a_pair_without_our_sentences_has_no_such_curve(page: AppTest, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(forgetting, "CORPUS", tmp_path)
    assert "swaps" not in saved_figures(page.run()) and "growth-kept" in saved_figures(page)


def test_clauses_and_steps_go_with_what_they_spoke_of(model_directory: Path) -> None:
    state = NoAttentionState.parse({"text": TEXT, "decoder-step": "3", "lstm": "2", "lstm-step": "4", "clauses": "b~x"})
    assert state.clauses == ("b", "x") and state.chosen(("a", "b", "c")) == ("b",)
    assert NoAttentionState.parse({"clauses": ""}).chosen("abc") == ()
    assert NoAttentionState.parse({}).chosen("abc") == ("a", "b")
    assert set(state.changed(typed="a cat").stale(state)) == {"state_step", "lstm_step"}
    assert set(state.changed(choice="zh-en").stale(state)) == {"state_step", "lstm_step", "clauses"}
    assert state.changed(beam=2, measure="repeated").stale(state) == ()
