"""List the training runs of the Fine-tune page; stop, resume or export one.

Without an id, all runs are listed.
"""

import argparse
import sys

from nmtcore.errors import SettingError
from nmtcore.runs import queue
from nmtcore.runs.config import RunError
from nmtcore.runs.export import curves_csv
from nmtcore.runs.run_folder import Run, find, runs, runs_folder
from nmtcore.training.precision import NAMES


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="the 12 hexadecimal digits of a run; without it, all are listed")
    action = parser.add_mutually_exclusive_group()
    for name, text in (
        ("stop", "finish the step, write a checkpoint, stop"),
        ("resume", "continue exactly where it stopped"),
        ("csv", "write its curves to standard output, as CSV"),
    ):
        action.add_argument(f"--{name}", dest="action", action="store_const", const=name, help=text)


def describe(run: Run) -> str:
    """Describe a run in one line."""
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


def run(options: argparse.Namespace) -> int:
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
        sys.stdout.write(curves_csv(run))
    else:
        if options.action == "stop":
            run.stop()
        elif options.action == "resume":
            queue.resume(run)
        print(describe(run))
    return 0
