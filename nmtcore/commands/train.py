"""Train a model on sentence pairs.

@FILE stands for the options in a file, such as @pretrained/recipes/en-fr-transformer. `train --exercise NAME` generates
the pairs of an exercise of the Fine-tune page, and takes the same options.
"""

import argparse
import dataclasses
import datetime
import re
import signal
import sys
import threading
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from nmtcore.commands.shared import choose_device, chosen_fields, say
from nmtcore.commands.train_options import add_options
from nmtcore.commands.training_data import make_exercise, make_vocabulary, read_material
from nmtcore.config import ARCHITECTURES, Architecture, config_classes, model_config
from nmtcore.errors import SettingError
from nmtcore.evaluation.cards import EXACT, Card, typed_command
from nmtcore.evaluation.references import group_references, within_limits
from nmtcore.evaluation.validation import Scorer
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.places import model_folder
from nmtcore.runs import defaults
from nmtcore.system.host_memory import limit_primitive_cache
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.config import AugmentationConfig, TrainingConfig
from nmtcore.training.events import Done, Event, Halved, Progress, Validation
from nmtcore.training.exercises import Exercise, exercise
from nmtcore.training.initialisation import build_model
from nmtcore.training.loop import fit, follow
from nmtcore.training.material import Prepared, prepare
from nmtcore.training.parallel import Group, process_group, rank
from nmtcore.training.precision import NAMES, slowness
from nmtcore.training.state import restore

SCORED = 300  # validation sentences that are translated at every validation
LINE_SECONDS = 30  # between lines of progress without a terminal
SAMPLES = 2  # translations shown at every validation


def add(train: argparse.ArgumentParser) -> None:
    train.fromfile_prefix_chars = "@"
    add_options(train)


def run(options: argparse.Namespace) -> int:
    """Under torchrun every process runs this: each takes its rows of every batch; only the first writes and prints."""
    limit_primitive_cache()
    device = choose_device(options)
    with process_group(device) as group:
        return _train(options, device, group)


def _train(options: argparse.Namespace, device: torch.device, group: Group) -> int:
    out = Path(options.out)
    task = exercise(options.exercise) if options.exercise else None
    source, target = _languages(options, out, task)
    state = _folders(options, out, f"{source}-{target}-{out.name}", group)
    training = _training_settings(options, task)
    augmentation = AugmentationConfig(**chosen_fields(options, AugmentationConfig))
    start = checkpoint.load(model_folder(options.warm_start)) if options.warm_start else None
    architecture, settings = _model_settings(options, task, start)
    model_config(architecture, options.vocab_size, **settings)  # find a wrong setting before reading the data
    out.mkdir(parents=True, exist_ok=True)  # and a folder that cannot be created

    if task:
        material = make_exercise(options, task, training.seed, source, target)
    else:
        material = read_material(options, source, target)
    with group.first():
        vocab = make_vocabulary(options, state, material, task, start, group)
    model = build_model(model_config(architecture, len(vocab), **settings), training).to(device)
    if start:
        _warm_start(options.warm_start, start, model, vocab)
    begun = Checkpoint(model, vocab, "", start.meta if start else {})
    prepared = prepare(material, begun, training, augmentation, state if options.resume else None, group)
    origin = f"Command: `{typed_command(options.arguments)}`"
    card = Card(prepared, origin, EXACT if task else "BLEU", options.storage)
    _say_what_trains(prepared, group)

    def save_model(best: Seq2Seq, validation: Validation, seconds: float) -> None:
        meta = card.meta(validation, seconds) | {"unfinished": True}
        checkpoint.save(out, best, vocab, meta, card.text(validation, seconds), options.storage)

    if not group.rank:
        (state / "done").unlink(missing_ok=True)
    items = within_limits(group_references(prepared.unseen), vocab)[:SCORED]
    events = fit(
        model,
        prepared.data,
        prepared.validation,
        prepared.training,
        state=state,
        resume=options.resume,
        save_model=save_model,
        translate=Scorer(items, vocab, target, task),
        group=group,
    )
    if _show_progress(events, "right" if task else "BLEU"):
        if not group.rank:
            checkpoint.mark_finished(out)
            (state / "done").touch()
        return 0
    say(f"Stopped; the same command with --resume continues. The best model so far is in {out}.")
    return 130


def _folders(options: argparse.Namespace, out: Path, name: str, group: Group) -> Path:
    """The folder of the run's state. Raises SettingError if the contents of a folder would be lost."""
    if out.exists() and not (out / checkpoint.CONFIG).exists() and (not out.is_dir() or any(out.iterdir())):
        raise SettingError(f"{out} is not a model folder: choose an empty or a new one.")
    if options.warm_start and out.resolve() == Path(options.warm_start).resolve():
        raise SettingError(f"{out} is both the model to begin with and --out: write the new model to another folder.")
    state = Path(options.runs) if options.runs else Path("runs") / name
    unfinished = (state / "state.json").exists() and not (state / "done").exists()
    if unfinished and not options.resume and not group.rank:
        raise SettingError(f"{state} holds an unfinished run: give --resume to continue it, or another --runs.")
    return state


def _say_what_trains(prepared: Prepared, group: Group) -> None:
    """Print the first lines: pairs, model, device and precision."""
    material, model, precision = prepared.material, prepared.begun.model, prepared.training.precision
    processes = f"{group.size} processes, " if group.size > 1 else ""
    say(
        f"{material.rows:,} pairs: {len(material.pairs):,} to train on, {len(material.split.validation):,} for "
        f"validation, {len(material.split.test):,} for testing. {len(prepared.begun.vocab):,} pieces, "
        f"{checkpoint.parameters(model):,} weights, {processes}{model.device.type}, {NAMES[precision]}."
    )
    if slow := slowness(precision, model.device):
        say(slow)


def _model_settings(
    options: argparse.Namespace, task: Exercise | None, start: Checkpoint | None
) -> tuple[Architecture, dict[str, Any]]:
    """Architecture and settings: as given, else from the model to begin with, or from an exercise's small model.

    Raises SettingError if no architecture is known.
    """
    architecture = options.architecture or (start.config.architecture if start else "additive" if task else None)
    if architecture is None:
        raise SettingError("Give --architecture, the kind of model.")
    settings: dict[str, Any] = {}
    if start and start.config.architecture == architecture:
        settings = {k: v for k, v in dataclasses.asdict(start.config).items() if k != "vocab_size"}
    elif task:
        settings = dict(ARCHITECTURES[architecture].small)
    given = {name: value for config in config_classes() for name, value in chosen_fields(options, config).items()}
    return architecture, settings | given


def _training_settings(options: argparse.Namespace, task: Exercise | None) -> TrainingConfig:
    """The given settings; the others are the class's defaults or, for an exercise, those of the Fine-tune page."""
    given = chosen_fields(options, TrainingConfig)
    if task is None:
        return TrainingConfig(**given)
    return (defaults.fine_tune if options.warm_start else defaults.from_scratch)(task, **given)


def _languages(options: argparse.Namespace, out: Path, task: Exercise | None) -> tuple[str, str]:
    """The codes of the two languages: as given, or from a folder such as en-fr/dot."""
    match = re.fullmatch(r"([a-z]{2,3})-([a-z]{2,3})", out.absolute().parent.name)
    source, target = match.groups() if match else ("en", "fr") if task and task.pretrained else ("source", "target")
    return options.source or source, options.target or target


def _warm_start(folder: str, start: Checkpoint, model: Seq2Seq, vocab: Vocab) -> None:
    """Give `model` the weights of a trained one. Raises SettingError if they do not fit."""
    shapes = [(type(c), dataclasses.asdict(c) | {"dropout": 0.0}) for c in (start.config, model.config)]
    if shapes[0] != shapes[1]:
        raise SettingError(f"The model in {folder} has another shape: --warm-start needs the settings that it has.")
    if start.vocab != vocab:
        raise SettingError(f"The model in {folder} has another vocabulary: leave out --vocab.")
    restore(model, checkpoint.own_weights(start.model))


def _show_progress(events: Iterator[Event], measure: str) -> bool:
    """Show events: a progress bar in a terminal, lines elsewhere. Returns False if a signal asked to stop earlier.

    measure: the name of the score.
    """
    stopped: list[int] = []

    def stop(number: int, frame: types.FrameType | None) -> None:
        if not rank():  # the other processes end when the first one does
            stopped.append(number)

    main = threading.current_thread() is threading.main_thread()  # Ray Train uses another one, without signals
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM) if main}
    last = -float("inf")

    def show(event: Event) -> None:
        nonlocal last
        if isinstance(event, Progress):
            bar.total, bar.n = event.total, event.step
            bar.set_postfix_str(f"loss {event.loss:.3f}, {event.tokens_per_second:,.0f} tokens/s")
            now = time.monotonic()
            if bar.disable and now - last >= LINE_SECONDS:
                last = now
                left = datetime.timedelta(seconds=round(event.seconds_left)) if event.seconds_left is not None else "?"
                say(
                    f"step {event.step:,} of {event.total:,}, epoch {event.epoch:.2f}: loss {event.loss:.3f}, "
                    f"rate {event.learning_rate:.2e}, {event.tokens_per_second:,.0f} tokens/s, {left} left"
                )
        elif isinstance(event, Validation):
            score = "" if event.bleu is None else f", {measure} {event.bleu:.1f}"
            better = ", kept" if event.better else ""
            say(f"step {event.step:,}, epoch {event.epoch:.2f}: validation loss {event.loss:.4f}{score}{better}")
            for sample in event.samples[:SAMPLES]:
                source, output, _ = sample.split("\t")
                say(f"  {source} -> {output}")
        elif isinstance(event, Done):
            say(
                f"Done after {event.step:,} steps and {event.seconds:,.0f} s. "
                f"Validation loss {event.best_loss:.4f} at step {event.best_step:,}, whose weights are kept."
            )
        elif isinstance(event, Halved):
            say(
                f"step {event.step:,}: the memory was too small for a whole batch. From now on each is processed in "
                "two halves whose gradients are added: every update is as large as before."
            )

    try:
        with tqdm(unit="step", disable=not sys.stderr.isatty() or bool(rank()), dynamic_ncols=True) as bar:
            return follow(events, show, lambda: bool(stopped))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
