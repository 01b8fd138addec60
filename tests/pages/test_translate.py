"""The Translate page with tiny models: it opens, answers, and says in a sentence what it cannot do."""

import dataclasses
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis import occlusion, teacher_forcing
from nmtcore.analysis.word_confidence import word_confidences
from nmtcore.config import CORE, DEFAULT_BEAM, DecodingConfig, MaskPredictDecoding
from nmtcore.errors import CheckpointError
from nmtcore.figures.text import signed
from nmtcore.models import checkpoint
from nmtcore.serving.request import DecodeRequest
from nmtcore.text.source import read_source
from nmtcore.text.words import group_pieces
from pages.common import models
from pages.common.examples import example_sentences
from pages.common.registry import entry
from pages.translate.instead import blame
from tests.helpers import translate
from tests.pages.helpers import component_data, components, press, said

PAGE = "translate"


def drawn(at: AppTest) -> dict[str, Any]:
    """The alignment component's data."""
    return component_data(at, "alignment")


def titles(at: AppTest) -> list[str]:
    return [panel["title"] for panel in drawn(at)["panels"]]


def test_it_opens_with_a_translated_sentence_and_translates_what_is_typed_or_chosen(page: AppTest) -> None:
    data = drawn(page.run())
    assert page.text_input(key="text").value == data["sentence"] == example_sentences("en-fr")[0].text
    assert titles(page) == ["No attention", "Additive", "Dot", "Transformer"]
    for panel in data["panels"]:
        assert panel["target"] and panel["caption"][0].startswith("log P \u2212")
        shape = [len(row) for row in panel["weights"] or ()]
        assert shape == ([] if panel["title"] == "No attention" else [len(panel["source"])] * len(panel["target"]))
        assert (panel["vector"] is None) == bool(shape)
    assert said(page) == []
    data = drawn(page.text_input(key="text").set_value("A big dog, a big car.").run())
    joined = ["".join(panel["source"]).replace("▁", " ").strip() for panel in data["panels"]]
    assert data["sentence"] == "A big dog, a big car." and joined == ["A big dog, a big car.<eos>"] * 4
    data = drawn(page.menu_button(key="examples").click_index(2).run())
    assert data["sentence"] == page.text_input(key="text").value == example_sentences("en-fr")[2].text


def test_another_pair_brings_its_own_sentence_and_models(page: AppTest, model_directory: Path) -> None:
    page.run()
    data = drawn(page.selectbox(key="pair").set_value("zh-en").run())
    assert data["sentence"] == example_sentences("zh-en")[0].text
    expected = checkpoint.load(model_directory / "zh-en" / "dot").vocab.pieces(data["sentence"])
    assert data["panels"][2]["source"] == [*expected, "<eos>"]
    first = example_sentences("zh-en")[1]
    assert page.menu_button(key="examples").options[1] == f"**{first.name}**: {first.text}"
    page.text_input(key="text").set_value("我有一本书。").run()
    back = drawn(page.selectbox(key="pair").set_value("en-fr").run())
    assert back["sentence"] == example_sentences("en-fr")[0].text


@pytest.mark.parametrize("beam", [1, 3])
def test_the_beam_is_as_wide_as_the_slider_says(page: AppTest, model_directory: Path, beam: int) -> None:
    page.run()
    data = drawn(page.slider(key="beam").set_value(beam).run())
    for panel, architecture in zip(data["panels"], CORE, strict=True):
        model = checkpoint.load(model_directory / "en-fr" / architecture)
        expected = translate(model, data["sentence"], DecodingConfig(beam))
        assert (panel["translation"], panel["target"]) == (expected.text, list(expected.target))


def test_every_column_marks_doubtful_words_and_can_be_played(page: AppTest, model_directory: Path) -> None:
    """Below one half a word is doubtful; each step has its candidates."""
    data = drawn(page.run())
    assert data["play"] and data["link"]["step"]["name"] == "pick-step"
    marked = set()
    for panel, architecture in zip(data["panels"], CORE, strict=True):
        model = checkpoint.load(model_directory / "en-fr" / architecture)
        trace = translate(model, data["sentence"], DecodingConfig(DEFAULT_BEAM))
        words = word_confidences(trace)
        assert panel["probabilities"] == pytest.approx([word.probability for word in words], abs=1e-3)
        assert panel["doubtful"] == [n for n, word in enumerate(words) if word.probability < 0.5]
        assert "".join(text for text, _word in panel["parts"]) == panel["translation"]
        marked |= {panel["target_words"].index(number) for number in panel["doubtful"]}
        assert panel["played"] and panel["waits"]
        assert panel["taken"] == [step.id for step in trace.steps]
        assert len(panel["candidates"]) == len(panel["target"])
        for found, step in zip(panel["candidates"], trace.steps, strict=True):
            assert len(found) == 6
            assert step.id in [id for _token, _p, id in found]
            assert found[0] == [
                step.candidates[0].token,
                pytest.approx(step.candidates[0].probability, abs=1e-3),
                found[0][2],
            ]
    assert marked, "untrained models are never sure"
    assert "below one half" in data["words"]["note_doubt"]


def test_a_missing_model_and_a_broken_file_are_named_until_they_are_mended(
    page: AppTest, own_model_directory: Path
) -> None:
    shutil.rmtree(own_model_directory / "en-fr" / "dot")
    (own_model_directory / "en-fr" / "none" / "vocab.model").write_bytes(b"not what it was")
    file = own_model_directory / "en-fr" / "additive" / "model.safetensors"
    whole = file.read_bytes()
    file.write_bytes(whole[:100])
    assert titles(page.run()) == ["Transformer"]
    vocabulary, weights, missing = said(page)
    assert "vocab.model" in vocabulary and "model.safetensors" in weights and "en-fr/dot" in missing
    file.write_bytes(whole)
    assert titles(page.run()) == ["Additive", "Transformer"]


@pytest.mark.usefixtures("own_model_directory")
def test_each_model_decodes_once_in_one_run(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    ask = models.ask

    def counted(requests: Sequence[DecodeRequest], **given: Any) -> list[Any]:
        asked.append([request.model.folder.rpartition("/")[2] for request in requests])
        return ask(requests, **given)

    monkeypatch.setattr(models, "ask", counted)
    assert all(panel["target"] for panel in drawn(page.run())["panels"])
    assert asked == [list(CORE)]


class Ended(BaseException):
    """The exception that Streamlit raises in a run whose sentence has been replaced."""


def test_a_replaced_sentence_leaves_the_queue(model_directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    futures: dict[str, Future[object]] = {}
    withdrawn: list[tuple[str, bool]] = []

    def ask(request: DecodeRequest) -> Future[object]:
        return futures.setdefault(request.model.folder.rpartition("/")[2], Future())

    def withdraw(request: DecodeRequest, future: Future[object]) -> None:
        name = request.model.folder.rpartition("/")[2]
        withdrawn.append((name, future is futures[name]))

    def end(pending: Sequence[Future[object]], *_: object) -> None:
        raise Ended

    monkeypatch.setattr(models.SERVICE, "ask", ask)
    monkeypatch.setattr(models.SERVICE, "withdraw", withdraw)
    monkeypatch.setattr(models, "wait_for", end)
    with pytest.raises(Ended):
        models.ask([models.request(f"en-fr/{name}", read_source("one"), DecodingConfig(2)) for name in ("none", "dot")])
    assert withdrawn == [("none", True), ("dot", True)]


def test_the_requests_of_a_sentence_are_asked_at_once_and_answered_in_their_order(
    model_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    futures: list[Future[object]] = []
    told: list[int] = []

    def ask(request: DecodeRequest) -> Future[object]:
        futures.append(Future())
        return futures[-1]

    def wait(pending: Sequence[Future[object]], before: Callable[[], int], enough: Callable[[], bool]) -> None:
        assert len(futures) == 3 and not enough()
        for number, answer in ((2, "third"), (1, CheckpointError("There is none.")), (0, "first")):
            futures[number].set_exception(answer) if isinstance(answer, Exception) else futures[number].set_result(
                answer
            )
            assert enough() is (number == 0)

    monkeypatch.setattr(models.SERVICE, "ask", ask)
    monkeypatch.setattr(models.SERVICE, "before", lambda request: 7)
    monkeypatch.setattr(models, "wait_for", wait)
    ids = ["en-fr/none", "en-fr/dot", "en-fr/additive"]
    asked = models.requests(ids, read_source("one"), DecodingConfig(2), MaskPredictDecoding())
    first, error, third = models.ask(asked, return_errors=True, progress=told.append)
    assert (first, third) == ("first", "third") and isinstance(error, CheckpointError) and told == [1, 2, 3]
    futures.clear()
    with pytest.raises(CheckpointError, match="There is none"):
        models.ask(asked)


def test_a_candidate_is_taken_and_the_rest_translated_on_from_it(page: AppTest) -> None:
    panel = drawn(page.run())["panels"][1]
    step = 1
    other = next(id for _piece, _p, id in panel["candidates"][step] if id != panel["taken"][step])
    address = urlsplit(panel["search"])
    assert address.path == entry("beam").address and parse_qs(address.query)["model"] == ["additive"]
    page.query_params["instead"] = f"1.{step}.{other}"
    verdict = drawn(page.run())["verdict"]
    assert verdict["asked"] == f"1.{step}.{other}" and verdict["title"] == "Additive then writes"
    (says,) = verdict["says"]
    assert "is to blame" in says or "the model wrote itself" in says
    del page.query_params["instead"]
    assert drawn(page.run())["verdict"] is None


def test_emoji_are_put_back_after_each_translation(page: AppTest) -> None:
    page.query_params["text"] = "a red cat"
    plain = [panel["translation"] for panel in drawn(page.run())["panels"]]
    page.text_input(key="text").set_value("🐕 a red cat 🐈").run()
    panels = drawn(page)["panels"]
    assert [panel["translation"] for panel in panels] == [f"{text} 🐕🐈".strip() for text in plain]
    assert all("".join(text for text, _word in panel["parts"]) == panel["translation"] for panel in panels)


@pytest.mark.parametrize("typed", ["=cat", "=le chat"])
def test_what_somebody_expected_stands_beside_what_the_model_wrote(page: AppTest, typed: str) -> None:
    """One word replaces the picked one; several are a whole translation, scored by teacher forcing."""
    model = models.of_pair("en-fr")[1]
    sentence = example_sentences("en-fr")[0].text
    page.query_params["instead"] = f"1.2.{typed}"
    verdict = drawn(page.run())["verdict"]
    (own,) = models.ask([models.request(model, read_source(sentence), DecodingConfig(DEFAULT_BEAM))])
    start = next(group[0] for group in group_pieces(own.target) if 2 in group)
    loaded = models.load(model)
    truth = teacher_forcing.force_truth(loaded, loaded.read(sentence), loaded.read_target(typed[1:]))
    says, blames = verdict["says"]
    if " " in typed:
        assert f"your translation log P {signed(truth.log_probability)}, and" in says
        assert says.endswith(f"its own {signed(own.log_probability)}.")
    else:
        prefix = own.ids[:start]
        word = models.load(model).vocab.target.encode("cat")
        last = occlusion.forced_decoding(models.load(model), [own.source_ids], [*prefix, *word])
        assert f"your “{typed[1:]}” log P {signed(float(last[0, start:].sum()))}, and" in says
    assert "is to blame" in blames


@pytest.mark.parametrize(("typed", "says"), [("= ", "Type the translation"), ("=" + "a b " * 90, "the limit of this")])
def test_an_expectation_that_has_no_probability_gets_a_sentence(page: AppTest, typed: str, says: str) -> None:
    page.query_params["instead"] = f"1.0.{typed}"
    verdict = drawn(page.run())["verdict"]
    assert says in verdict["says"][0] and not verdict["parts"]


def test_who_is_to_blame_goes_by_the_score_that_ranks_translations(page: AppTest) -> None:
    model = models.of_pair("en-fr")[1]
    (trace,) = models.ask([models.request(model, read_source("a red cat"), DecodingConfig(2))])
    better = dataclasses.replace(trace, steps=(*trace.steps[:-1], trace.steps[-1]._replace(id=trace.steps[-1].id + 1)))
    assert "the model wrote itself" in blame(trace, trace)
    assert "the model is to blame" in blame(trace, better)  # not better: it has the same score
    likelier = dataclasses.replace(better, log_probability=trace.log_probability / 2)
    assert "the search is to blame" in blame(trace, likelier)


def test_several_sentences_are_translated_one_by_one_by_one_click(page: AppTest) -> None:
    page.query_params["text"] = "A red cat. <b> A dog!"
    press(page.run(), "one by one")
    table = next(str(found.proto.body) for found in page.get("html") if "<table" in str(found.proto.body))
    assert table.count("<tr>") == 3 and table.count('scope="col"') == 4
    assert "&lt;b&gt; A dog!" in table and "<b>" not in table
    page.button(key="offer 2").click().run()
    assert page.text_input(key="text").value == "<b> A dog!"


def test_several_remarks_on_a_text_fold_into_one_button(page: AppTest) -> None:
    """One line each would push the picture down."""
    page.query_params["text"] = "A red cat. A dog \N{GRINNING FACE}!"
    remarks = page.run().get("popover")[-2:]
    assert [element.proto.popover.label for element in remarks] == ["2 remarks", "Translate just one"]
    emoji, single = said(page)
    assert "emoji" in emoji and "single sentences" in single


def test_a_paragraph_beyond_training_waits_for_the_offer_to_split(page: AppTest) -> None:
    page.query_params["text"] = "A red cat sees a dog. " * 12
    waits = "Nothing has been translated yet."
    assert not page.run().get("expander") and page.button(key="whole") and waits in said(page)
    press(page, "one by one")
    assert waits not in said(page)
    assert [found for found in page.get("html") if str(found.proto.body).count("<tr>") == 13]
    page.button(key="whole").click().run()
    assert len(drawn(page)["panels"]) == 4 and "whole" in page.query_params
    page.text_input(key="text").input("A dog! " * 60).run()
    assert "whole" not in page.query_params and not components(page, "alignment")


def test_another_script_waits_and_is_offered_its_own_pair(page: AppTest) -> None:
    """Pieces of such a text are its bytes, one row each."""
    page.query_params["text"] = "红色的猫。"
    assert not components(page.run(), "alignment")
    page.button(key="whole").click().run()
    assert drawn(page)["panels"]
    (button,) = [found for found in page.button if found.key.startswith("offer ")]
    button.click().run()
    assert page.text_input(key="text").value == "红色的猫。" and page.selectbox(key="pair").value == "zh-en"
    assert not [found for found in page.button if found.key.startswith("offer ")]


@pytest.mark.parametrize(("text", "said_of_it"), [("123 !", "no words"), ("red cat " * 21, "pieces; hardly any")])
def test_a_text_that_models_were_not_made_for_is_said_to_be_so(page: AppTest, text: str, said_of_it: str) -> None:
    page.query_params["text"] = text
    assert said_of_it in " ".join(said(page.run()))
