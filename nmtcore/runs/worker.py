"""The worker of a run: train it, and write its progress into its folder."""

import contextlib
import dataclasses
import math
import os
import shutil
import threading
import traceback
from typing import Any

import torch
from safetensors import SafetensorError

from nmtcore.config import is_autoregressive
from nmtcore.decoding.decode import force
from nmtcore.decoding.trace import Trace
from nmtcore.errors import DivergedError, NmtError
from nmtcore.evaluation.alignment_error import measure
from nmtcore.evaluation.cards import EXACT, Card
from nmtcore.evaluation.gold_alignments import Aligned, from_links
from nmtcore.evaluation.references import group_references
from nmtcore.evaluation.validation import Scorer
from nmtcore.files import read_json, write_json
from nmtcore.intervention import ATTENTION_KINDS
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.runs import cost
from nmtcore.runs.card import write_card
from nmtcore.runs.config import RunConfig, RunError, Status
from nmtcore.runs.disk_errors import FULL
from nmtcore.runs.preparation import FEWEST, SCORED, device, prepare_run
from nmtcore.runs.run_folder import Run
from nmtcore.system.processes import usable_cores
from nmtcore.training.corpus import Pair
from nmtcore.training.events import Done, Event, Progress, Saved, Validation
from nmtcore.training.loop import fit, follow
from nmtcore.training.material import Prepared

ALIGNED = 10  # unseen pairs whose attention is compared with exact links
MAX_WEIGHTS = 1_000_000  # attention weights in a stored trace, about 10 MB of JSON
WATCH_SECONDS = 0.2  # between checks for STOP
DIVERGED = 3.0  # ratio to the loss of guessing from which no run recovers in time
SMALL = 1_000_000  # parameters below which more threads do not help


class Worker:
    """Trains one run and records what happens. threads: of the CPU; 0 for a number that suits this machine."""

    def __init__(self, run: Run, threads: int = 0) -> None:
        self.run, self.threads = run, threads
        self.config: RunConfig = run.config()
        self.state = run.folder / "state"
        self.stopping = threading.Event()
        self.old_score: float | None = None  # at the last evaluation
        self.aligned: list[Aligned] = []  # unseen pairs with exact links, if the exercise has links that can be wrong
        self.alignment_error: float | None = None  # of these pairs at the last evaluation, in percent
        self.status = dataclasses.replace(run.status(), state="running", message="", seconds_left=None, pid=os.getpid())
        self.resumed = (self.state / "state.json").exists()
        self.cost_known = False  # whether the log already contains the cost, maybe from before the run was resumed

    def work(self) -> None:
        """Train until the end or until asked to stop; the status records which."""
        self._update_status(self.status)
        threading.Thread(target=self._watch, daemon=True).start()
        pairs, state = [Pair(*pair) for pair in self.run.pairs()], self.state if self.resumed else None
        prepared, self.rehearsal = prepare_run(self.config, pairs, self.run.folder / "start", state)
        self.begun = prepared.begun
        measure = EXACT if self.config.exercise else "BLEU"
        self.card = Card(prepared, f"Run {self.run.id} of the Fine-tune page", measure)
        model = self.begun.model
        size = checkpoint.parameters(model)
        torch.set_num_threads(self.threads or (1 if size < SMALL else max(1, usable_cores() - 1)))
        step = self._resume_at()
        precision = prepared.training.precision
        self._update_status(dataclasses.replace(self.status, parameters=size, precision=precision, step=step or 0))
        if step is not None:
            self.run.truncate_after(step if self.resumed else -1)
        self.cost_known = any(event["event"] == "cost" for event in self.run.events())
        if not self.resumed:
            counts = {"pairs": len(prepared.data.pairs), "rehearsed": len(self.rehearsal.train)}
            self._log(0, "begun", parameters=size, **counts)
            self._trace(0, model)
        if self._train(model, prepared):
            self._finish(model)
        else:
            self.resumed = True  # from the saved state, which is later than the last reported progress
            step = self._resume_at() or self.status.step
            self._update_status(dataclasses.replace(self.status, state="stopped", step=step, seconds_left=0.0))

    def _resume_at(self) -> int | None:
        """The step to resume at; None if the state is damaged, which `fit` reports."""
        if not self.resumed:
            return 0
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            return int(read_json(self.state / "state.json")["step"])
        return None

    def _train(self, model: Seq2Seq, prepared: Prepared) -> bool:
        """Train; return whether training reached its end."""
        scored = prepared.unseen[:SCORED]
        if is_autoregressive(self.config.architecture):  # alignments need forced decoding
            self.aligned = exact_links(self.config, scored)

        def score(best: Seq2Seq) -> tuple[float, tuple[str, ...]]:
            self.old_score = self._old_score(best)
            self.alignment_error = self._alignment_error(best)
            return self._scorer(scored)(best)

        events = fit(
            model,
            prepared.data,
            prepared.validation,
            prepared.training,
            state=self.state,
            resume=self.resumed,
            save_model=self._save_model,
            translate=score,
        )

        def record(event: Event) -> None:
            self._record(event, model)
            if isinstance(event, Validation):
                self._measure_cost(event.step, model, prepared)

        return follow(events, record, self.stopping.is_set)

    def _record(self, event: Event, model: Seq2Seq) -> None:
        if not self.run.folder.joinpath("config.json").exists():
            raise RunError("This run was deleted while it trained.")
        if isinstance(event, Saved):
            return
        row = dataclasses.asdict(event)
        changes: dict[str, Any] = {}
        if isinstance(event, Progress):
            changes = {"total": event.total, "seconds_left": event.seconds_left}
        elif isinstance(event, Validation):
            row["score"] = row.pop("bleu")
            measured = {"old_score": self.old_score, "alignment_error": self.alignment_error}
            row |= {name: value for name, value in measured.items() if value is not None}
            changes = {"score": event.bleu, "old_score": self.old_score}
        elif isinstance(event, Done):
            changes = {"seconds": round(event.seconds, 2)}
        self._log(name=type(event).__name__.lower(), **row)
        self._update_status(dataclasses.replace(self.status, step=event.step, **changes))
        if isinstance(event, Progress):
            self._check_convergence(event, model)
        elif isinstance(event, Validation):
            self._trace(event.step, model)

    def _measure_cost(self, step: int, model: Seq2Seq, prepared: Prepared) -> None:
        """Measure the cost once, after the first evaluation, so that it does not delay the start."""
        if not self.cost_known:
            self._log(step, "cost", **cost.measured(model.config, prepared.data.epoch(0), model.device))
            self.cost_known = True

    def _check_convergence(self, event: Progress, model: Seq2Seq) -> None:
        """Raise DivergedError if the loss is far above that of guessing, after recording a last Trace for the film."""
        guess = math.log(len(self.begun.vocab))  # loss of a uniform guess
        if event.loss > DIVERGED * guess:
            with contextlib.suppress(NmtError):  # NaN weights cannot be drawn
                self._trace(event.step, model)
            raise DivergedError(
                f"The training diverged: at step {event.step:,} the loss is {event.loss:.1f}; guessing among all "
                f"pieces gives {guess:.1f}. Use a lower learning rate, a longer warm-up, or clip the gradient."
            )

    def _finish(self, model: Seq2Seq) -> None:
        """Evaluate the best weights, now in `model`, on sources longer than any in training."""
        task = self.config.task
        longer = None
        sources = [source for source, _ in self.run.pairs()]
        self._score_by_length(model, sources)
        long_pairs = task.long_pairs(SCORED, sources) if task is not None else []
        if long_pairs and not self.stopping.is_set():
            longer, samples = self._scorer([Pair(*pair) for pair in long_pairs])(model)
            self._log(self.status.step, "longer", score=longer, samples=samples)
        self._update_status(dataclasses.replace(self.status, state="done", longer=longer, seconds_left=0.0))
        if self.run.has_model:
            write_card(self.run)

    def _score_by_length(self, model: Seq2Seq, sources: list[str]) -> None:
        """Accuracy by length: words in the right place, in new strings 1/4, 1/2 and 1 times as long as the longest.

        Bahdanau et al. (2015) plot BLEU by length, to show the cost of one vector for a whole sentence. Exact match
        would be 0 as soon as most strings have some wrong words, and would not tell how many.
        """
        task = self.config.task
        if task is None or not task.length:
            return
        lengths = sorted({len(source.split()) for source in sources})
        measured = [length for length in (lengths[-1] // 4, lengths[-1] // 2, lengths[-1]) if length in lengths]
        scores: dict[int, float] = {}
        for length in measured:
            if self.stopping.is_set():
                return
            # Training pairs have other seeds.
            examples = task.pairs_of_length(length, SCORED, seed=0, without=set(sources))
            if len(examples) < FEWEST:  # nearly all strings of a small length were in training
                continue
            scorer = self._scorer([Pair(*example) for example in examples])
            outputs = zip(scorer.items, scorer.translate(model), strict=True)
            right = [task.right_words(item.source, output) for item, output in outputs]
            scores[length] = round(100 * sum(right) / len(right), 1)
        self._log(self.status.step, "by_length", lengths=list(scores), scores=list(scores.values()))

    def _scorer(self, pairs: list[Pair]) -> Scorer:
        return Scorer(group_references(pairs), self.begun.vocab, self.config.target, self.config.task)

    def _old_score(self, model: Seq2Seq) -> float | None:
        """BLEU against former translations of sentences that are not trained on; None without rehearsal."""
        former = group_references(self.rehearsal.held_out)
        return Scorer(former, self.begun.vocab, self.config.target)(model)[0] if former else None

    def _alignment_error(self, model: Seq2Seq) -> float | None:
        """Alignment error rate on unseen pairs, in percent; None without exact links, or without attention."""
        if not self.aligned:
            return None
        checked = Checkpoint(accelerate(model.eval()), self.begun.vocab, "", {})
        measured = measure(checked, self.aligned, linked_only=True)
        return None if measured is None else round(100 * measured["aer"], 2)

    def _trace(self, step: int, model: Seq2Seq) -> None:
        """Record the Trace of the pinned pair by forced decoding."""
        source, target = self.config.pinned
        name = self.config.began_with or self.config.architecture
        checked = Checkpoint(accelerate(model.eval()), self.begun.vocab, name, {})
        trace = dataclasses.replace(force(checked, source, target), beam=())  # a forced path has no rivals to show
        trace = keep_small(trace)
        self.run.append("traces.jsonl", {"step": step, "trace": trace.to_json()})

    def _save_model(self, best: Seq2Seq, validation: Validation, seconds: float) -> None:
        begun = self.begun.meta
        meta = {
            "name": f"run/{self.run.id}",
            "source": self.config.source,
            "target": self.config.target,
            "exercise": self.config.exercise,
            "began_with": self.config.began_with,
            "alignments_at_start": begun.get("alignments") or begun.get("alignments_at_start"),  # measured before
            "trained": {"step": validation.step, "validation_loss": round(validation.loss, 5)},
            **({"imported": self.card.imported} if self.card.imported else {}),
        }
        checkpoint.save(self.run.best, best, self.begun.vocab, meta, self.card.text(validation, seconds))
        self.status = dataclasses.replace(self.status, seconds=round(seconds, 2))

    def _log(self, step: int, name: str, **values: Any) -> None:
        self.run.append("events.jsonl", {"event": name, "step": step, **values})

    def _update_status(self, status: Status) -> None:
        self.status = status
        self.run.write_status(status)

    def _watch(self) -> None:
        """Watch for the file STOP, in a separate thread because a step can take long."""
        while not (self.run.folder / "STOP").exists():
            if self.stopping.wait(WATCH_SECONDS):
                return
        self.stopping.set()


def exact_links(config: RunConfig, pairs: list[Pair]) -> list[Aligned]:
    """Gold alignments of the first ALIGNED pairs of an exercise; none if attention cannot be on a wrong word."""
    task = config.task
    if task is None or not task.may_look_wrong:
        return []
    return [from_links(pair.source, pair.target, task.links(pair.source)) for pair in pairs[:ALIGNED]]


def keep_small(trace: Trace) -> Trace:
    """Limit the attention weights in a trace that is logged: drop the other kinds first, then cross attention."""
    for kinds in (ATTENTION_KINDS, ("cross",), ()):
        kept = tuple(attention for attention in trace.attention if attention.kind in kinds)
        if sum(attention.weights.size for attention in kept) <= MAX_WEIGHTS:
            break
    return dataclasses.replace(trace, attention=kept)


def failure_message(error: BaseException, config: RunConfig) -> str:
    """The error message of a run: a plain sentence about what ended it, and what to do."""
    text = str(error)
    full = isinstance(error, OSError) and error.errno in FULL
    if full or (isinstance(error, SafetensorError) and any(f"os error {number})" in text for number in FULL)):
        return "The disk is full: the run stopped at its last checkpoint, which is complete. Make room, then resume it."
    memory = ("out of memory", "can't allocate memory", "not enough memory")
    if isinstance(error, MemoryError | torch.OutOfMemoryError) or any(m in text.lower() for m in memory):
        half = max(1, config.training.batch_tokens // 2)
        return f"The memory of {config.device} is not enough: start again with batches of {half:,} pieces."
    if isinstance(error, NmtError):
        return text
    if isinstance(error, OSError):
        return f"A file could not be read or written: {error.strerror or error}."
    return f"The run ended with an unexpected error ({type(error).__name__}); log.txt in its folder describes it."


def work(run: Run, threads: int = 0) -> bool:
    """Train the run; return whether it succeeded. The run's status describes a failure."""
    try:
        device(run.config().device)  # before anything is loaded
        Worker(run, threads).work()
    except Exception as error:
        fail(run, error)
        return False
    return True


def fail(run: Run, error: Exception) -> None:
    """Record why the run ended."""
    for part in (*(run.folder / "state").glob(".state*"), *run.best.glob(".*")):  # partial checkpoints fill the disk
        part.unlink(missing_ok=True)
    try:
        message = failure_message(error, run.config())
    except RunError as damage:  # its folder was damaged or deleted in the meantime
        message = str(damage)
    status = dataclasses.replace(run.status(), state="failed", message=message, seconds_left=0.0)
    with contextlib.suppress(OSError):  # if not even this can be written, the run counts as interrupted
        write_json(run.folder / "status.json", dataclasses.asdict(status))
    if not isinstance(error, NmtError):
        traceback.print_exception(error)
    with contextlib.suppress(OSError):
        if {path.name for path in run.folder.iterdir()} <= {"model", "state", "status.json"}:
            shutil.rmtree(run.folder)  # files written after the run was deleted
