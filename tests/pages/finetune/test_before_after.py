"""Before and after training: the beginning of a translation that babbles to its limit, or rounds; the rest folded."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.decoding.trace import Trace
from nmtcore.models import checkpoint
from nmtcore.runs import run_folder
from nmtcore.runs.run_folder import Run
from nmtcore.runs.worker import Worker
from nmtcore.text.words import word_of
from nmtcore.views.alignment.data import Panel
from pages.finetune.before_after import first_words
from tests.helpers import translate
from tests.pages.finetune.helpers import OWNER, drawn, owned, said, watching
from tests.pages.helpers import component_data
from tests.runs.helpers import REVERSE, config

SMALL = {"width": 16, "feedforward": 24, "heads": 2, "encoder_layers": 1, "decoder_layers": 1, "dropout": 0.0}


@pytest.fixture
def trace(run: Run) -> Trace:
    return translate(checkpoint.load(run.folder / "start"), "1 2 3 4")


def test_the_first_words_keep_their_rows(trace: Trace) -> None:
    words = word_of(trace.target)
    assert max(words) >= 3
    short = first_words(trace, 2)
    assert word_of(short.target) == [word for word in words if word < 2]
    assert short.text.endswith(" …") and len(short.steps) == len(short.target) < len(trace.target)
    cross, whole = short.attention_of("cross"), trace.attention_of("cross")
    assert cross is not None and whole is not None
    assert np.array_equal(cross.weights, whole.weights[:, :, : len(short.target)])
    Panel.of("short", "dot", short)  # whose tokens must be those of its attention


def test_a_short_translation_stays_whole(trace: Trace) -> None:
    assert first_words(trace, max(word_of(trace.target)) + 1) is trace
    without = first_words(dataclasses.replace(trace, attention=()), 1)
    assert without.attention == () and len(without.target) < len(trace.target)


def test_what_is_cut_is_folded_and_the_cost_is_said(page: AppTest, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.finetune.before_after.first_words", lambda trace: first_words(trace, 2))
    at = watching(page, run)
    at.text_input(key=f"try-{run.id}").set_value("1 2 3 4").run()
    _pinned, compared = drawn(at)
    assert all(len(set(panel["target_words"])) <= 2 for panel in compared["panels"])
    folded = [expander.label for expander in at.expander if expander.label.startswith("All ")]
    assert any("Dot before training" in label for label in folded)
    assert "target pieces a second" in said(at) and "FLOP" in said(at) and "estimated at 10 W" in said(at)


def test_a_model_that_writes_all_words_at_once_shows_its_rounds(page: AppTest, root: Path) -> None:
    settings = config(architecture="mask-predict", settings=SMALL)
    run, _ = run_folder.create(root, settings, REVERSE.pairs(200, length=4), OWNER)
    Worker(run).work()
    assert run.status().state == "done" and run.traces()
    at = watching(owned(page), run)
    (film,) = drawn(at)  # and no alignment before and after
    assert film["panels"][0]["target"] == ["▁3", "▁2", "▁1"]  # its rows are places; there is no <eos>
    rounds = component_data(at, "mask_predict")
    assert rounds["title"] == "Mask-predict after training" and rounds["sentence"] == "1 2 3"
    assert "Mask-predict before training: " in said(at) and r"y_{\setminus M}" in said(at)
    at.text_input(key=f"try-{run.id}").set_value("4 5").run()
    assert component_data(at, "mask_predict")["sentence"] == "4 5"
