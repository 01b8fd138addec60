"""The fork server: it has one thread, its forks have its models, and if it dies it is replaced."""

import shutil
import sys
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError, TextError
from nmtcore.serving import fork_server
from nmtcore.serving.fork_server import ForkedWorker, ForkServer, can_fork
from nmtcore.serving.framing import receive
from nmtcore.serving.pool import Pool, _end, _exchange
from nmtcore.serving.request import DecodeRequest, ModelKey
from nmtcore.text.source import read_source
from tests.helpers import PATIENCE

DOG = read_source("a red dog")
DECODING = DecodingConfig(beam=2, max_length=5)
pytestmark = pytest.mark.skipif(not can_fork(), reason="processes with PyTorch fork on Linux only")


class Started(ForkServer):
    """A fork server whose workers end with it."""

    workers: tuple[ForkedWorker, ...] = ()

    def start(self, model: ModelKey | None = None) -> ForkedWorker:
        self.workers = (*self.workers, super().start(model))
        return self.workers[-1]

    def close(self) -> None:
        super().close()
        for worker in self.workers:
            _end(worker)


def test_a_fork_answers_with_the_models_of_the_fork_server(model_folders: Path, tmp_path: Path) -> None:
    """Their files are gone by then. The fork server has one thread after it has decoded, since a fork copies no other.

    An ended worker is gone, and the remaining ones end with the fork server.
    """
    folder = tmp_path / "en-fr" / "transformer"
    shutil.copytree(model_folders / "en-fr" / "transformer", folder)
    model, decoding = ModelKey(str(folder)), DecodingConfig(beam=3, max_length=5)
    asked = [DecodeRequest(model, read_source(text), decoding) for text in ("a cat", "a red dog")]
    with closing(Started(asked[:1])) as server:
        server.start()
        shutil.rmtree(folder)
        server.start()  # while the first one lives
        assert server.process and {worker.parent for worker in server.workers} == {server.process.pid}
        assert psutil.Process(server.process.pid).num_threads() == 1
        for worker in server.workers:
            (found,) = _exchange(worker, asked[1:])
            assert isinstance(found, Trace) and found.source_text == "a red dog"
        first, second = server.workers
        first.kill()
        assert not psutil.pid_exists(first.pid), "not even as a zombie"
        assert psutil.pid_exists(second.pid)
        server.process.kill()
        assert second.stdout.read() == b""
    assert server.process is None


def test_a_model_that_is_asked_later_lies_in_memory_once(model_folders: Path, tmp_path: Path) -> None:
    """The fork server loads it, and forks from then on have it, though its files are gone."""
    folder = tmp_path / "en-fr" / "dot"
    shutil.copytree(model_folders / "en-fr" / "dot", folder)
    model, other = ModelKey(str(folder)), ModelKey(str(tmp_path / "nowhere"))
    asked = [DecodeRequest(model, DOG, DECODING)]
    with closing(Started()) as server:
        server.start()
        assert not server.workers[0].models
        server.start(model)
        shutil.rmtree(folder)
        server.start(other)  # the worker reports models that cannot be loaded
        assert server.process and psutil.Process(server.process.pid).num_threads() == 1
        for worker in server.workers[1:]:
            assert model in worker.models
            (found,) = _exchange(worker, asked)
            assert isinstance(found, Trace) and found.source_text == "a red dog"
        (error,) = _exchange(server.workers[2], [asked[0]._replace(model=other)])
        assert isinstance(error, CheckpointError)


def test_of_many_models_the_first_goes_and_those_of_the_opening_stay(
    model_folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fork really has the models it is said to have: the files are gone by then."""
    monkeypatch.setattr(fork_server, "FURTHER", 2)
    folders = {name: tmp_path / name for name in ("transformer", "dot", "additive", "none")}
    for name, folder in folders.items():
        shutil.copytree(model_folders / "en-fr" / name, folder)
    opening, *others = (ModelKey(str(folder)) for folder in folders.values())
    asked = [DecodeRequest(model, DOG, DECODING) for model in (opening, *others)]
    with closing(Started(asked[:1])) as server:
        for model in others:
            server.start(model)
        assert server.workers[-1].models == {opening, *others[1:]}
        for folder in folders.values():
            shutil.rmtree(folder)
        replies = [_exchange(server.workers[-1], [request])[0] for request in asked]
        assert [type(reply).__name__ == "CheckpointError" for reply in replies] == [False, True, False, False]
        assert all(isinstance(reply, Trace) for number, reply in enumerate(replies) if number != 1)


def test_a_worker_without_a_model_makes_way_for_one_that_has_it(model_folders: Path) -> None:
    first, second = (
        DecodeRequest(ModelKey(str(model_folders / "en-fr" / name)), DOG, DECODING) for name in ("dot", "additive")
    )
    with closing(Pool(1, [first])) as pool:
        pids = []
        for request in (first, second, second, first):
            assert isinstance(pool.submit(request).result(PATIENCE), Trace)
            pids.append(pool.processes[0].pid)
        assert pids[0] != pids[1] and pids[1:] == [pids[1]] * 3


def test_the_first_sentence_of_a_fork_does_not_wait_for_its_pages(model_folders: Path) -> None:
    """It has decoded before anybody asks, so the page faults of a fork's first decode are over by then."""
    model = ModelKey(str(model_folders / "en-fr" / "transformer"))
    texts, decoding = ("a cat", "a red dog", "a " * 999), DECODING
    asked = [DecodeRequest(model, read_source(text), decoding) for text in texts]
    with closing(Started(asked[:1])) as server:
        worker = server.start()
        assert isinstance(_exchange(worker, asked[2:])[0], TextError), "refused, and nothing decoded"
        faults = [minor_faults(worker.pid)]
        for request in asked[1::-1]:
            assert isinstance(_exchange(worker, [request])[0], Trace)
            faults.append(minor_faults(worker.pid))
        assert faults[1] - faults[0] < 200


def minor_faults(pid: int) -> int:
    """Page faults of a process that needed no disk (proc(5), minflt)."""
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[7])


def test_in_the_place_of_a_fork_server_that_has_died_comes_another() -> None:
    program = "import socket, sys; socket.socket(fileno=int(sys.argv[1])).send(b'1'); sys.stdin.read()"
    with closing(Started(command=(sys.executable, "-c", program))) as server:
        for _ in range(2):
            server.start()
            assert server.process
            server.process.wait(PATIENCE)
        assert server.workers[0].parent != server.workers[1].parent


@pytest.mark.parametrize("program", ["pass", "import sys; sys.stdin.read()", "import sys; sys.exit(3)"])
def test_a_fork_server_that_ends_at_once_is_an_error(program: str) -> None:
    with closing(Started(command=(sys.executable, "-c", program))) as server, pytest.raises(OSError, match="has ended"):
        server.start()


def test_without_a_fork_server_a_worker_has_a_program_of_its_own() -> None:
    pool = Pool(0)
    pool.fork_server = ForkServer(command=(sys.executable, "-c", "pass"))
    pool.command = (
        sys.executable,
        "-c",
        "import sys; from nmtcore.serving.framing import send; send(sys.stdout.buffer, [7])",
    )
    worker = pool._start(0)
    assert worker.stdout and receive(worker.stdout) == [7]
    _end(worker)
    pool.close()
