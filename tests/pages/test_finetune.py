"""The Fine-tune page: it opens with a plan, starts a run, shows one, and lets only its starter touch it."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.config import model_config
from nmtcore.errors import DataError
from nmtcore.runs import run_folder
from nmtcore.runs.prepare import FEWEST, prepare
from nmtcore.runs.run_folder import Run
from nmtcore.runs.worker import Worker, fail
from nmtcore.training.corpus import Pair
from nmtcore.training.exercises import EXERCISES
from nmtcore.training.schedule import learning_rate
from pages.common.registry import script
from pages.finetune.data import check
from pages.finetune.pairs import FILE
from pages.finetune.wording import PAIRS, TASKS, look_for
from tests.pages.helpers import components
from tests.runs.test_runs import REVERSE, config

OWNER = "0123456789abcdef" * 2


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Run:
    run, _ = run_folder.create(tmp_path_factory.mktemp("runs"), config(), REVERSE.pairs(200, length=4), OWNER)
    Worker(run).work()
    return run


@pytest.fixture
def root(tmp_path: Path, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of runs, in which nothing is started for real."""
    folder = tmp_path / "runs"
    folder.mkdir()
    monkeypatch.setenv("ALIGNMENT_LAB_RUNS", str(folder))
    monkeypatch.setattr("nmtcore.runs.queue._spawn", lambda *_: False)
    return folder


@pytest.fixture
def run(root: Path, trained: Run) -> Run:
    """A copy of a finished run that a test may break."""
    shutil.copytree(trained.folder, root / trained.id)
    return Run(root / trained.id)


@pytest.fixture
def page(root: Path) -> AppTest:
    return AppTest.from_file(script("finetune"), default_timeout=60)


def owned(page: AppTest, secret: str = OWNER) -> AppTest:
    page.session_state["runs secret"] = secret
    return page


def watching(page: AppTest, run: Run) -> AppTest:
    page.query_params["run"] = run.id
    return page.run()


def drawn(at: AppTest) -> list[dict[str, Any]]:
    return components(at, "alignment")


def said(at: AppTest) -> str:
    assert not at.exception, at.exception
    return " ".join([*(e.value for e in at.text), *(e.value for e in at.markdown), *(e.value for e in at.caption)])


def labels(at: AppTest) -> list[str]:
    return [button.label for button in at.button]


def test_it_opens_with_what_the_alignment_should_become(page: AppTest) -> None:
    (ideal,) = drawn(page.run())
    (panel,) = ideal["panels"]
    weights = panel["weights"]
    size = len(weights)
    assert size == 10
    assert all(weights[i][j] == (i + j == size - 1) for i in range(size) for j in range(size))
    assert "anti-diagonal" in said(page)
    assert "parameters" in said(page) and "600 steps" in said(page)
    assert "Start" in labels(page)


@pytest.mark.parametrize("name", TASKS)
def test_every_choice_says_what_to_look_for(page: AppTest, name: str) -> None:
    page.run()
    page.selectbox(key="learn").set_value(name).run()
    if name == PAIRS:
        assert "nothing in it yet" in said(page)
        return
    assert look_for(name) in said(page)
    assert len(drawn(page)) == 1
    starts = page.selectbox(key="from").options
    assert any("From scratch" in option for option in starts) != EXERCISES[name].pretrained
    assert any("en-fr" in option for option in starts)
    assert any("zh-en" in option for option in starts) != EXERCISES[name].pretrained


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
    assert "■ Stop" in labels(page)
    page.button(key="stop").click().run()
    assert run.status().state == "stopped"
    assert "▶ Resume" in labels(page)


def test_going_on_with_a_pretrained_model_copies_it(page: AppTest, root: Path, shelf: Path) -> None:
    page.run()
    page.selectbox(key="learn").set_value("teach").run()
    page.text_input(key="word").set_value("wug").run()
    page.text_input(key="french").set_value("truc").run()
    page.button(key="start").click().run()
    (run,) = run_folder.runs(root)
    asked = run.config()
    assert (asked.word, asked.source, asked.target, asked.architecture) == ("wug", "en", "fr", "")
    assert all("wug" in source and "truc" in target for source, target in run.pairs())
    whole = (shelf / "en-fr" / "transformer" / "model.safetensors").read_bytes()
    assert (run.folder / "start" / "model.safetensors").read_bytes() == whole


@pytest.mark.parametrize("word", ["two words", "<b>x</b>", "", "../../x"])
def test_a_made_up_word_is_a_word(page: AppTest, word: str) -> None:
    page.run()
    page.selectbox(key="learn").set_value("teach").run()
    page.text_input(key="word").set_value(word).run()
    assert "2 to 20 letters" in said(page)
    assert page.button(key="start").disabled


def test_pasted_pairs_are_checked_and_trained(page: AppTest, root: Path) -> None:
    page.run()
    page.selectbox(key="learn").set_value(PAIRS).run()
    page.selectbox(key="from").set_value("scratch-dot").run()
    rows = [f"the cat number {i}\tle chat numéro {i}" for i in range(40)]
    page.text_area(key="pasted").set_value("\n".join([*rows, "no tab here", rows[0]])).run()
    assert "40 pairs can be used" in said(page)
    table = page.dataframe[0].value
    assert table["line"].tolist() == [41, 42]
    page.button(key="start").click().run()
    (run,) = run_folder.runs(root)
    assert len(run.pairs()) == 40 and not run.config().exercise


def own_pairs(page: AppTest, *rows: str) -> AppTest:
    """The page with pasted rows, for a model from scratch."""
    page.run()
    page.selectbox(key="learn").set_value(PAIRS).run()
    page.selectbox(key="from").set_value("scratch-dot").run()
    return page.text_area(key="pasted").set_value("\n".join(rows)).run()


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (["a cat\tun chat", "no tab here"], "1 pair can be used. That is too few"),
        ([f"cat number {i}\tchat numéro {i}" for i in range(FEWEST - 1)], "19 pairs can be used. That is too few"),
        ([f"cat number {i}\tchat" for i in range(40)], "40 pairs can be used. That is too few"),
    ],
)
def test_too_few_pairs_are_not_started(page: AppTest, rows: list[str], sentence: str) -> None:
    at = own_pairs(page, *rows)
    assert sentence in said(at) and "give at least 20 pairs that have no sentence in common" in said(at)
    if len(rows) == 2:
        assert "1 row is left out" in [expander.label for expander in at.expander]
    assert at.button(key="start").disabled


def test_the_fewest_pairs_are_enough_for_the_page_and_for_the_run(page: AppTest, root: Path) -> None:
    at = own_pairs(page, *(f"cat number {i}\tchat numéro {i}" for i in range(FEWEST)))
    assert "20 pairs can be used, 2 of them only to measure with." in said(at)
    at.button(key="start").click().run()
    (run,) = run_folder.runs(root)
    assert len(prepare(run.config(), [Pair(*pair) for pair in run.pairs()], run.folder / "start").unseen) == 2


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


def test_a_run_that_failed_later_is_resumed(page: AppTest, run: Run) -> None:
    run.write_status(dataclasses.replace(run.status(), state="failed", message="The disk is full."))
    at = watching(owned(page), run)
    assert "▶ Resume" in labels(at) and "The disk is full." in said(at)


def test_a_kept_file_goes_before_pasted_rows_and_can_be_left_out(page: AppTest) -> None:
    """As after a visit to another page, where the uploader forgets its file."""
    rows = [
        [f"the {kind} number {i}\tle {kind} numéro {i}" for i in range(count)] for kind, count in (("a", 30), ("b", 40))
    ]
    page.session_state[FILE] = ("mine.tsv", "\n".join(rows[0]).encode())
    page.run()
    page.selectbox(key="learn").set_value(PAIRS).run()
    page.selectbox(key="from").set_value("scratch-dot").run()
    page.text_area(key="pasted").set_value("\n".join(rows[1])).run()
    assert "30 pairs can be used" in said(page) and "the pasted ones are not" in said(page)
    page.button(key="forget file").click().run()
    assert "40 pairs can be used" in said(page) and "pasted ones" not in said(page)
    assert "forget file" not in [button.key for button in page.button]


def test_a_third_run_of_a_session_is_refused(page: AppTest, root: Path) -> None:
    for _ in range(2):
        run_folder.create(root, config(), REVERSE.pairs(60), OWNER)
    owned(page).run()
    page.button(key="start").click().run()
    assert "already have 2 runs" in said(page)


def test_a_finished_run_shows_its_scores_and_both_models(page: AppTest, run: Run) -> None:
    at = watching(owned(page), run)
    assert "**done**" in said(at) and "step 40 of 40" in said(at)
    assert "exact match on unseen pairs" in said(at) and "longer than any in training" in said(at)
    pinned, compared = drawn(at)
    assert pinned["panels"][0]["target"] == ["▁3", "▁2", "▁1", "<eos>"]
    assert "step 40" in pinned["panels"][0]["title"]
    assert [panel["title"] for panel in compared["panels"]] == ["Dot before training", "Dot after training"]
    assert {"Delete this run", "Save"} <= set(labels(at))
    at.text_input(key=f"try-{run.id}").set_value("4 5").run()
    assert drawn(at)[1]["sentence"] == "4 5"


def test_curves_have_their_formulas_and_say_what_was_trained(page: AppTest, run: Run) -> None:
    at = watching(page, run)
    training = run.config().training
    formula = r"\eta_t=0.001\min(\tfrac{t}{5},\tfrac{41-t}{36})"
    assert formula in said(at) and r"\log P(y_j\mid y_{<j},x)" in said(at)
    model = model_config("dot", 10)
    rates = [learning_rate(t, 40, training, model) for t in range(1, 41)]
    assert rates == pytest.approx([0.001 * min(t / 5, (41 - t) / 36) for t in range(1, 41)])
    savers = [e.proto for e in at.get("bidi_component") if e.proto.component_name == "save_figure"]
    titles = [json.loads(saver.json)["title"] for saver in savers]
    what = f"Exercise: reverse the digits · Dot · run {run.id}"
    assert titles == [f"Loss · {what}", f"exact match on unseen pairs · {what}"]


def test_a_run_in_the_list_is_opened(page: AppTest, run: Run) -> None:
    page.run()
    page.button(key=f"open-{run.id}").click().run()
    assert page.query_params["run"] == run.id and "step 40 of 40" in said(page)


def test_a_run_whose_memory_was_short_says_what_was_done(page: AppTest, run: Run) -> None:
    run.append("events.jsonl", {"event": "halved", "step": 1234})
    assert "from step 1,234 on, each batch is worked on in two halves" in said(watching(page, run))


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


def test_both_scores_stand_side_by_side(page: AppTest, run: Run) -> None:
    rows = [{**event, "old_score": 73.2} if event["event"] == "validation" else event for event in run.events()]
    (run.folder / "events.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run.write_status(dataclasses.replace(run.status(), old_score=73.2))
    at = watching(page, run)
    assert "former translations kept, BLEU **73.2**" in said(at)
    assert run.table().splitlines()[0].endswith("score,old_score")


def test_sliding_back_shows_the_alignment_of_that_step(page: AppTest, run: Run) -> None:
    at = watching(page, run)
    last = drawn(at)[0]["panels"][0]["weights"]
    at.select_slider(key=f"step-{run.id}").set_value(0).run()
    first = drawn(at)[0]["panels"][0]
    assert "step 0" in first["title"] and first["weights"] != last
    cross = run.traces()[0][1].attention_of("cross")
    assert cross is not None
    assert first["weights"][0] == pytest.approx(cross.weights[-1].mean(0)[0].tolist(), abs=1e-4)


def test_others_watch_but_do_not_touch(page: AppTest, run: Run) -> None:
    at = watching(owned(page, "f" * 32), run)
    assert not {"Delete this run", "Save", "■ Stop"} & set(labels(at))
    at.text_input(key=f"code-{run.id}").set_value("0" * 10).run()
    at.button(key="use code").click().run()
    assert "not the control code" in said(at)
    at.text_input(key=f"code-{run.id}").set_value(run_folder.control_code(OWNER, run.id)).run()
    at.button(key="use code").click().run()
    assert "Delete this run" in labels(at)


def test_a_code_that_was_just_typed_counts(page: AppTest, run: Run) -> None:
    at = watching(owned(page, "f" * 32), run)
    at.text_input(key=f"code-{run.id}").set_value(run_folder.control_code(OWNER, run.id))
    at.button(key="use code").click().run()
    assert "Delete this run" in labels(at)


def test_save_and_delete(page: AppTest, run: Run, root: Path) -> None:
    at = watching(owned(page), run)
    at.text_input(key=f"name-{run.id}").set_value("../../x").run()
    at.button(key="save").click().run()
    assert "letters, digits, spaces and dashes" in said(at)
    at.text_input(key=f"name-{run.id}").set_value("Backwards")
    at.button(key="save").click().run()  # in the same breath, as when the click is what leaves the text box
    assert list(run_folder.saved(root)) == ["Backwards"]
    assert "Saved as Backwards" in said(at)
    at.button(key="delete").click().run()
    assert run_folder.runs(root) == []
    assert "Start" in labels(at)


def test_an_earlier_run_is_a_starting_point(page: AppTest, run: Run) -> None:
    run.save_as("Backwards")
    page.run()
    assert "Go on with the run Backwards" in page.selectbox(key="from").options
    assert any(label.startswith("Backwards · ") for label in labels(page))


def test_a_run_whose_process_is_gone_can_be_resumed(page: AppTest, run: Run) -> None:
    run.write_status(dataclasses.replace(run.status(), state="running"))
    at = watching(owned(page), run)
    assert "interrupted" in said(at)
    at.button(key="resume").click().run()
    assert run.status().state == "queued"


@pytest.mark.parametrize("name", ["0123456789ab", "../../etc", "<b>"])
def test_a_run_that_is_not_there_is_said(page: AppTest, name: str) -> None:
    page.query_params["run"] = name
    assert "no such run" in said(page.run())
    assert "Start" in labels(page)


def test_a_damaged_run_is_said_and_disturbs_nothing(page: AppTest, run: Run) -> None:
    (run.folder / "config.json").write_text("{")
    assert "damaged" in said(watching(page, run))
    page.query_params.clear()
    page.run()
    assert any("damaged" in label for label in labels(page))


def test_a_damaged_model_is_said(page: AppTest, run: Run) -> None:
    (run.best / "model.safetensors").write_bytes(b"x")
    at = watching(page, run)
    assert "is damaged" in said(at) and str(run.folder) not in said(at)
    assert len(drawn(at)) == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "nothing in it"),
        (b" \n\n", "nothing in it"),
        (b"one column\nanother\n", "no usable row"),
        ("a\tb\n".encode("utf-16"), "UTF-16"),
        ("a b c\td e f\n".encode("utf-16-le") * 20, "no text file"),
        (b"\x1f\x8b" + bytes(range(256)), "compressed"),
        (b"PK\x03\x04" + b"x" * 100, "compressed"),
        (bytes(range(256)) * 9, "no text file"),
        (b"a\tb\n" * 1_300_000, "5 MB"),
        (b"a\tb\n" * 100_002, "100,000 rows"),
        (("x" * 5000 + "\ty\n").encode(), "more than 1000 characters"),
        ("é\té\n".encode("latin-1") * 9, "UTF-8"),
    ],
)
def test_what_is_no_table_of_pairs_is_said(content: bytes, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence) as caught:
        check(content)
    assert "/tmp" not in str(caught.value)


def test_traditional_sources_are_read_as_simplified_ones() -> None:
    rows = "\n".join(["學生\tstudent", "学生\tstudent", "桌子\ttable"])
    found = check(rows.encode(), "zh", "en")
    assert found.pairs == (("学生", "student"), ("桌子", "table"))
    assert any("simplified" in note for note in found.notes)
    assert ("學生", "student") in check(rows.encode()).pairs, "of a language that nobody named"


def test_swapped_columns_are_noticed() -> None:
    rows = "".join(f"sentence {i}\t句子{i}\n" for i in range(30)).encode()
    assert any("swapped" in note for note in check(rows, "zh", "en").notes)
    assert check(rows, "en", "zh").notes == ()
    assert check(rows).notes == ()
