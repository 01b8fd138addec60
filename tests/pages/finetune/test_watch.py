"""The Fine-tune page with a run: what it shows, and who may touch it."""

import dataclasses
import json
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis.link_agreement import agreement_with_links
from nmtcore.config import model_config
from nmtcore.decoding.trace import AttentionMap
from nmtcore.models import checkpoint
from nmtcore.runs import run_folder
from nmtcore.runs.config import State
from nmtcore.runs.export import curves_csv
from nmtcore.runs.run_folder import Run
from nmtcore.text.words import name_at
from nmtcore.training.exercises import EXERCISES
from nmtcore.training.optimiser import learning_rate
from pages.finetune.film import firsts, picture_height
from pages.finetune.wording import missed_goal
from tests.helpers import small
from tests.pages.finetune.helpers import OWNER, drawn, labels, owned, said, watching
from tests.pages.helpers import component_data


def test_a_finished_run_shows_its_scores_both_models_and_curves_with_formulas(page: AppTest, run: Run) -> None:
    at = watching(owned(page), run)
    assert "**done**" in said(at) and "step 40 of 40" in said(at)
    assert "exact match on held-out pairs" in said(at) and "longer than any in training" in said(at)
    pinned, compared = drawn(at)
    assert pinned["panels"][0]["target"] == ["▁3", "▁2", "▁1", "<eos>"]
    assert "step 40" in pinned["panels"][0]["title"] and pinned["height"] == picture_height(4)
    assert [panel["title"] for panel in compared["panels"]] == ["Dot before training", "Dot after training"]
    assert {"Delete this run", "Save"} <= set(labels(at))
    assert not at.get("progress") and "below the goal of 99%" in said(at)
    at.text_input(key=f"try-{run.id}").set_value("4 5").run()
    assert drawn(at)[1]["sentence"] == "4 5"
    training = run.config().training
    formula = r"\eta_t=0.001\min(\tfrac{t}{5},\tfrac{41-t}{36})"
    assert formula in said(at) and r"\log P(y_j\mid y_{<j},x)" in said(at)
    model = model_config("dot", 10)
    rates = [learning_rate(t, 40, training, model) for t in range(1, 41)]
    assert rates == pytest.approx([0.001 * min(t / 5, (41 - t) / 36) for t in range(1, 41)])
    savers = [e.proto for e in at.get("bidi_component") if e.proto.component_name == "save_figure"]
    titles = [json.loads(saver.json)["title"] for saver in savers]
    what = f"Strings: reverse the digits · Dot · run {run.id}"
    assert titles == [f"Loss · {what}", f"exact match on held-out pairs · {what}"]


def test_a_run_that_works_has_a_bar_and_the_time_that_is_left(
    page: AppTest, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Run, "alive", lambda _run: True)
    run.write_status(dataclasses.replace(run.status(), state="running", step=30, seconds_left=42.0))
    at = watching(page, run)
    (bar,) = at.get("progress")
    assert bar.proto.value == 75 and "about 42 s left" in said(at)
    assert said(at).count("pieces a second") == 1, "one speed, in one place"
    run.write_status(dataclasses.replace(run.status(), seconds_left=None))
    assert "step 30 of" in said(watching(page, run)) and not re.search(r"\d s left", said(at))


def test_what_to_try_is_said_of_a_run_that_missed_its_goal_in_all_its_time(run: Run) -> None:
    config, done = run.config(), run.status()
    assert "below the goal of 99%" in missed_goal(config, done)
    assert not missed_goal(config, dataclasses.replace(done, score=99.0))
    assert not missed_goal(config, dataclasses.replace(done, state="stopped", score=12.0))


def test_both_scores_stand_side_by_side_and_short_memory_is_said(page: AppTest, run: Run) -> None:
    rows = [{**event, "old_score": 73.2} if event["event"] == "validation" else event for event in run.events()]
    (run.folder / "events.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run.append("events.jsonl", {"event": "halved", "step": 1234})
    run.write_status(dataclasses.replace(run.status(), old_score=73.2))
    at = watching(page, run)
    assert "from step 1,234 on, each batch is processed in two halves" in said(at)
    assert "earlier translations kept, BLEU **73.2**" in said(at)
    assert curves_csv(run).splitlines()[0].endswith("score,old_score,alignment_error")


def test_others_watch_but_do_not_touch(page: AppTest, run: Run) -> None:
    at = watching(owned(page, "f" * 32), run)
    assert not {"Delete this run", "Save", "■ Stop"} & set(labels(at))
    at.text_input(key=f"code-{run.id}").set_value("0" * 10).run()
    at.button(key="use code").click().run()
    assert "not the control code" in said(at)
    at.text_input(key=f"code-{run.id}").set_value(run_folder.control_code(OWNER, run.id))
    at.button(key="use code").click().run()  # at the same moment, as when the click leaves the text box
    assert "Delete this run" in labels(at)


def test_save_and_delete(page: AppTest, run: Run, root: Path) -> None:
    at = watching(owned(page), run)
    at.text_input(key=f"name-{run.id}").set_value("../../x").run()
    at.button(key="save").click().run()
    assert "letters, digits, spaces and dashes" in said(at)
    at.text_input(key=f"name-{run.id}").set_value("Backwards")
    at.button(key="save").click().run()  # at the same moment here too
    assert list(run_folder.saved(root)) == ["Backwards"]
    assert "Saved as Backwards" in said(at)
    at.button(key="delete").click().run()
    assert run_folder.runs(root) == []
    assert "Start" in labels(at)


@pytest.mark.parametrize(("state", "says"), [("failed", "The disk is full."), ("running", "interrupted")])
def test_a_run_that_failed_or_whose_process_is_gone_is_resumed(
    page: AppTest, run: Run, state: State, says: str
) -> None:
    run.write_status(dataclasses.replace(run.status(), state=state, message="The disk is full."))
    at = watching(owned(page), run)
    assert says in said(at)
    at.button(key="resume").click().run()
    assert run.status().state == "queued"


def test_a_tour_leads_through_a_finished_run(page: AppTest, run: Run) -> None:
    found = component_data(watching(page, run), "tour")["steps"]
    assert 6 <= len(found) <= 10
    says = " ".join(step["says"] for step in found)
    assert f"after {run.status().step:,} of {run.status().total:,} steps" in says
    step, trace = run.traces()[-1]
    cross = trace.known_attention("cross")
    found = re.search(rf"At training step {step:,} the model looked mainly at “(.+)” for “(.+)”", says)
    assert found
    weights = cross.matrix(cross.layers - 1, "mean")
    pairs = [(name_at(trace.target, j), name_at(trace.source, int(row.argmax()))) for j, row in enumerate(weights)]
    assert (found[2], found[1]) in pairs
    page.query_params["film-step"] = "20"
    earlier = " ".join(step["says"] for step in component_data(watching(page, run), "tour")["steps"])
    assert "At training step 20 the model looked" in earlier, "the tour is about the step on the screen"


def test_a_small_picture_of_the_film_is_a_button_and_its_step_is_in_the_address(page: AppTest, run: Run) -> None:
    at = watching(page, run)
    last = drawn(at)[0]["panels"][0]["weights"]
    assert "step" not in at.query_params
    at.button(key="frame-0").click().run()
    assert at.query_params["film-step"] == ["0"] or at.query_params["film-step"] == "0"
    first = drawn(at)[0]["panels"][0]
    assert "step 0" in first["title"] and at.select_slider[0].value == 0 and first["weights"] != last
    cross = run.traces()[0][1].known_attention("cross")
    assert first["weights"][0] == pytest.approx(cross.weights[-1].mean(0)[0].tolist(), abs=1e-4)
    marked = [json.loads(chart.proto.spec) for chart in at.get("vega_lite_chart")]
    assert all(any(layer["mark"]["type"] == "rule" for layer in spec["layer"]) for spec in marked)
    at.button(key="frame-2").click().run()
    assert "step" not in at.query_params and "step 40" in drawn(at)[0]["panels"][0]["title"]


@pytest.mark.parametrize(("asked", "shown"), [("20", 20), ("39", 20), ("999999", 40), ("-3", 40), ("x", 40)])
def test_a_link_opens_at_its_step(page: AppTest, run: Run, asked: str, shown: int) -> None:
    page.query_params["film-step"] = asked
    at = watching(page, run)
    assert at.select_slider[0].value == shown
    assert f"at step {shown}" in drawn(at)[0]["panels"][0]["title"]


def test_it_is_said_when_the_right_alignment_was_first_seen(page: AppTest, run: Run) -> None:
    right = np.zeros((1, 1, 4, 4), dtype=np.float32)
    right[0, 0, [0, 1, 2, 3], [2, 1, 0, 3]] = 1
    step, trace = run.traces()[1]
    assert step == 20
    right_trace = dataclasses.replace(trace, attention=(AttentionMap("cross", trace.target, trace.source, right),))
    rows = [{"step": s, "trace": (right_trace if s == 20 else t).to_json()} for s, t in run.traces()]
    (run.folder / "traces.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "first reached at step **20**" in said(watching(page, run))


def test_a_fine_tuned_transformer_is_drawn_by_the_best_head_of_its_start(page: AppTest, run: Run) -> None:
    vocab = checkpoint.load(run.best).vocab
    model = small("transformer", vocab)
    for folder, measured in ((run.folder / "start", {"best": {"layer": 0, "head": 1}}), (run.best, None)):
        checkpoint.save(folder, model.model, vocab, {"source": "source", "target": "target", "alignments": measured})
    right = np.full((2, 2, 4, 4), 0.25, dtype=np.float32)
    right[0, 1] = np.eye(4)[[2, 1, 0, 3]]
    seen = [
        (step, dataclasses.replace(trace, attention=(AttentionMap("cross", trace.target, trace.source, right),)))
        for step, trace in run.traces()
    ]
    rows = [{"step": step, "trace": trace.to_json()} for step, trace in seen]
    (run.folder / "traces.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    at = watching(page, run)
    film, compared = drawn(at)
    assert film["panels"][0]["weights"] == right[0, 1].tolist()
    assert [panel["caption"][1] for panel in compared["panels"]] == ["layer 1, head 2"] * 2
    assert f"first reached at step **{seen[0][0]}**" in said(at)
    assert f"first reached at step **{seen[0][0]}**" not in firsts(run.config(), seen, [])


def test_where_a_source_has_one_word_no_alignment_is_called_the_right_one(run: Run) -> None:
    """Attention has no choice: the first step would always be named."""
    spell = EXERCISES["spell"]
    config = dataclasses.replace(run.config(), exercise=spell.name, pinned=("100", spell.answer("100")))
    step, trace = run.traces()[0]
    source, target = ("▁1", "0", "0", "<eos>"), ("▁one", "▁hund", "red", "<eos>")
    right = AttentionMap("cross", target, source, np.eye(4, dtype=np.float32)[None, None])
    steps = tuple(one._replace(token=piece) for one, piece in zip(trace.steps, target, strict=True))
    only = dataclasses.replace(trace, source=source, target=target, steps=steps, attention=(right,))
    assert agreement_with_links(only, spell.links("100")) == 1
    assert firsts(config, [(step, only)], []) == ""


def test_the_picture_has_room_for_all_rows_of_a_long_sentence() -> None:
    assert picture_height(4) == picture_height(11) == 245
    assert picture_height(22) >= 22 * 14 + 60 and picture_height(22) < picture_height(25) < picture_height(200) <= 430


def test_the_film_goes_on_when_a_browser_sends_the_step_that_was_newest(page: AppTest, run: Run) -> None:
    """It asked for the next update before it had drawn the last; a person's slide still counts."""
    file = run.folder / "traces.jsonl"
    kept = file.read_text()
    file.write_text("".join(kept.splitlines(keepends=True)[:-1]))
    at = watching(owned(page), run)
    stale = at.select_slider[0]
    assert stale.value == 20
    file.write_text(kept)
    at.run()
    assert at.select_slider[0].value == 40 and at.select_slider[0].key != stale.key
    at.select_slider[0].set_value(20).run()
    assert at.query_params["film-step"] in ("20", ["20"]) and at.select_slider[0].value == 20
    slid = at.select_slider[0].key
    assert at.run().select_slider[0].key == slid, "who slides on with the keys keeps the slider"
