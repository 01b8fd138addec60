"""Run the experiments of the Fine-tune page for several seeds.

Prints how often each had the outcome that its answer claims.
"""

import argparse
import json
import tempfile
from pathlib import Path

import torch

from nmtcore.commands.shared import say
from nmtcore.config import check_range
from nmtcore.files import write_json
from nmtcore.runs.experiments import EXPERIMENTS, RECORD, Experiment, Outcome, outcome
from nmtcore.runs.run_folder import create
from nmtcore.runs.worker import work


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seeds", type=int, default=5, metavar="N", help="number of seeds, 1 to N (%(default)s)")
    parser.add_argument(
        "--write",
        action="store_true",
        help=f"write the results into nmtcore/runs/{RECORD.name}, which the page reads",
    )


def run(options: argparse.Namespace) -> int:
    """Exit code 1 if an experiment did not have the claimed outcome for most of its seeds."""
    check_range("seeds", options.seeds, 1, 100)
    torch.set_num_threads(1)
    rare = False
    for study in EXPERIMENTS.values():
        held, scores, longer, by_length = 0, [], [], []
        for seed in range(1, options.seeds + 1):
            with tempfile.TemporaryDirectory() as folder:
                outcomes = check(study, seed, Path(folder))
            held += study.holds(outcomes)
            scores.append([outcome.score for outcome in outcomes])
            longer.append([outcome.longer for outcome in outcomes])
            by_length.append([dict(outcome.by_length) for outcome in outcomes])
            said = ", ".join(_as_text(outcome) for outcome in outcomes)
            say(f"{study.name}, seed {seed}: {said}")
        print(f"{study.name}: {held} of {options.seeds}", flush=True)
        rare |= held * 2 <= options.seeds
        if options.write:
            record = json.loads(RECORD.read_text(encoding="utf-8"))
            row = {"held": held, "seeds": options.seeds, "scores": scores, "longer": longer, "by_length": by_length}
            write_json(RECORD, {**record, study.name: row})
    return int(rare)


def _as_text(outcome: Outcome) -> str:
    """Describe one run's outcome in a few words."""
    lengths = "".join(f", of {length} {score:.0f}" for length, score in outcome.by_length.items())
    return f"{outcome.state} {outcome.score:.0f} (longer strings {outcome.longer:.0f}{lengths})"


def check(study: Experiment, seed: int, root: Path) -> list[Outcome]:
    """Run all arms in this process, in turn, in the folder `root`."""
    outcomes = []
    for config, pairs in study.runs(seed):
        run, _code = create(root, config, pairs, "check")
        work(run)
        outcomes.append(outcome(run))
    return outcomes
