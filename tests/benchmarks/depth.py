"""Residual connections make a deep LSTM trainable (Wu et al. 2016, section 3.1): loss with and without them.

    python -m tests.benchmarks.depth [--updates 800] [--every 200] [--write]

Trains the shipped deep LSTM anew with its recipe's settings, twice for a few updates, at the same time: with its
residual connections, and as a plain stack of as many layers. Both begin with the same weights and read the same rows in
the same order, those that people wrote: its recipe adds a teacher's translations, which would take hours to make.
Prints the validation loss of both, in nats a piece; with --write the model's card has them too. Needs the files in
`data/`.
"""

import re
import subprocess
import sys
from pathlib import Path

from nmtcore.evaluation.cards import depth_table, record
from nmtcore.models.checkpoint import read_config
from tests.benchmarks.machine import machine, options
from tests.paths import ROOT

NAME = "en-fr/deep-lstm"
RECIPES = ROOT / "pretrained" / "recipes"
ARMS = {"residual": "--residual", "plain": "--no-residual"}
VALIDATED = re.compile(r"step ([\d,]+),.*: validation loss ([\d.]+)")


def own_settings(recipe: str) -> list[str]:
    """What a recipe says of its model alone: architecture, sizes, learning rate."""
    lines = (RECIPES / recipe).read_text(encoding="utf-8").splitlines()
    return " ".join(line for line in lines if line.startswith("--") and not line.startswith("--out")).split()


def training(arm: str, updates: int, every: int, runs: Path) -> subprocess.Popen[str]:
    """The training of one arm, in a process of its own."""
    model = runs / "models" / NAME.partition("/")[0] / f"depth-{arm}"
    settings = {"--out": model, "--runs": runs / model.name, "--max-steps": updates, "--validate-every": every}
    settings |= {"--vocab": ROOT / "pretrained" / NAME / "vocab.model", "--average": 1, "--threads": 1}
    command = [sys.executable, "-m", "nmtcore", "train", f"@{RECIPES / 'shared' / 'en-fr-data'}"]
    command += [*own_settings(NAME.replace("/", "-")), ARMS[arm]]
    command += [str(word) for option in settings.items() for word in option]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def losses(process: subprocess.Popen[str]) -> dict[int, float]:
    """Validation losses of a training, by the number of updates before them."""
    printed, _ = process.communicate()
    if process.returncode:
        sys.exit(printed)
    return {int(step.replace(",", "")): float(loss) for step, loss in VALIDATED.findall(printed)}


def main() -> None:
    chosen = options(__doc__, updates=800, every=200, runs=ROOT / "runs", write=False)
    print(f"{machine()}\n")
    processes = {arm: training(arm, chosen.updates, chosen.every, chosen.runs) for arm in ARMS}
    found = {arm: losses(process) for arm, process in processes.items()}
    rows = [(step, found["residual"][step], found["plain"][step]) for step in sorted(found["residual"])]
    print(*depth_table(rows), sep="\n")
    if chosen.write:
        folder = ROOT / "pretrained" / NAME
        record(folder, read_config(folder)[1], {"depth": {"planned": chosen.updates, "losses": rows}})


if __name__ == "__main__":
    main()
