"""python -m nmtcore runs and train --exercise: start a training run and watch it; list, stop, resume and delete runs.

The runs are the same as the page's: in the same folder and the same queue.
"""

from __future__ import annotations

import argparse
import dataclasses
import secrets
import sys
import time
from pathlib import Path
from typing import Any

import torch

from nmtcore.commands.shared import add_model_fields, add_training_fields, chosen_fields
from nmtcore.config import ARCHITECTURES, config_classes
from nmtcore.errors import SettingError
from nmtcore.models import checkpoint
from nmtcore.runs import defaults, queue
from nmtcore.runs.config import OPEN, RunConfig, RunError
from nmtcore.runs.run_folder import Run, checked_name, find, runs, runs_folder
from nmtcore.training.config import TrainingConfig
from nmtcore.training.exercises import EXERCISES, NONCE, NONCE_FRENCH, exercise
from nmtcore.training.precision import NAMES, slowness

TRAIN = "train-exercise"  # the name that `train --exercise` is parsed under
POLL_SECONDS = 0.5


def route(arguments: list[str]) -> list[str]:
    """`train --exercise NAME ...` has other options than `train --pairs FILE ...`: parse it under its own name."""
    asked = any(word == "--exercise" or word.startswith("--exercise=") for word in arguments)
    return [TRAIN, *arguments[1:]] if arguments[:1] == ["train"] and asked else arguments


def add(commands: Any) -> None:
    """Add the commands to the subparsers of `python -m nmtcore`."""
    train = commands.add_parser(
        TRAIN,
        prog="python -m nmtcore train",
        allow_abbrev=False,
        description="Train on an exercise as the Fine-tune page does: a run in a process of its own, which goes on "
        "when this command is ended. `train --help` shows how to train on sentence pairs.",
    )
    train.set_defaults(run=_train, prog="python -m nmtcore train")
    train.add_argument("--exercise", required=True, choices=tuple(EXERCISES), help="what to learn")
    train.add_argument(
        "--architecture", choices=ARCHITECTURES, default="additive", help="the kind of a new model (%(default)s)"
    )
    train.add_argument(
        "--model",
        metavar="DIR",
        help="go on with this model instead of a new one; `teach` needs one, such as pretrained/en-fr/dot",
    )
    train.add_argument(
        "--count", type=int, default=0, metavar="N", help="sentence pairs to make (default: as many as the page)"
    )
    train.add_argument(
        "--length", type=int, default=0, metavar="N", help="words of the longest source (default: as the exercise has)"
    )
    train.add_argument("--word", default=NONCE, help="what `teach` teaches (%(default)s)")
    train.add_argument("--french-word", default=NONCE_FRENCH, help="its translation (%(default)s)")
    train.add_argument("--steps", type=int, metavar="N", help="updates of the weights (default: as many as the page)")
    train.add_argument(
        "--rehearsal",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="rehearsal against forgetting, with --model: for each new pair so many of the model's own former "
        "translations are mixed in, 0 to 1 (%(default)s)",
    )
    train.add_argument("--device", default="cpu", help="cpu, mps, cuda:0 ... (%(default)s)")
    train.add_argument("--name", default="", help="save the model under this name at the end")
    plain = dataclasses.asdict(defaults.from_scratch(None))
    hidden = frozenset({"max_steps", "epochs", "validate_every", "checkpoint_every"})
    add_training_fields(train, hidden, plain)
    add_model_fields(train, small=True)
    listing = commands.add_parser(
        "runs",
        help="list trainings; stop, resume, delete, export or watch one",
        description="List the trainings of the Fine-tune page and of `train --exercise`, or do something with one.",
    )
    listing.set_defaults(run=_runs, prog=listing.prog)
    listing.add_argument("id", nargs="?", help="the 12 hexadecimal digits of a run; without it all are listed")
    action = listing.add_mutually_exclusive_group()
    for name, text in (
        ("stop", "finish the step, write a checkpoint, stop"),
        ("resume", "go on exactly where it stopped"),
        ("delete", "remove the run and its model"),
        ("csv", "write its curves to standard output, as CSV"),
        ("watch", "show the progress until it ends"),
    ):
        action.add_argument(f"--{name}", dest="action", action="store_const", const=name, help=text)


def _train(options: argparse.Namespace) -> int:
    task = exercise(options.exercise, options.word, options.french_word)
    start = Path(options.model) if options.model else None
    given = chosen_fields(options, TrainingConfig)
    if options.steps is not None:
        given["max_steps"] = options.steps
    model = {name: value for config in config_classes() for name, value in chosen_fields(options, config).items()}
    if options.steps is not None and options.steps < 1:
        raise SettingError(f"steps must be at least 1; it is {options.steps}.")
    name = checked_name(options.name) if options.name else ""
    if task.pretrained and start is None:
        raise SettingError("This exercise needs a model that translates English to French: give --model.")
    if model and start is not None:
        raise SettingError(f"{', '.join(sorted(model))}: a model that goes on keeps the settings that it has.")
    pairs = task.pairs(options.count or defaults.count(task), given.get("seed", 1), options.length)
    plan = defaults.fine_tune if start else defaults.from_scratch
    began_with = ""
    if start is not None:
        _, meta = checkpoint.read_config(start)
        if task.pretrained and (meta.get("source"), meta.get("target")) != ("en", "fr"):
            raise SettingError(f"This exercise needs a model that translates English to French; {start} does not.")
        began_with = str(meta.get("name") or f"{start.absolute().parent.name}/{start.absolute().name}")
    config = RunConfig(
        plan(task, **given),
        (task.pinned, task.answer(task.pinned)),
        task.name,
        options.word,
        options.french_word,
        "" if start else options.architecture,
        {} if start else {**ARCHITECTURES[options.architecture].small, **model},
        task.pieces,
        began_with=began_with,
        source="en" if task.pretrained else "source",
        target="fr" if task.pretrained else "target",
        device=options.device,
        rehearsal=options.rehearsal,
    )
    if slow := slowness(config.training.precision, torch.device(options.device)):
        _say(slow)
    run, code = queue.submit(runs_folder(), config, pairs, secrets.token_hex(16), start)
    _say(f"Run {run.id}; its control code is {code}. Ctrl-C stops watching, not the run.")
    return _watch(run, name)


def _watch(run: Run, name: str = "") -> int:
    shown = ""
    while True:
        queue.start_queued(run.folder.parent)
        status = run.status()
        line = describe(run)
        if line != shown:
            _say(line)
            shown = line
        if status.state not in OPEN:
            break
        time.sleep(POLL_SECONDS)
    if status.state == "done" and name:
        run.save_as(name)
        _say(f"Saved as {run.name()}.")
    return 0 if status.state == "done" else 1


def describe(run: Run) -> str:
    """One line about a run."""
    status = run.status()
    try:
        config = run.config()
        what = f"{config.exercise or 'pairs'}, {config.architecture or config.began_with}, {config.device}"
        if status.precision != "auto":
            what += f", {NAMES[status.precision]}"
    except RunError:
        what = "damaged"
    parts = [run.id, status.state, what]
    if status.state == "queued":
        parts.append(f"job {run.job()} of Ray" if run.job() else f"{queue.before(run)} before it")
    if status.total:
        parts.append(f"step {status.step:,} of {status.total:,}")
    if status.score is not None:
        parts.append(f"score {status.score:.1f}")
    if status.old_score is not None:
        parts.append(f"of what it said before {status.old_score:.1f}")
    if status.longer is not None:
        parts.append(f"on longer ones {status.longer:.1f}")
    if run.name():
        parts.append(f"saved as {run.name()}")
    return " · ".join([*parts, *([status.message] if status.message else [])])


def _runs(options: argparse.Namespace) -> int:
    root = runs_folder()
    queue.mark_interrupted(root)
    if not options.id:
        if options.action:
            raise SettingError(f"--{options.action} needs the id of a run: python -m nmtcore runs lists them.")
        for run in runs(root):
            print(describe(run))
        return 0
    run = find(root, options.id)
    if options.action == "csv":
        sys.stdout.write(run.table())
    elif options.action == "delete":
        run.delete()
        print(f"Deleted {run.id}.")
    elif options.action == "watch":
        return _watch(run)
    else:
        if options.action == "stop":
            run.stop()
        elif options.action == "resume":
            queue.resume(run)
        print(describe(run))
    return 0


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
