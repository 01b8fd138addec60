"""The training loop: a generator of events, which a progress bar, a page or a test can follow."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from nmtcore.errors import DataError, SettingError
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.training.batches import Batches, TrainingData
from nmtcore.training.config import TrainingConfig
from nmtcore.training.events import Done, Event, Halved, Saved, Validation
from nmtcore.training.meter import Meter
from nmtcore.training.parallel import ALONE, Group, Stopped
from nmtcore.training.precision import with_precision
from nmtcore.training.resume import load_state, save_state
from nmtcore.training.state import TrainingState, Translate

SaveModel = Callable[[Seq2Seq, Validation, float], None]  # the best model, its validation, seconds of training


def fit(
    model: Seq2Seq,
    data: TrainingData,
    validation: Batches,
    config: TrainingConfig,
    *,
    state: Path | None = None,
    resume: bool = False,
    save_model: SaveModel | None = None,
    translate: Translate | None = None,
    group: Group = ALONE,
) -> Iterator[Event]:
    """Train `model` in place and yield events; at Done it has the weights of the best validation.

    state: the folder for what resuming needs, written every `checkpoint_every` updates, after every validation and
    when the generator is closed. save_model: called with the best model whenever it has improved.
    group: the processes that train together (parallel.py). All call `fit` with the same arguments; only process 0
    writes, translates and saves the model, and closing its generator ends the others'.
    Raises DataError if validation rows are missing or a row is too long, CheckpointError for a state that is damaged
    or belongs to another run, SettingError if the loss is no longer a number, OutOfMemory.
    """
    if not validation.sources:
        raise DataError("There are no validation pairs: give more sentences that are not linked to each other.")
    config = with_precision(config, model, state if resume else None, group)
    training = TrainingState(model, data, config, group)
    _check_lengths(model, training.batches, validation)
    if resume:
        if state is None:
            raise SettingError("Resuming needs the folder of the run's state.")
        load_state(training, state)
    if group.rank:
        state = save_model = translate = None
    try:
        with contextlib.suppress(Stopped):
            yield from _events(training, validation, state, save_model, translate)
    except GeneratorExit:
        if not group.rank and (not training.finished() or training.validation_due()):  # else the others have finished
            group.broadcast(go_on=False)
        if state is not None:
            save_state(training, state)
        raise


def follow(events: Iterator[Event], record: Callable[[Event], object], stopping: Callable[[], bool]) -> bool:
    """Record every event until training ends; return False if `stopping` was true first.

    Closing the generator writes what resuming needs.
    """
    with contextlib.closing(events):  # type: ignore[type-var]
        for event in events:
            record(event)
            if isinstance(event, Done):
                return True
            if stopping():
                return False
    return False


def _check_lengths(model: Seq2Seq, *parts: Batches) -> None:
    """Raise DataError if a model with a table of positions cannot hold all rows."""
    rows = [max(len(s), len(t)) for batches in parts for s, t in zip(batches.sources, batches.targets, strict=True)]
    if long := sum(length > model.max_length for length in rows):
        raise DataError(
            f"{long:,} pairs are longer than the {model.max_length:,} positions that the model learns; the longest has "
            f"{max(rows):,} pieces. Leave them out, or choose another kind of positions."
        )


def _events(
    training: TrainingState,
    validation: Batches,
    state: Path | None,
    save_model: SaveModel | None,
    translate: Translate | None,
) -> Iterator[Event]:
    saved = training.step
    meter = Meter(training)
    while True:
        if training.validation_due():
            validation_result = training.validate(validation, translate)
            if validation_result.better and save_model is not None:
                save_model(training.best_model, validation_result, training.seconds)
                yield Saved(training.step, "model")
            yield validation_result
            meter.restart()
        finished = training.finished()
        due = finished or training.validated == training.step or training.step % training.config.checkpoint_every == 0
        if state is not None and due and saved != training.step:
            save_state(training, state)
            saved = training.step
            yield Saved(training.step, "state")
            meter.restart()
        if finished:
            training.finish()
            yield Done(training.step, training.best_step, training.best_loss, training.seconds)
            return
        parts = training.gradient.parts
        loss, tokens = training.update()
        if training.gradient.parts > parts:
            yield Halved(training.step)
        progress = meter.add(loss, tokens)
        if progress is not None:
            yield progress
