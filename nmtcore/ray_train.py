"""Ray Train instead of torchrun: one training run in several processes, on GPUs of several machines.

    python -m nmtcore.ray_train --processes 4 --gpu --pairs ... --architecture ... --out ...

is `python -m nmtcore train --pairs ...` in four processes of a Ray cluster, each with a GPU. It runs on a machine of
the cluster, or anywhere as one of its jobs (`ray job submit`). All machines must see the files under the same names.
"""

import argparse
import os
import sys
from contextlib import suppress
from typing import Any

import ray
from ray.train import ScalingConfig
from ray.train.torch import TorchConfig, TorchTrainer

from nmtcore.training.parallel import TIMEOUT

RETRIES = 3  # restarts after a process or a machine has died
FAILED = 70  # exit code if they died too often


def one_process(settings: dict[str, Any]) -> int:
    """What each process runs: the command `train`, which finds its rank as it would with torchrun."""
    from nmtcore.__main__ import main  # needed by the processes, but not by the one that starts them

    with suppress(FileNotFoundError):  # if it is elsewhere on this machine, paths must be absolute
        os.chdir(settings["folder"])
    try:
        return main(["train", *settings["arguments"]])
    except SystemExit as end:  # wrong options, which the process has already reported
        return int(end.code or 0)


def main() -> int:
    """Start the processes, restart from the last checkpoint if some die, and return the first one's exit code."""
    parser = argparse.ArgumentParser(prog="python -m nmtcore.ray_train", allow_abbrev=False)
    parser.add_argument("--processes", type=int, required=True, metavar="N", help="number of processes")
    parser.add_argument("--gpu", action="store_true", help="give each process a GPU instead of a processor")
    options, arguments = parser.parse_known_args()
    if options.processes < 1:
        parser.error("--processes must be at least 1.")
    ray.init(address=os.environ.get("RAY_ADDRESS", "auto"), logging_level="warning")
    for attempt in range(1 + RETRIES):
        again = ["--resume"] if attempt and "--resume" not in arguments else []
        trainer = TorchTrainer(
            one_process,
            train_loop_config={"arguments": [*arguments, *again], "folder": os.getcwd()},
            torch_config=TorchConfig(timeout_s=int(TIMEOUT.total_seconds())),
            scaling_config=ScalingConfig(num_workers=options.processes, use_gpu=options.gpu),
        )
        try:
            return int(trainer.fit().return_value)
        except ray.train.TrainingFailedError as error:
            print(f"The training was interrupted: {error}", file=sys.stderr)
    return FAILED


if __name__ == "__main__":
    sys.exit(main())
