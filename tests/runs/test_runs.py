"""Runs: the files of one, exact resuming after kill -9, stopping, and an exercise that is learned."""

import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from nmtcore.models import checkpoint
from nmtcore.runs import queue, run_folder
from nmtcore.runs.config import OPEN, RunConfig, RunError
from nmtcore.runs.export import curves_csv
from nmtcore.runs.records import scores_by_length
from nmtcore.runs.run_folder import Run
from nmtcore.runs.worker import Worker, work
from nmtcore.training.config import TrainingConfig
from tests.paths import ROOT
from tests.runs.helpers import REVERSE, end_processes, last_checkpoint, losses, make, same_weights, until


def test_a_run_leaves_all_that_a_page_shows(finished: Run) -> None:
    status = finished.status()
    assert (status.state, status.step, status.total, status.message) == ("done", 40, 40, "")
    assert status.score is not None and status.longer is not None and 0 <= status.score <= 100
    assert status.parameters > 100
    kinds = [event["event"] for event in finished.events()]
    assert kinds[0] == "begun" and kinds[-3:] == ["done", "by_length", "longer"]
    assert list(scores_by_length(finished.events())) == [2, 4]  # strings of 2 to 4 were in training, none of 1
    assert [step for step, _ in losses(finished)] == [20, 40]
    for event in finished.events():
        if event["event"] == "validation":
            source, output, reference = event["samples"][0].split("\t")
            assert reference == REVERSE.answer(source)
    columns = "event,step,epoch,loss,learning_rate,tokens_per_second,score,old_score,alignment_error"
    assert curves_csv(finished).splitlines()[0] == columns
    assert kinds.count("cost") == 1


def test_the_pinned_sentence_is_traced_from_step_zero_with_the_same_axes(finished: Run) -> None:
    traces = finished.traces()
    assert all(trace.beam == () for _, trace in traces)  # a forced path has no rivals to show
    assert [step for step, _ in traces] == [0, 20, 40]
    for _, trace in traces:
        assert trace.target == ("▁3", "▁2", "▁1", "<eos>")
        cross = trace.attention_of("cross")
        assert cross is not None and cross.weights.shape[-2:] == (4, 4)
    first, last = (trace.log_probability for _, trace in (traces[0], traces[-1]))
    assert last > first  # it has learned something


def test_the_best_and_the_first_model_can_be_loaded(finished: Run) -> None:
    for folder in (finished.best, finished.folder / "start"):
        assert checkpoint.load(folder).config.architecture == "dot"
    assert checkpoint.load(finished.best).name == f"run/{finished.id}"
    assert not same_weights(finished.best, finished.folder / "start")


def test_a_run_that_was_killed_twice_ends_like_one_that_was_not(
    finished: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once before its first validation and once after it, the second time to go on in this process."""
    run = make(tmp_path)
    queue.start_queued(tmp_path)
    for kill_after in (7, 23):
        until(lambda least=kill_after: last_checkpoint(run) >= least or run.status().state not in OPEN)
        psutil.Process(run.status().pid).kill()
        until(lambda: not run.alive())
        assert run.status().state == "interrupted"
        kept = last_checkpoint(run)
        assert kill_after <= kept <= 40
        assert [r.id for r in queue.mark_interrupted(tmp_path)] == [run.id]
        assert json.loads((run.folder / "status.json").read_text())["state"] == "interrupted"
        begun_with = {path: path.read_bytes() for path in (run.folder / "start").iterdir()}
        if kill_after == 23:
            monkeypatch.setattr(queue, "_spawn", lambda *_: False)
        queue.resume(run)
    assert work(run) and run.status().state == "done"
    assert losses(run) == losses(finished)
    assert same_weights(run.best, finished.best)
    assert {path: path.read_bytes() for path in begun_with} == begun_with
    assert [step for step, _ in run.traces()] == [0, 20, 40]
    steps = [event["step"] for event in run.events()]
    assert steps == sorted(steps)


def test_a_stop_is_acknowledged_at_once_and_goes_on_exactly(finished: Run, tmp_path: Path) -> None:
    """It does not wait for a checkpoint or a validation: there is none before a hundred million updates."""
    far = 10**8
    run = make(tmp_path, training={"epochs": 10**5, "max_steps": far, "checkpoint_every": far, "validate_every": far})
    queue.start_queued(tmp_path)
    until(lambda: run.status().step >= 10)
    run.stop()
    assert run.status().state in ("stopping", "stopped")
    until(lambda: run.status().state not in OPEN)
    assert run.status().state == "stopped"
    stopped = last_checkpoint(run)
    assert run.status().step == stopped >= 10
    until(lambda: not run.alive())
    queue.resume(run)
    until(lambda: run.status().step > stopped)
    assert [e["step"] for e in run.events()] == sorted(e["step"] for e in run.events())
    with pytest.raises(RunError, match="still working"):
        run.delete()
    end_processes()
    run.delete()
    assert not run.folder.exists() and list(tmp_path.glob("*[0-9a-f]")) == []


def test_a_process_that_loads_and_trains_leaves_out_ray_and_torchs_compiler(tmp_path: Path) -> None:
    """The compiler would come with arithmetic on the device `meta`, and with torch's optimisers: 1.3 s and 70 MB."""
    script = """if True:
        import sys
        from pathlib import Path
        import nmtcore.commands
        import nmtcore.runs.queue
        from nmtcore.models.checkpoint import load
        from nmtcore.runs.worker import Worker, work
        from tests.runs.helpers import make
        load("pretrained/en-fr/transformer")
        run = make(Path(sys.argv[1]), training={"max_steps": 2})
        Worker(run).work()
        print(run.status().state, {"ray", "torch._dynamo", "sympy"} & set(sys.modules))
    """
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "done set()\n"


def test_reverse_reaches_its_mark_and_its_attention_the_anti_diagonal(tmp_path: Path) -> None:
    run = run_folder.create(
        tmp_path,
        RunConfig(
            TrainingConfig(
                epochs=1000,
                max_steps=300,
                batch_tokens=600,
                learning_rate=6e-3,
                warmup=40,
                label_smoothing=0.0,
                precision="fp32",
                validate_every=50,
            ),
            ("1 2 3 4 5", "5 4 3 2 1"),
            "reverse",
            architecture="dot",
            settings={"embedding": 32, "units": 48, "dropout": 0.0},
        ),
        REVERSE.pairs(3000, length=5),
        "me",
    )[0]
    Worker(run).work()
    scores = [event["score"] for event in run.events() if event["event"] == "validation"]
    assert max(scores) >= 100 * REVERSE.goal, scores
    _, trace = run.traces()[-1]
    cross = trace.known_attention("cross")
    assert cross.weights[-1, 0].argmax(-1).tolist()[:5] == [4, 3, 2, 1, 0]
