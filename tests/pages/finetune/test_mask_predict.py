"""Fine-tune with a model that writes all words at once: its settings, its film, and rounds before and after."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from nmtcore.runs import run_folder
from nmtcore.runs.worker import Worker
from tests.pages.finetune.helpers import OWNER, drawn, owned, said, watching
from tests.pages.helpers import component_data
from tests.runs.helpers import REVERSE, config

SMALL = {"width": 16, "feedforward": 24, "heads": 2, "encoder_layers": 1, "decoder_layers": 1, "dropout": 0.0}


def test_it_is_trained_on_an_exercise_and_its_rounds_are_shown(page: AppTest, root: Path) -> None:
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


def test_its_size_is_chosen_and_it_reads_no_words_of_its_own(page: AppTest) -> None:
    page.query_params["from"] = "scratch-mask-predict"
    page.run()
    assert not page.exception, page.exception
    keys = [slider.key for slider in (*page.slider, *page.select_slider)]
    assert any(key and key.startswith("width-") and "mask-predict" in key for key in keys)
    assert not any(key and key.startswith("scheduled_sampling-") for key in keys)
