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
    assert r"0.002\min(\tfrac{t}{100},\tfrac{601-t}{501})" in said(page)
    (chart,) = page.get("vega_lite_chart")
    drawn_words = chart.proto.spec.encode() + b"".join(rows.data.data for rows in chart.proto.datasets)
    assert b"ends at 4.0e-06" in drawn_words


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
        tour = component_data(page, "tour")["steps"]
        assert 6 <= len(tour) <= 10 and task_title(name) in tour[0]["says"], name
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
    assert run.config().training == defaults.from_scratch(REVERSE)
    assert run.config().training.max_steps == 600
    usual = model_config("additive", 50, **ARCHITECTURES["additive"].small)
    assert model_config("additive", 50, **run.config().settings) == usual
    assert "Waiting" in said(page)
    assert "■ Stop" in labels(page) and "▶ Resume" not in labels(page)
    page.button(key="stop").click().run()
    assert run.status().state == "stopped"
    assert "▶ Resume" in labels(page) and "■ Stop" not in labels(page)


def test_going_on_with_a_pretrained_model_copies_it_and_may_rehearse(
    page: AppTest, root: Path, model_directory: Path
) -> None:
    page.run()
    assert not [slider for slider in page.slider if slider.label == "Rehearsal"], "it has nothing to forget"
    page.selectbox(key="learn").set_value("teach").run()
    page.text_input(key="word").set_value("wug").run()
    page.text_input(key="french").set_value("truc").run()
    (slider,) = [slider for slider in page.slider if slider.label == "Rehearsal"]
    slider.set_value(0.5).run()
    (area,) = [area for area in page.text_area if area.key.startswith("rehearsed")]
    area.set_value("My own  sentence.\n\nAnother one.").run()
    page.button(key="start").click().run()
    (run,) = run_folder.runs(root)
    asked = run.config()
    assert (asked.word, asked.source, asked.target, asked.architecture) == ("wug", "en", "fr", "")
    assert (asked.rehearsal, asked.rehearsed) == (0.5, ("My own sentence.", "Another one."))
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


def test_an_earlier_run_is_a_starting_point_and_is_opened(page: AppTest, run: Run) -> None:
    run.save_as("Backwards")
    page.run()
    assert "Go on with the run Backwards" in page.selectbox(key="from").options
    assert page.button(key=f"open-{run.id}").label.startswith("Backwards · ")
    page.button(key=f"open-{run.id}").click().run()
    assert page.query_params["run"] == run.id and "step 40 of 40" in said(page)


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
    assert r"0.3\min(\tfrac{t}{30},\tfrac12+\tfrac12\cos" in said(page) and r"w\leftarrow w-\eta m" in said(page)
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


@pytest.mark.parametrize(
    ("start", "kind", "width", "sampling"),
    [
        ("scratch-dot", "reverse-dot", False, True),
        ("scratch-transformer", "reverse-transformer", True, True),
        ("scratch-mask-predict", "reverse-mask-predict", True, False),  # it reads no words of its own
        ("model-en-fr-dot", "teach-dot", False, True),
    ],
)
def test_every_setting_says_what_is_usual(page: AppTest, start: str, kind: str, width: bool, sampling: bool) -> None:
    page.query_params["learn"], page.query_params["from"] = kind.partition("-")[0], start
    page.run()
    kinds = (page.number_input, page.slider, page.select_slider, page.selectbox, page.checkbox, page.button_group)
    settings = {
        str(control.key).partition("-")[0]: control.proto.help
        for found in kinds
        for control in found
        if f"-{kind}-" in str(control.key)
    }
    assert len(settings) >= 9 and not page.exception
    assert [name for name, help in settings.items() if not help.startswith("Usual: ")] == []
    assert ("width" in settings, "scheduled_sampling" in settings) == (width, sampling)


def test_the_settings_of_a_transformer_reach_the_run(page: AppTest, root: Path) -> None:
    page.query_params["from"] = "scratch-transformer"
    page.run()
    kind = "reverse-transformer-new"
    page.checkbox(key=f"scale_embedding-{kind}").set_value(False)
    page.checkbox(key=f"concatenate_positions-{kind}").set_value(True).run()
    page.button(key="start").click().run()
    (run,) = run_folder.runs(root)
    model = run.config().settings
    assert (model["scale_embedding"], model["concatenate_positions"]) == (False, True)


def test_another_run_on_the_screen_has_its_own_step_and_company() -> None:
    asked = {"run": "a" * 12, "film-step": "20", "other-runs": "b" * 12, "experiment": "rates", "from": "x"}
    state = FinetuneState.parse(asked)
    assert state.texts() == asked and state.changed(film_step=40).stale(state) == ()
    for run in ("", "c" * 12):
        assert state.changed(run=run).stale(state) == ("section", "film_step", "others", "experiment")
