"""Ray Train in the place of torchrun: one training by several processes, on GPUs of several machines.

    python -m nmtcore.ray_train --processes 4 --gpu --pairs ... --architecture ... --out ...

is `python -m nmtcore train --pairs ...` in four processes of a Ray cluster, with a GPU each. It runs on a machine of
the cluster, or anywhere as a job of it (`ray job submit`). The machines must see the files under the same names.
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

RETRIES = 3  # when a process or a machine dies
FAILED = 70  # the exit code when they died too often


def one_process(settings: dict[str, Any]) -> int:
    """What each process runs: the command `train`, which finds its rank where torchrun would leave it."""
    from nmtcore.__main__ import main  # the processes need it, not what starts them

    with suppress(FileNotFoundError):  # where the machines have it elsewhere, paths are given whole
        os.chdir(settings["folder"])
    try:
        return main(["train", *settings["arguments"]])
    except SystemExit as end:  # wrong options, of which the process has told
        return int(end.code or 0)


def main() -> int:
    """Start the processes, again from the last checkpoint where some die, and return the exit code of the first."""
    parser = argparse.ArgumentParser(prog="python -m nmtcore.ray_train", allow_abbrev=False)
    parser.add_argument("--processes", type=int, required=True, metavar="N", help="that train together")
    parser.add_argument("--gpu", action="store_true", help="each with a GPU of its own; else with a processor")
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
