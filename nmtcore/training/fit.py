"""Training: `fit` is one generator that yields what happens, so that a bar, a page or a test can watch it."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import json
import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from nmtcore.config import ModelConfig, TrainingConfig, TransformerConfig
from nmtcore.errors import CheckpointError, DataError, OutOfMemory, SettingError
from nmtcore.models.checkpoint import own_weights
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.training.batches import Batch, Batches, TrainingData
from nmtcore.training.events import Done, Event, Halved, Saved, Validation
from nmtcore.training.loss import mean_loss
from nmtcore.training.meter import Meter
from nmtcore.training.parallel import ALONE, Gradient, Group, Stopped

RESUMABLE = {"epochs", "max_steps", "patience", "checkpoint_every", "keep"}  # settings that a resumed run may change

Translate = Callable[[Seq2Seq], tuple[float, tuple[str, ...]]]  # BLEU and a few sample translations
Ship = Callable[[Seq2Seq, Validation, float], None]  # the best model, how good it is, seconds of training


def learning_rate(step: int, total: int, config: TrainingConfig, model: ModelConfig) -> float:
    """The rate of update `step`, counted from 1, of `total`."""
    warmup = max(config.warmup, 1)
    if config.schedule == "noam":  # Vaswani et al. 2017, eq. 3
        width = model.width if isinstance(model, TransformerConfig) else model.units
        return config.learning_rate / math.sqrt(width) * min(1 / math.sqrt(step), step / math.pow(warmup, 1.5))
    rate = config.learning_rate * min(1.0, step / warmup)
    if config.schedule == "linear" and step > warmup:
        rate *= max(total - step + 1, 1) / max(total - warmup + 1, 1)
    return rate


def fit(
    model: Seq2Seq,
    data: TrainingData,
    validation: Batches,
    config: TrainingConfig,
    *,
    state: Path | None = None,
    resume: bool = False,
    ship: Ship | None = None,
    translate: Translate | None = None,
    group: Group = ALONE,
) -> Iterator[Event]:
    """Train `model` where it is and yield events; at Done it has the weights of the best validation.

    state: a folder for what resuming needs, written every `checkpoint_every` updates, after every
    validation and when the generator is closed. ship: called with the best model whenever it got better.
    group: of processes that train together (parallel.py); all call `fit` with the same, process 0 alone writes,
    translates and ships, and closing its generator ends those of the others.
    Raises DataError without validation rows or for too long ones, CheckpointError for a state that is damaged
    or of another run, SettingError when the loss is no longer a number, OutOfMemory.
    """
    if not validation.sources:
        raise DataError("There are no validation pairs: give more sentences that are not linked to each other.")
    run = TrainingState(model, data, config, group)
    _check_room(model, run.batches, validation)
    if resume:
        if state is None:
            raise SettingError("Resuming needs the folder of the run's state.")
        run.load(state)
    if group.rank:
        with contextlib.suppress(Stopped):
            yield from _events(run, validation, None, None, None)
        return
    try:
        yield from _events(run, validation, state, ship, translate)
    except GeneratorExit:
        if not run.finished() or run.validation_due():  # else the others are at their end too
            group.broadcast(go_on=False)
        if state is not None:
            run.save(state)
        raise


def _check_room(model: Seq2Seq, *every: Batches) -> None:
    """Raises DataError for rows that a model with a table of positions cannot hold."""
    rows = [max(len(s), len(t)) for batches in every for s, t in zip(batches.sources, batches.targets, strict=True)]
    if long := sum(length > model.max_length for length in rows):
        raise DataError(
            f"{long:,} pairs are longer than the {model.max_length:,} positions that the model learns; the longest has "
            f"{max(rows):,} pieces. Leave them out, or choose another kind of positions."
        )


def _events(
    run: TrainingState, validation: Batches, state: Path | None, ship: Ship | None, translate: Translate | None
) -> Iterator[Event]:
    saved = run.step
    meter = Meter(run)
    while True:
        if run.validation_due():
            found = run.validate(validation, translate)
            if found.better and ship is not None:
                ship(run.shipped, found, run.seconds)
                yield Saved(run.step, "model")
            yield found
            meter.restart()
        reason = run.finished()
        due = reason or run.validated == run.step or run.step % run.config.checkpoint_every == 0
        if state is not None and due and saved != run.step:
            run.save(state)
            saved = run.step
            yield Saved(run.step, "state")
            meter.restart()
        if reason:
            run.finish()
            yield Done(run.step, run.best_step, run.best_loss, run.seconds, reason)
            return
        parts = run.gradient.parts
        loss, tokens = run.update()
        if run.gradient.parts > parts:
            yield Halved(run.step)
        progress = meter.add(loss, tokens)
        if progress is not None:
            yield progress


class TrainingState:
    """The state of a training: all that changes from one update to the next."""

    def __init__(self, model: Seq2Seq, data: TrainingData, config: TrainingConfig, group: Group = ALONE) -> None:
        self.model, self.data, self.config, self.group = model, data, config, group
        self.parameters = [p for p in model.parameters() if p.requires_grad]
        for parameter in self.parameters:  # a loaded model's may be laid out for steps; the optimiser's state is not
            parameter.data = parameter.data.contiguous()
        self.optimiser = torch.optim.AdamW(
            self.parameters,
            lr=config.learning_rate,
            betas=(config.adam_beta1, config.adam_beta2),
            eps=config.adam_epsilon,
            weight_decay=config.weight_decay,
            fused=True,
        )
        self.shipped = copy.deepcopy(model).requires_grad_(False)  # the best weights, in the end
        self.recent: deque[dict[str, Tensor]] = deque(maxlen=config.average)
        self.step = self.epoch = self.position = 0  # updates; epochs done; batches of this epoch done
        self.validated = self.best_step = self.worse = 0
        self.best_loss = math.inf
        self.seconds = 0.0
        self.batches = data.epoch(0)
        self._loaded = 0
        self.total = config.epochs * len(self.batches)
        if config.max_steps:
            self.total = min(self.total, config.max_steps)
        self.gradient = Gradient(model, config, group)
        torch.manual_seed(config.seed + group.rank)  # each process has its own dropout

    @property
    def epochs_done(self) -> float:
        return self.epoch + self.position / len(self.batches)

    def update(self) -> tuple[Tensor, int]:
        """One update; the loss (not yet moved to the CPU) and the target tokens of its batch."""
        begun = time.perf_counter()
        if self.group.rank:
            self.group.receive()
        else:
            self.group.broadcast()
        if self._loaded != self.epoch:
            self.batches, self._loaded = self.data.epoch(self.epoch), self.epoch
        batch = self.batches[self.position]
        rate = learning_rate(self.step + 1, self.total, self.config, self.model.config)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.model.train()
        loss = self._gradient(batch)
        torch.nn.utils.clip_grad_norm_(self.parameters, self.config.clip, foreach=True)
        self.optimiser.step()
        self.step += 1
        self.position += 1
        if self.position == len(self.batches):
            self.epoch, self.position = self.epoch + 1, 0
        self.seconds += time.perf_counter() - begun
        return loss, batch.tokens

    def _gradient(self, batch: Batch) -> Tensor:
        """The batch's loss, its gradient left with the parameters; in two halves where memory is short.

        Raises OutOfMemory. Processes of a group do not try again: the others wait for what this one cannot give.
        """
        self.optimiser.zero_grad()
        try:
            return self.gradient(batch)
        except torch.OutOfMemoryError as error:
            if self.gradient.parts > 1 or self.group.size > 1:
                raise self._out_of_memory() from error
        self.optimiser.zero_grad()  # out here nothing holds what the first try had got hold of
        if self.model.device.type == "cuda":
            torch.cuda.empty_cache()
        self.gradient.parts = 2
        try:
            return self.gradient(batch)
        except torch.OutOfMemoryError as error:
            raise self._out_of_memory() from error

    def _out_of_memory(self) -> OutOfMemory:
        tokens = max(1, self.config.batch_tokens // (2 * self.gradient.parts))
        where = f"The memory of {self.model.device} is not enough for a batch"
        tried = ", not even for one half of it after the other" if self.gradient.parts > 1 else ""
        return OutOfMemory(f"{where}{tried}: start again with batches of {tokens:,} pieces.")

    def finished(self) -> Literal["finished", "patience", ""]:
        if self.epoch >= self.config.epochs or (self.config.max_steps and self.step >= self.config.max_steps):
            return "finished"
        return "patience" if self.config.patience and self.worse >= self.config.patience else ""

    def validation_due(self) -> bool:
        """At most once a step, however often a run is stopped and resumed there."""
        if self.step == self.validated:
            return False
        if self.finished() or not self.config.validate_every:
            return bool(self.finished()) or self.position == 0
        return self.step % self.config.validate_every == 0

    def validate(self, batches: Batches, translate: Translate | None) -> Validation:
        """Measure the weights as they are and, with `average`, the mean of the last ones; keep the better."""
        begun = time.perf_counter()
        weights = snapshot(self.model)
        self.recent.append(weights)
        candidates = [weights]
        if len(self.recent) > 1:
            candidates.append({name: torch.stack([w[name] for w in self.recent]).mean(0) for name in weights})
        best = snapshot(self.shipped)
        if self.group.rank:
            losses = self.group.receive()
        else:
            losses = []
            for candidate in candidates:
                restore(self.shipped, candidate)
                losses.append(mean_loss(self.shipped, batches, self.config.precision))
            self.group.broadcast(*losses)
        loss = min(losses)
        restore(self.shipped, candidates[losses.index(loss)])
        bleu, samples = translate(self.shipped) if translate else (None, ())
        better = self.config.keep == "last" or loss < self.best_loss
        if better:
            self.best_loss, self.best_step, self.worse = loss, self.step, 0
        else:
            self.worse += 1
            restore(self.shipped, best)
        self.validated = self.step
        self.seconds += time.perf_counter() - begun
        return Validation(self.step, self.epochs_done, loss, better, bleu, samples)

    def finish(self) -> None:
        restore(self.model, snapshot(self.shipped))
        self.model.eval()

    def save(self, folder: Path) -> None:
        """Write the state. state.json is replaced last and names the tensors' file: the two always fit."""
        folder.mkdir(parents=True, exist_ok=True)
        tensors = {f"model.{name}": t for name, t in snapshot(self.model).items()}
        tensors |= {f"best.{name}": t for name, t in snapshot(self.shipped).items()}
        for i, weights in enumerate(self.recent):
            tensors |= {f"recent.{i}.{name}": t for name, t in weights.items()}
        for i, values in self.optimiser.state_dict()["state"].items():
            tensors |= {f"optimiser.{i}.{name}": t.detach().clone() for name, t in values.items()}
        tensors["random.cpu"] = torch.get_rng_state()
        if self.model.device.type == "cuda":
            tensors["random.cuda"] = torch.cuda.get_rng_state(self.model.device)
        file = f"state-{self.step}.safetensors"
        save_file({name: t.contiguous() for name, t in tensors.items()}, folder / f".{file}")
        os.replace(folder / f".{file}", folder / file)
        record = {"file": file, "identity": self._identity(), **{n: getattr(self, n) for n in COUNTERS}}
        (folder / ".state.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
        os.replace(folder / ".state.json", folder / "state.json")
        for old in folder.glob("state-*.safetensors"):
            if old.name != file:
                old.unlink()

    def load(self, folder: Path) -> None:
        """Go on from a saved state, exactly. Raises CheckpointError."""
        path = folder / "state.json"
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            identity, file = record["identity"], folder / record["file"]
            counters = {name: record[name] for name in COUNTERS}
        except FileNotFoundError as error:
            raise CheckpointError(f"There is no run to resume in {folder}: it has no state.json.") from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CheckpointError(f"{path} is damaged: the run cannot be resumed.") from error
        for name, mine in self._identity().items():
            if identity.get(name) != mine:
                raise CheckpointError(
                    f"The run in {folder} had another {name}: {identity.get(name)} there, {mine} here. "
                    "Resume it with what it was started with."
                )
        try:
            tensors = load_file(file, device=str(self.model.device))
            restore(self.model, part(tensors, "model."))
            restore(self.shipped, part(tensors, "best."))
            self.recent.clear()
            while weights := part(tensors, f"recent.{len(self.recent)}."):
                self.recent.append(weights)
            parts = {i: part(tensors, f"optimiser.{i}.") for i in range(len(self.parameters))}
            moments = {i: values for i, values in parts.items() if values}
            self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": moments})
            torch.set_rng_state(tensors["random.cpu"].cpu())
            if "random.cuda" in tensors and self.model.device.type == "cuda":
                torch.cuda.set_rng_state(tensors["random.cuda"].cpu(), self.model.device)
            if self.group.rank:  # the state is that of process 0
                torch.manual_seed(int(tensors["random.cpu"].sum()) + self.group.rank)
        except (OSError, SafetensorError, KeyError, RuntimeError) as error:
            raise CheckpointError(f"{file} is missing or damaged: the run cannot be resumed.") from error
        for name, value in counters.items():
            setattr(self, name, value)
        if self._loaded != self.epoch:
            self.batches, self._loaded = self.data.epoch(self.epoch), self.epoch

    def _identity(self) -> dict[str, Any]:
        """What must be the same for a resumed run to end as if it had never stopped."""
        settings = {k: v for k, v in dataclasses.asdict(self.config).items() if k not in RESUMABLE}
        model = dataclasses.asdict(self.model.config)
        data = {
            "pairs and vocabulary": self.data.fingerprint(),
            "share of joined rows": self.data.joined,
            "share of varied rows": self.data.varied,
            "links between joined sentences": [list(link) for link in self.data.links],
        }
        return {"model class": type(self.model.config).__name__, **model, **settings, **data}


COUNTERS = ("step", "epoch", "position", "validated", "best_step", "best_loss", "worse", "seconds")


def snapshot(model: Seq2Seq) -> dict[str, Tensor]:
    """A copy of every weight, each once."""
    return {name: tensor.detach().clone() for name, tensor in own_weights(model).items()}


@torch.no_grad()
def restore(model: Seq2Seq, weights: dict[str, Tensor]) -> None:
    """Put a snapshot back. Raises KeyError or RuntimeError when it is of another model."""
    for name, tensor in own_weights(model).items():
        tensor.copy_(weights[name])


def part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """The tensors whose names begin with `prefix`, which is taken off."""
    return {name.removeprefix(prefix): t for name, t in tensors.items() if name.startswith(prefix)}
