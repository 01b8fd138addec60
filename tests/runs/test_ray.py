"""A training as a job of a real Ray cluster: a head and two machines, each its own session of processes."""

import importlib.util
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from nmtcore.__main__ import main
from nmtcore.commands.runs import describe
from nmtcore.runs import queue, ray_engine
from nmtcore.runs.run_folder import Run
from nmtcore.runs.worker import Worker
from tests.paths import ROOT
from tests.runs.helpers import REVERSE, config, last_checkpoint, losses, make, same_weights, until

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None or not sys.platform.startswith("linux"),
    reason="This needs Ray on Linux: pip install -r requirements-cluster.txt",
)
HEAD, ONE, OTHER = "127.0.0.2", "127.0.0.3", "127.0.0.4"  # Ray takes 127.0.0.1 for the machine's public address
STEPS = {"max_steps": 1500, "validate_every": 500, "checkpoint_every": 50}
PAIRS = "".join(f"{a} {b} {c}\t{c} {b} {a}\n" for a in "pqrst" for b in "uvwxyz" for c in "klmno")
START = 180  # seconds: Ray needs ten on an idle machine


class Cluster:
    """Ray as people start it, `ray start`, with as many processors as a machine is given."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self.dashboard = folder, free_port(), free_port()
        self.nodes: dict[str, subprocess.Popen[bytes]] = {}
        where = ["--head", f"--port={self.port}", "--dashboard-host=127.0.0.1", f"--dashboard-port={self.dashboard}"]
        self.start(HEAD, 0, *where, f"--temp-dir={folder}")

    def start(self, address: str, processors: int, *more: str) -> None:
        """Start a machine. Its processes are one session, so that all can be killed at once."""
        ray = Path(sys.executable).with_name("ray")
        more = more or (f"--address={HEAD}:{self.port}",)
        common = ("--block", f"--num-cpus={processors}", f"--node-ip-address={address}", "--disable-usage-stats")
        environment = {
            **os.environ,
            "PATH": f"{ray.parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "RAY_raylet_start_wait_time_s": str(START),
        }
        with open(self.folder / f"{address}.log", "ab") as log:
            self.nodes[address] = subprocess.Popen(
                [sys.executable, str(ray), "start", *common, "--object-store-memory=80000000", *more],
                stdout=log,
                stderr=log,
                env=environment,
                start_new_session=True,
            )

    def kill(self, address: str) -> None:
        """Simulate a power cut."""
        node = self.nodes.pop(address)
        for pid in [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]:
            with suppress(ProcessLookupError):
                if os.getsid(pid) == node.pid:
                    os.kill(pid, signal.SIGKILL)
        node.wait()

    def trains(self, run: Run) -> str:
        """The address of the machine that trains; empty if none does."""
        with suppress(ProcessLookupError):
            session = os.getsid(run.status().pid)
            return next((address for address, node in self.nodes.items() if node.pid == session), "")
        return ""

    def answers(self) -> bool:
        """Whether the head accepts jobs."""
        with suppress(OSError):
            return bool(urllib.request.urlopen(f"http://127.0.0.1:{self.dashboard}/api/jobs/", timeout=2))
        return False


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as found:
        return int(found.getsockname()[1])


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A head that trains nothing; tests start the machines that do."""
    made = Cluster(tmp_path_factory.mktemp("ray"))
    try:
        until(made.answers, START)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(ray_engine.SETTING, f"127.0.0.1:{made.dashboard}")
            patch.setattr(ray_engine, "ASK_AGAIN", 0.5)
            yield made
    finally:
        for address in [*made.nodes]:
            made.kill(address)


def test_a_training_waits_trains_stops_resumes_and_outlives_its_machine(cluster: Cluster, tmp_path: Path) -> None:
    root = tmp_path / "runs"
    run, _ = queue.submit(root, config(training=STEPS), REVERSE.pairs(200, length=4), "me")

    def seen(true: object) -> object:
        """As a page does, check the queue whenever the run is checked."""
        queue.start_queued(root)
        assert run.status().state != "failed", describe(run)
        return true

    # No machine has a processor yet.
    until(lambda: seen("No machine in the Ray cluster has a CPU now" in run.status().message), START)
    cluster.start(ONE, 1)
    until(lambda: seen(last_checkpoint(run) >= 50), START)
    assert (run.status().state, run.status().message, cluster.trains(run)) == ("running", "", ONE)
    run.stop()
    until(lambda: seen(run.status().state == "stopped"))
    stopped, job = run.status().step, run.job()
    assert 50 <= stopped < 1500
    until(lambda: not run.alive())

    queue.resume(run, "me")
    assert run.job() not in ("", job)
    cluster.start(OTHER, 1)
    until(lambda: seen(run.status().state == "running" and last_checkpoint(run) >= stopped), START)
    first = cluster.trains(run)
    cluster.kill(first)
    until(lambda: run.status().state == "queued")
    assert "Its machine is gone" in run.status().message
    kept = last_checkpoint(run)
    until(lambda: seen(run.status().state == "done"), START)
    assert cluster.nodes.keys() == {HEAD, ({ONE, OTHER} - {first}).pop()}
    assert [event["event"] for event in run.events()].count("begun") == 1
    assert kept >= stopped

    # The same training by this process, without any pause.
    alone = make(tmp_path / "alone", training=STEPS)
    Worker(alone, threads=1).work()
    assert losses(run) == losses(alone)
    assert same_weights(run.best, alone.best)


def test_ray_train_takes_the_place_of_torchrun(cluster: Cluster, tmp_path: Path) -> None:
    """Two processes on two machines follow the same course as one."""
    for address in {ONE, OTHER} - cluster.nodes.keys():
        cluster.start(address, 1)
    (tmp_path / "pairs.tsv").write_text(PAIRS)

    def command(name: str, steps: int) -> list[str]:
        folder = tmp_path / name
        return f"""--pairs {tmp_path / "pairs.tsv"} --out {folder / "out"} --runs {folder / "state"} --architecture dot
            --embedding 8 --units 8 --dropout 0 --precision fp32 --batch-tokens 130 --max-steps {steps} --warmup 2
            --validate-every 2 --device cpu --vocab-size 30 --learning-rate 0.01 --seed 3""".split()

    ray = [sys.executable, "-m", "nmtcore.ray_train", "--processes", "2"]
    environment = {**os.environ, "RAY_ADDRESS": f"{HEAD}:{cluster.port}"}
    two = subprocess.run([*ray, *command("two", 6)], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert two.returncode == 0, two.stdout + two.stderr
    assert main(["train", *command("one", 6)]) == 0
    first, second = ({**load_file(path)} for path in sorted(tmp_path.glob("*/state/state-*.safetensors")))
    for name in (name for name in first if name.startswith("model.")):
        torch.testing.assert_close(second[name], first[name], atol=1e-4, rtol=1e-4)
