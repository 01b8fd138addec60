"""kill -9 in each kind of run: it counts as interrupted, resumes from its last checkpoint and finishes."""

from pathlib import Path
from typing import Any

import psutil
import pytest

from nmtcore.config import ARCHITECTURES
from nmtcore.models import checkpoint
from nmtcore.runs import queue, run_folder
from nmtcore.runs.config import OPEN
from nmtcore.runs.worker import work
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small
from tests.runs.helpers import REVERSE, config, last_checkpoint, until

PAIRS = [(f"the cat number {i}", f"le chat numéro {i}") for i in range(60)]
KINDS: dict[str, dict[str, Any]] = {
    "own pairs": {"exercise": "", "architecture": "transformer", "settings": ARCHITECTURES["transformer"].small},
    "all words at once": {"architecture": "mask-predict", "settings": ARCHITECTURES["mask-predict"].small},
    "one that goes on and rehearses": {
        **{"exercise": "", "architecture": "", "settings": {}, "began_with": "en-fr, Dot"},
        **{"source": "en", "target": "fr", "rehearsal": 0.5},
    },
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_run_goes_on(kind: str, tmp_path: Path, vocab: Vocab, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = config(**KINDS[kind], training={"max_steps": 30, "validate_every": 10})
    start = None
    if not asked.architecture:
        begun, start = small("dot", vocab), tmp_path / "begun"
        checkpoint.save(start, begun.model, vocab, begun.meta)
    root = tmp_path / "runs"
    pairs = REVERSE.pairs(200, length=4) if asked.exercise else PAIRS
    run, _ = run_folder.create(root, asked, pairs, "me", start)
    queue.start_queued(root)
    until(lambda: last_checkpoint(run) >= 15 or run.status().state not in OPEN)
    psutil.Process(run.status().pid).kill()
    until(lambda: not run.alive())
    assert run.status().state == "interrupted"
    kept = last_checkpoint(run)
    begun_with = {path: path.read_bytes() for path in (run.folder / "start").iterdir()}  # its rehearsal among them
    assert (run.folder / "start" / "rehearsal.tsv" in begun_with) == bool(asked.rehearsal)
    film = [step for step, _ in run.traces()]
    monkeypatch.setattr(queue, "_spawn", lambda *_: False)
    queue.resume(run)
    assert work(run)  # in this process, which has PyTorch loaded; `test_runs` resumes in another
    assert (run.status().state, run.status().step) == ("done", 30), run.status().message
    steps = [event["step"] for event in run.events()]
    assert steps == sorted(steps) and kept < 30
    assert [step for step, _ in run.traces()][: len(film)] == film and run.has_model
    assert {path: path.read_bytes() for path in begun_with} == begun_with
