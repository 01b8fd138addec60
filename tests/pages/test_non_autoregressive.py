"""A model that writes all words at once on the pages: its rounds on Architectures, and no place on any other page."""

import math
import re
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis.costs import in_rounds
from nmtcore.analysis.word_confidence import word_confidences
from nmtcore.config import DecodingConfig, MaskPredictDecoding
from nmtcore.decoding.mask_predict import translate
from nmtcore.models import checkpoint
from nmtcore.text.diff import word_diff
from nmtcore.text.vocabulary import Vocab
from tests.helpers import save_small
from tests.pages.helpers import add_meta, component_data, components, opened, said, saved_figures
from tests.pages.test_architectures import rows
from tests.pages.test_saved import root, save

TEXT = "the small cat sees a red house ."
HEADING = "All words at once"

__all__ = ["root"]  # a fixture


@pytest.fixture(autouse=True)
def quick(own_model_directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two models beside it, whose translations are short: untrained ones write up to the limit."""
    for folder in (own_model_directory / "en-fr").iterdir():
        if folder.name not in ("additive", "transformer"):
            shutil.rmtree(folder)
    limit = DecodingConfig.limit
    monkeypatch.setattr(DecodingConfig, "limit", lambda self, length: min(limit(self, length), 9))


@pytest.fixture
def at_once(own_model_directory: Path, vocab: Vocab) -> Path:
    """A model directory with such a model for English to French."""
    save_small(own_model_directory / "en-fr" / "mask-predict", "mask-predict", vocab)
    return own_model_directory


def headings(at: AppTest) -> list[str]:
    return [header.value for header in at.header]


def test_its_rounds_are_drawn_beside_the_transformer_word_by_word(at_once: Path) -> None:
    at = opened("architectures", text=TEXT, rounds="2")
    assert HEADING in headings(at)
    data = component_data(at, "mask_predict")
    assert (data["title"], data["sentence"], len(data["rounds"])) == ("Mask-predict", TEXT, 2)
    assert data["beside"]["title"] == "Transformer" and data["beside"]["steps"]
    assert data["milliseconds"] is data["beside"]["milliseconds"] is None, "its times are those of the race below"
    assert [panel["title"] for panel in component_data(at, "alignment")["panels"]] == ["Additive", "Transformer"]
    waiting = [caption.value for caption in at.caption if "each wait for the one before" in caption.value]
    (timed,) = [caption.value for caption in at.caption if caption.value.startswith("With T = 2 this sentence takes")]
    own, other = (int(number) for number in re.findall(r"(\d+) ms", timed))
    assert ("not faster" in timed) or own <= other
    one, theirs = (int(number) for number in re.findall(r": ([\d,]+)\.", waiting[0]))
    at.selectbox(key="rounds").set_value("1").run()
    fewer = next(caption.value for caption in at.caption if "each wait for the one before" in caption.value)
    assert int(re.findall(r": ([\d,]+)\.", fewer)[0]) < one < theirs
    assert len(component_data(at, "mask_predict")["rounds"]) == 1
    assert at.query_params["rounds"] in ("1", ["1"])


def test_it_can_be_one_of_the_two_that_are_compared(at_once: Path) -> None:
    at = opened("architectures", text=TEXT, rounds="2", **{"left-model": "mask-predict"})
    once, other = component_data(at, "alignment")["panels"]
    assert (once["title"], other["title"]) == ("Mask-predict", "Transformer")
    assert "all words at once, rounds: 2" in once["caption"]
    assert once["underlined"] and once["meaning"] == "note_differs"
    ours, _theirs = word_diff(once["translation"], other["translation"])
    differing = "".join(text for text, differs in ours if differs)
    assert all(text in differing for text, word in once["parts"] if word in once["underlined"])
    loaded = checkpoint.load(at_once / "en-fr" / "mask-predict")
    record = translate(loaded, loaded.read(TEXT), MaskPredictDecoding(2))
    total = math.fsum(place.log_probability for place in record.rounds[-1])
    assert math.fsum(math.log(word.probability) for word in word_confidences(record)) == pytest.approx(total)
    at.selectbox(key="rounds").set_value("1").run()
    assert "all words at once, rounds: 1" in component_data(at, "alignment")["panels"][0]["caption"]
    at.selectbox(key="right-model").set_value("mask-predict").run()
    assert [panel["title"] for panel in component_data(at, "alignment")["panels"]] == ["Mask-predict"]


def test_its_row_has_the_costs_of_ten_rounds_and_the_times_of_four_and_ten(at_once: Path) -> None:
    rounds = [{"rounds": 1, "bleu": 21.04}, {"rounds": 4, "bleu": 37.5}]
    add_meta(at_once / "en-fr" / "mask-predict", by_rounds=rounds)
    add_meta(at_once / "en-fr" / "transformer", scores={"bleu": 45.26})
    at = opened("architectures", text=TEXT)
    row = rows(at)[-1]
    loaded = checkpoint.load(at_once / "en-fr" / "mask-predict")
    record = translate(loaded, loaded.read(TEXT), MaskPredictDecoding(10))
    counted = in_rounds(loaded.config, len(record.source), len(record.target), 10)
    assert row[0] == "Mask-predict" and row[3] == f"{counted.total / 1e6:.2g}"
    assert row[4:7] == [f"{counted.sequential_training:,}|O(1)", f"{counted.sequential_decoding:,}|O(T)", "1|O(1)"]
    assert [re.fullmatch(r"\d+\|T = (\d+)", cell)[1] for cell in row[7:9]] == ["4", "10"]  # type: ignore[index]
    (explained,) = [m.value for m in at.markdown if m.value.startswith("Multiply-adds")]
    assert "T = 4 and T = 10, 5 lengths" in explained
    expected = "BLEU on the test split by number of rounds: 1: 21.0, 4: 37.5. Transformer, beam 5: 45.3."
    assert expected in [caption.value for caption in at.caption]


def test_its_times_against_length_are_of_four_and_of_ten_rounds(at_once: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.architectures.time_by_length.LENGTHS", (2, 40, 41))  # it writes 40 pieces at most
    at = opened("architectures", text=TEXT, rounds="2", **{"left-model": "mask-predict"})
    at.button(key="measure speed").click().run()
    _header, *lines = saved_figures(at)["speed-decode"]["csv"].splitlines()
    assert [line.rpartition('",')[0].strip('"') for line in lines if "Mask-predict" in line] == [
        name for name in ("Mask-predict, T = 4", "Mask-predict, T = 10") for _ in range(2)
    ]
    says = " ".join(markdown.value for markdown in at.markdown if "measured:" in markdown.value)
    assert says.count("Writing, measured") == 2, "of four rounds, as one of the two, and of ten"
    assert "Mask-predict, T = 4" in says and "Transformer" in says


@pytest.mark.parametrize(("name", "asked"), [("rounds", "3"), ("rounds", "<b>"), ("non-autoregressive", "mamba")])
def test_what_a_link_cannot_have_is_said(at_once: Path, name: str, asked: str) -> None:
    at = opened("architectures", text=TEXT, **{name: asked})
    assert [sentence for sentence in said(at) if repr(asked) in sentence]
    assert len(component_data(at, "mask_predict")["rounds"]) <= 4


def test_translate_sets_it_beside_the_others_and_beam_search_does_not_offer_it(at_once: Path) -> None:
    at = opened("translate", models="transformer~mask-predict", rounds="2")
    assert "Mask-predict" in at.button_group(key="models").options
    word_by_word, once = component_data(at, "alignment")["panels"]
    assert (word_by_word["title"], word_by_word["played"]) == ("Transformer", True)
    assert (once["title"], once["played"]) == ("Mask-predict", False), "it has no steps to play"
    assert once["source"] == word_by_word["source"] and "<eos>" not in once["target"]
    assert [len(row) for row in once["weights"]] == [len(once["source"])] * len(once["target"])
    assert "all words at once, rounds: 2" in once["caption"]
    rounds = component_data(at, "mask_predict")
    assert len(rounds["rounds"]) == 2 and rounds["text"] == once["translation"]
    at.selectbox(key="rounds").set_value("1").run()
    assert len(component_data(at, "mask_predict")["rounds"]) == 1
    at.button_group(key="models").set_value(["mask-predict"]).run()
    assert [panel["title"] for panel in component_data(at, "alignment")["panels"]] == ["Mask-predict"]
    assert not [button for button in at.button if "greedy" in button.label]
    beam = opened("beam", model="mask-predict")
    assert "mask-predict" not in beam.selectbox(key="model").options
    assert any("which is not here" in sentence for sentence in said(beam))


def test_a_saved_one_is_shown_with_its_own_sentence(root: Path, vocab: Vocab) -> None:
    save(root, vocab, "Mine", "mask-predict")
    at = opened("architectures", pair="saved.Mine")
    assert component_data(at, "mask_predict")["title"] == "Mask-predict: Mine"
    assert "Mine (saved)" not in opened("translate").selectbox(key="pair").options


def test_without_a_sound_one_the_page_does_not_mention_it(at_once: Path) -> None:
    folder = at_once / "en-fr" / "mask-predict"
    (folder / "model.safetensors").write_bytes(b"no")
    at = opened("architectures", text=TEXT)
    assert not components(at, "mask_predict") and "model.safetensors" in " ".join(said(at))
    assert len(component_data(at, "alignment")["panels"]) == 2
    shutil.rmtree(folder)
    at = opened("architectures", text=TEXT)
    assert not components(at, "mask_predict") and HEADING not in headings(at)
