"""Damaged folders of runs: whatever a record holds, reading a run gives values of the right types or RunError."""

import math
import random

import pytest

from nmtcore.commands.runs import describe
from nmtcore.errors import DataError
from nmtcore.figures.learning import animation, frames, learning_table, loss_curves, score_curve
from nmtcore.runs import queue, records
from nmtcore.runs.config import RunConfig, RunError, Status
from nmtcore.runs.export import curves_csv
from nmtcore.runs.run_folder import Run, runs, saved
from tests.runs.damage import versions

TRIED = 250  # of some thousands of damaged versions, drawn with a seed
DRAWN = 12  # of them also drawn as charts


def read_whole(run: Run, draw: bool) -> None:
    """Read everything that pages and commands ask of a run."""
    try:
        config = run.config()
        assert isinstance(config, RunConfig) and all(isinstance(side, str) for side in config.pinned)
        assert config.task is None or config.task.name == config.exercise
    except RunError:
        pass
    status = run.status()
    assert isinstance(status, Status) and status.step >= 0
    assert describe(run)
    assert isinstance(run.name(), str)
    run.allows(["0" * 10, "é"])
    run.is_of("me")
    root = run.folder.parent
    assert queue.waiting(root, "cpu") in ([], [run]) and queue.before(run) in (0, 1)
    assert queue.mark_interrupted(root) in ([], [run])
    saved(root)
    run.damaged_files()
    assert curves_csv(run)
    table = learning_table(run.events())
    assert all(isinstance(step, int) for step in table["step"])
    traces = run.traces()
    assert all(step >= 0 and math.isfinite(trace.log_probability) for step, trace in traces) or traces
    if traces:
        frames(traces, 0, "step {step}")
    if draw:
        names = {"training": "training", "validation": "validation"}
        loss_curves(table, "dot", max(status.total, 1), names, "step", "loss").to_dict()
        score_curve(table, "dot", max(status.total, 1), {"score": "score"}, "step").to_dict()
        if traces and traces[-1][1].attention:
            animation(traces, "run", "step {step}")


def test_no_damage_ends_in_an_error(run: Run) -> None:
    every = list(versions(run.folder))
    assert len(every) > 2 * TRIED
    draw = random.Random(19)
    for number, (name, content) in enumerate(draw.sample(every, TRIED)):
        path = run.folder / name
        whole = path.read_bytes()
        path.write_text(content)
        try:
            read_whole(run, draw=number % (TRIED // DRAWN) == 0)
        except Exception as error:
            raise AssertionError(f"{name}: {content[:300]}") from error
        path.write_bytes(whole)
    assert run.damaged_files() == ()


@pytest.mark.parametrize("name", ["config.json", "status.json", "owner.json", "name.json"])
@pytest.mark.parametrize("content", ["[", "[]", '"x"', "{}", '{"state": 5}', "[" * 9000, "1e308"])
def test_a_damaged_record_is_named(run: Run, name: str, content: str) -> None:
    (run.folder / name).write_text(content)
    assert run.damaged_files() == (name,)


def test_a_damaged_line_of_a_log_is_passed_over_and_half_a_line_is_no_damage(run: Run) -> None:
    events, traces = run.events(), run.traces()
    with open(run.folder / "events.jsonl", "a", encoding="utf-8") as file:
        file.write('{"event": "progress", "st')
    run.append("events.jsonl", {"event": "halved", "step": 7})
    assert run.damaged_files() == () and len(run.events()) == len(events) + 1
    run.append("events.jsonl", {"event": "halved", "step": 10**11})
    run.append("traces.jsonl", {"step": 3, "trace": {"format": 1}})
    assert run.damaged_files() == ("events.jsonl", "traces.jsonl")
    assert len(run.events()) == len(events) + 1 and run.traces() == traces
    run.truncate_after(10**9)  # resuming drops what is damaged
    assert "events.jsonl" not in run.damaged_files()


def test_what_a_diverged_training_could_not_work_out_is_no_damage(run: Run) -> None:
    run.append("events.jsonl", {"event": "validation", "step": 3, "loss": float("nan"), "samples": []})
    assert run.damaged_files() == ()
    assert run.events()[-1]["loss"] is None


def test_a_run_of_nobody_can_be_deleted_by_anybody(run: Run) -> None:
    assert not run.may_be_deleted_with(["somebody"]) and run.may_be_deleted_with(["me"])
    (run.folder / "owner.json").write_text('{"session": "x", "code": "é"}')
    assert not run.allows(["me"]) and run.may_be_deleted_with(["somebody"])
    run.delete()
    assert runs(run.folder.parent) == []


def test_pairs_that_cannot_be_read_are_said(run: Run) -> None:
    (run.folder / "pairs.tsv").write_bytes(b"\xff\xfe\t")
    with pytest.raises(RunError, match="pairs.tsv cannot be read"):
        run.pairs()


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (int, [0, -3], [True, 1.0, "1", None, 10**30]),
        (float, [0, 1.5], [True, "1", None, float("inf"), float("nan"), 1e308]),
        (bool, [True], [1, "x", None]),
        (str, ["", "é"], [1, None, ["x"]]),
        (float | None, [None, 2.0], ["", True]),
        (tuple[str, ...], [[], ["a", "b"]], ["ab", [1], None, {}]),
        (tuple[str, str], [["a", "b"]], [["a"], ["a", "b", "c"], "ab"]),
    ],
)
def test_a_value_has_its_declared_type(kind: object, good: list[object], bad: list[object]) -> None:
    for value in good:
        expected = tuple(value) if isinstance(value, list) else value
        assert records.parse(kind, value) == expected
    for value in bad:
        with pytest.raises(DataError, match="is damaged"):
            records.parse(kind, value)
