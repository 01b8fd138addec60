"""The Fine-tune page before a run: it opens with a plan and starts a run."""

import re
from pathlib import Path

import pytest
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from nmtcore.config import ARCHITECTURES, model_config
from nmtcore.errors import DataError
from nmtcore.models import checkpoint
from nmtcore.runs import defaults, run_folder
from nmtcore.runs.preparation import PARTS, Device
from nmtcore.runs.run_folder import Run
from nmtcore.runs.worker import Worker, fail
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.exercises import EXERCISES
from pages.common import late_progress
from pages.finetune import setup
from pages.finetune.state import FinetuneState
from pages.finetune.wording import PAIRS, TASKS, look_for, task_title
from tests.helpers import small
from tests.pages.finetune.helpers import OWNER, drawn, labels, owned, said, watching
from tests.pages.helpers import component_data
from tests.runs.helpers import REVERSE, config


def test_it_opens_with_what_the_alignment_should_become(page: AppTest) -> None:
    (ideal,) = drawn(page.run())
    (panel,) = ideal["panels"]
    weights = panel["weights"]
    size = len(weights)
    assert size == 10
    assert all(weights[i][j] == (i + j == size - 1) for i in range(size) for j in range(size))
    assert panel["source"][:2] == ["▁7", "▁2"], "each word is one of its own, not the rest of the one before it"
    assert "anti-diagonal" in said(page)
    assert "parameters" in said(page) and "600 steps" in said(page)
    assert "Start" in labels(page)


@pytest.mark.parametrize(
    ("free", "sentence"),
    [
        (16 * 10**9, r"about 0\.\d GB of the 16\.0 GB that are free"),
        (4 * 10**9, r"about 0\.\d GB of the 4\.0 GB that are free"),
        (7 * 10**6, r"choose batches of at most [\d,]+ pieces"),
        (10**3, "choose a smaller one, or another device"),
    ],
)
def test_whether_a_gpu_has_the_memory_is_said_before_start(
    page: AppTest, monkeypatch: pytest.MonkeyPatch, free: int, sentence: str
) -> None:
    monkeypatch.setattr(setup, "devices", lambda: [Device("cuda:0", "GPU", free), Device("cpu", "CPU")])
    setup._devices.cache_clear()
    assert re.search(sentence, said(page.run()))
    page.selectbox(key="device").set_value("cpu").run()
    assert "free" not in said(page) and "on this machine" in said(page)
    setup._devices.cache_clear()


def test_an_estimate_that_takes_long_shows_a_bar_with_the_time_left(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[float, str]] = []
    monkeypatch.setattr(late_progress, "PATIENCE", 0.0)
    monkeypatch.setattr(DeltaGenerator, "progress", lambda self, value, text: shown.append((value, text)))
    setup._estimate.cache_clear()
    assert "parameters" in said(page.run())
    shares = [share for share, _text in shown]
    assert shares == [part / PARTS for part in range(PARTS)]
    assert all("Trying a few steps" in text for _share, text in shown)
    assert all(re.search(r"about \d+ s left", text) for _share, text in shown[1:])
    shown.clear()
    assert "parameters" in said(page.run()) and not shown, "what is known is not worked out again"


def test_every_choice_says_what_to_look_for(page: AppTest) -> None:
    page.run()
    for name in TASKS:
        page.selectbox(key="learn").set_value(name).run()
        if name == PAIRS:
            assert "It is empty: give rows" in said(page)
            continue
        assert look_for(name) in said(page), name
        assert len(drawn(page)) == 1, name
        starts = page.selectbox(key="from").options
        assert any("From scratch" in option for option in starts) != EXERCISES[name].pretrained, name
        assert any("en-fr" in option for option in starts), name
        assert any("zh-en" in option for option in starts) != EXERCISES[name].pretrained, name


def test_without_attention_nothing_is_promised(page: AppTest) -> None:
    page.run()
    page.selectbox(key="from").set_value("scratch-none").run()
    assert drawn(page) == []
    assert "no attention" in said(page)


def test_start_puts_a_run_in_the_queue_and_shows_it(page: AppTest, root: Path) -> None:
    page.run()
    page.button(key="start").click().run()
    (run,) = run_folder.runs(root)
    assert page.query_params["run"] == run.id
    assert run.status().state == "queued"
    assert len(run.pairs()) == 8000
    assert run.config().training.max_steps == 600
    assert "Waiting" in said(page)
    assert "■ Stop" in labels(page) and "▶ Resume" not in labels(page)
    page.button(key="stop").click().run()
    assert run.status().state == "stopped"
    assert "▶ Resume" in labels(page) and "■ Stop" not in labels(page)


def test_going_on_with_a_pretrained_model_copies_it(page: AppTest, root: Path, model_directory: Path) -> None:
    page.run()
    page.selectbox(key="learn").set_value("teach").run()
    page.text_input(key="word").set_value("wug").run()
    page.text_input(key="french").set_value("truc").run()
    page.button(key="start").click().run()
    (run,) = run_folder.runs(root)
    asked = run.config()
    assert (asked.word, asked.source, asked.target, asked.architecture) == ("wug", "en", "fr", "")
    assert all("wug" in source and "truc" in target for source, target in run.pairs())
    whole = (model_directory / "en-fr" / "transformer" / "model.safetensors").read_bytes()
    assert (run.folder / "start" / "model.safetensors").read_bytes() == whole


def test_going_on_with_an_own_model_copies_it(
    page: AppTest, root: Path, tmp_path: Path, vocab: Vocab, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "own" / "en-de" / "mine"
    checkpoint.save(folder, small("transformer", vocab, seed=8).model, vocab, {"source": "en", "target": "de"})
    monkeypatch.setenv("ALIGNMENT_LAB_MODELS", str(tmp_path / "own"))
    page.query_params["from"] = "own.en-de.mine"
    page.run()
    assert page.selectbox(key="from").value == "own.en-de.mine"
    assert "Go on with mine (own)" in page.selectbox(key="from").options
    page.button(key="start").click().run()
    (run,) = run_folder.runs(root)
    assert (run.config().architecture, run.config().exercise) == ("", "reverse")
    assert (run.folder / "start" / "model.safetensors").read_bytes() == (folder / "model.safetensors").read_bytes()


@pytest.mark.parametrize("word", ["two words", "<b>x</b>", "", "../../x"])
def test_a_made_up_word_is_a_word(page: AppTest, word: str) -> None:
    page.run()
    page.selectbox(key="learn").set_value("teach").run()
    page.text_input(key="word").set_value(word).run()
    assert "2 to 20 letters" in said(page)
    assert page.button(key="start").disabled


def test_a_run_that_never_began_is_not_resumed_and_is_only_in_its_starters_list(page: AppTest, root: Path) -> None:
    run, _ = run_folder.create(root, config(exercise=""), [("a b", "b a")] * 3, OWNER)
    with pytest.raises(DataError) as caught:
        Worker(run).work()
    fail(run, caught.value)
    at = watching(owned(page), run)
    assert "at least 20" in said(at) and "first step" not in said(at)
    assert "▶ Resume" not in labels(at) and "Delete this run" in labels(at)
    assert f"open-{run.id}" in [button.key for button in at.button]
    at.session_state["runs secret"] = "f" * 32
    assert f"open-{run.id}" not in [button.key for button in at.run().button]


def test_a_third_run_of_a_session_is_refused(page: AppTest, root: Path) -> None:
    for _ in range(2):
        run_folder.create(root, config(), REVERSE.pairs(60), OWNER)
    owned(page).run()
    page.button(key="start").click().run()
    assert "already have 2 runs" in said(page)


def test_rehearsal_is_offered_where_a_model_has_something_to_forget(page: AppTest, root: Path) -> None:
    page.run()
    assert not [slider for slider in page.slider if slider.label == "Rehearsal"]
    page.selectbox(key="learn").set_value("teach").run()
    (slider,) = [slider for slider in page.slider if slider.label == "Rehearsal"]
    slider.set_value(0.5).run()
    (area,) = [area for area in page.text_area if area.key.startswith("rehearsed")]
    area.set_value("My own  sentence.\n\nAnother one.").run()
    page.button(key="start").click().run()
    (run,) = run_folder.runs(root)
    assert run.config().rehearsal == 0.5
    assert run.config().rehearsed == ("My own sentence.", "Another one.")


def test_an_earlier_run_is_a_starting_point(page: AppTest, run: Run) -> None:
    run.save_as("Backwards")
    page.run()
    assert "Go on with the run Backwards" in page.selectbox(key="from").options
    assert any(label.startswith("Backwards · ") for label in labels(page))


@pytest.mark.parametrize("name", ["reverse", "teach", "pairs"])
def test_a_tour_leads_through_the_setup(page: AppTest, name: str) -> None:
    page.query_params["learn"] = name
    page.run()
    found = component_data(page, "tour")["steps"]
    assert 6 <= len(found) <= 10
    assert task_title(name) in found[0]["says"]


def test_every_setting_reaches_the_run(page: AppTest, root: Path) -> None:
    page.run()
    page.selectbox(key="from").set_value("scratch-dot").run()
    kind = "reverse-dot-new"
    page.selectbox(key=f"optimiser-{kind}").set_value("momentum")
    page.selectbox(key=f"schedule-{kind}").set_value("cosine").run()
    assert page.number_input(key=f"learning_rate-{kind}-momentum").value == 0.3
    page.number_input(key=f"warmup-{kind}").set_value(30)
    page.number_input(key=f"clip-{kind}").set_value(0.0)
    page.slider(key=f"momentum-{kind}").set_value(0.8)
    page.slider(key=f"scheduled_sampling-{kind}").set_value(0.3)
    page.slider(key=f"label_smoothing-{kind}").set_value(0.1)
    page.checkbox(key=f"sort_by_length-{kind}").set_value(False)
    page.selectbox(key=f"initialisation-{kind}").set_value("normal").run()
    page.select_slider(key=f"init_std-{kind}").set_value(0.1)
    page.slider(key=f"dropout-{kind}").set_value(0.2)
    page.slider(key=f"encoder_layers-{kind}").set_value(2)
    page.selectbox(key=f"attention-{kind}").set_value("cosine")
    page.selectbox(key=f"merge-{kind}").set_value("mean")
    page.selectbox(key=f"locality-{kind}").set_value("predictive")
    page.checkbox(key=f"input_feeding-{kind}").set_value(True).run()
    page.slider(key=f"window-{kind}").set_value(3).run()
    page.button(key="start").click().run()
    (run,) = run_folder.runs(root)
    training, model = run.config().training, run.config().settings
    assert (training.optimiser, training.schedule, training.momentum) == ("momentum", "cosine", 0.8)
    assert (training.learning_rate, training.warmup, training.clip) == (0.3, 30, 0.0)
    assert (training.scheduled_sampling, training.label_smoothing, training.sort_by_length) == (0.3, 0.1, False)
    assert (training.initialisation, training.init_std) == ("normal", 0.1)
    assert (model["dropout"], model["encoder_layers"], model["attention"]) == (0.2, 2, "cosine")
    assert (model["merge"], model["input_feeding"]) == ("mean", True)
    assert (model["locality"], model["window"]) == ("predictive", 3)
    assert r"0.3\min(\tfrac{t}{30}" in said(page) or "Waiting" in said(page)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("learning_rate", 10.0, "“Learning rate” goes from 0.00001 to 5; 10 is out of range"),
        ("max_steps", 0, "“Steps” goes from 1 to 100,000; 0 is out of range"),
        ("batch_tokens", 19, "“Pieces in a batch” goes from 20 to 20,000"),
        ("seed", -1, "“Seed” goes from 1 to 10,000; -1 is"),
        ("warmup", -5, "“Warm-up, in steps” goes from 0"),
        ("clip", 2000.0, "“Clip the gradient norm at” goes from 0 to 1000; 2000 is out of range"),
    ],
)
def test_a_number_out_of_range_is_said_and_starts_nothing(
    page: AppTest, name: str, value: float, sentence: str
) -> None:
    key = f"{name}-reverse-additive-new{'-adamw' * (name == 'learning_rate')}"
    page.run()
    right = page.number_input(key=key).value
    page.number_input(key=key).set_value(value).run()
    assert sentence in said(page) and page.button(key="start").disabled
    page.number_input(key=key).set_value(right).run()
    assert "out of range" not in said(page) and not page.button(key="start").disabled


def test_the_settings_of_a_transformer_reach_the_run(page: AppTest, root: Path) -> None:
    page.run()
    page.selectbox(key="from").set_value("scratch-transformer").run()
    kind = "reverse-transformer-new"
    page.checkbox(key=f"scale_embedding-{kind}").set_value(False)
    page.checkbox(key=f"concatenate_positions-{kind}").set_value(True).run()
    page.button(key="start").click().run()
    (run,) = run_folder.runs(root)
    model = run.config().settings
    assert (model["scale_embedding"], model["concatenate_positions"]) == (False, True)


@pytest.mark.parametrize("start", ["scratch-dot", "scratch-transformer", "scratch-mask-predict", "model-en-fr-dot"])
def test_every_setting_says_what_is_usual(page: AppTest, start: str) -> None:
    page.run()
    page.selectbox(key="learn").set_value("teach" if start.startswith("model") else "reverse").run()
    page.selectbox(key="from").set_value(start).run()
    kinds = (page.number_input, page.slider, page.select_slider, page.selectbox, page.checkbox, page.button_group)
    kind = page.session_state["learn"] + start.replace("scratch", "").replace("model-en-fr", "")
    settings = {
        control.key: control.proto.help for found in kinds for control in found if f"-{kind}-" in str(control.key)
    }
    assert len(settings) >= 9
    assert [key for key, help in settings.items() if not help.startswith("Usual: ")] == []


def test_the_rate_of_a_run_to_come_is_drawn_with_its_end(page: AppTest) -> None:
    page.run()
    assert r"0.002\min(\tfrac{t}{100},\tfrac{601-t}{501})" in said(page)
    (chart,) = page.get("vega_lite_chart")
    drawn_words = chart.proto.spec.encode() + b"".join(rows.data.data for rows in chart.proto.datasets)
    assert b"ends at 4.0e-06" in drawn_words
    page.selectbox(key="optimiser-reverse-additive-new").set_value("sgd").run()
    assert page.number_input(key="learning_rate-reverse-additive-new-sgd").value == 1.0
    assert r"1\min(\tfrac{t}{100},\tfrac{601-t}{501})" in said(page) and r"w\leftarrow w-\eta g" in said(page)


def test_a_default_run_is_as_it_was_before_there_were_settings(page: AppTest, root: Path) -> None:
    page.run()
    page.button(key="start").click().run()
    (run,) = run_folder.runs(root)
    task = EXERCISES["reverse"]
    assert run.config().training == defaults.from_scratch(task)
    small = model_config("additive", 50, **ARCHITECTURES["additive"].small)
    assert model_config("additive", 50, **run.config().settings) == small


def test_another_run_on_the_screen_has_its_own_step_and_company() -> None:
    asked = {"run": "a" * 12, "film-step": "20", "other-runs": "b" * 12, "experiment": "rates", "from": "x"}
    state = FinetuneState.parse(asked)
    assert state.texts() == asked and state.changed(film_step=40).stale(state) == ()
    for run in ("", "c" * 12):
        assert state.changed(run=run).stale(state) == ("section", "film_step", "others", "experiment")
