"""A fork server: one process loads PyTorch and the models, and every worker is a fork of it (copy-on-write).

All workers share one copy of the weights, and replacing a dead worker takes no time. A fork has only the thread that
called it, so the forked process must never have had a second one: all libraries are told to use one thread before they
are loaded, and nothing in it starts another.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from nmtcore.serving.framing import Readable
from nmtcore.serving.request import DecodeRequest, ModelKey

PROJECT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "nmtcore.serving.fork_server")
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
LONGEST = 10_000  # bytes of a command or a reply; a command to load a model contains the paths of two
LINUX_ONLY = "A process with PyTorch can only fork on Linux."
FURTHER = 8  # models kept in addition to those of the opening requests: the other shipped ones, and a few more


def can_fork() -> bool:
    """Whether a process with PyTorch may fork: on macOS its libraries start their own threads; Windows has no fork."""
    return sys.platform == "linux" and hasattr(os, "fork")


class WholeReads:
    """A socket whose reads wait in the kernel until all requested bytes are there (MSG_WAITALL).

    A pipe delivers 64 kB at a time. For each chunk the reading thread needs the interpreter lock, which it gets 5 ms
    later on a busy server, while the worker waits to write the next chunk.
    """

    def __init__(self, source: socket.socket) -> None:
        self.source = source

    def read(self, length: int = 1) -> bytearray:
        buffer = bytearray(length)
        got = 0
        while got < length:  # once, unless this process was stopped and resumed: then a part is there
            count = self.source.recv_into(memoryview(buffer)[got:], 0, socket.MSG_WAITALL)
            if not count:
                return buffer[:got]
            got += count
        return buffer

    def close(self) -> None:
        self.source.close()


@dataclass
class ForkedWorker:
    """The server's handle on a worker: the pipes to it and from it. The fork server is its parent and ends it.

    models: those that the fork server had loaded, which the worker inherits.
    """

    server: ForkServer
    parent: int  # the fork server that made it
    pid: int
    stdin: IO[bytes]
    stdout: Readable
    models: frozenset[ModelKey] = frozenset()

    def kill(self) -> None:
        self.server.end(self)

    def wait(self) -> None:
        """Nothing: when `kill` returns, the process is gone."""


class ForkServer:
    """The process that workers are forked from. The first `start` launches it, and so does the next after it has died.

    opening: requests that it answers first, which load and warm up their models.
    """

    def __init__(self, opening: Sequence[DecodeRequest] = (), command: Sequence[str] = COMMAND) -> None:
        self.opening, self.command = opening, command
        self.lock = threading.Lock()  # one message at a time
        self.process: subprocess.Popen[bytes] | None = None
        self.socket: socket.socket | None = None
        self.further: list[ModelKey] = []  # loaded on command, oldest first

    def start(self, model: ModelKey | None = None) -> ForkedWorker:
        """Start a worker that has this model; the fork server loads it first. Raises OSError if that fails.

        A model is thus in memory once, however many workers use it. If there are FURTHER others, the oldest is
        unloaded; the models of the opening requests, which everybody needs, stay.
        """
        requests, to_worker = os.pipe()
        from_worker, replies = socket.socketpair()
        try:
            with self.lock:
                if self.process is None or self.process.poll() is not None:
                    self._stop()
                    self._launch()
                if model and model not in self.models:
                    gone = self.further[0] if len(self.further) >= FURTHER else None
                    self._command(b"load" + pickle.dumps((model, gone)), [])
                    self.further = [*(kept for kept in self.further if kept != gone), model]
                models = self.models
                pid = self._command(b"start", [requests, replies.fileno()])
                assert self.process
                parent = self.process.pid
        except OSError:
            os.close(to_worker)
            from_worker.close()
            raise
        finally:
            os.close(requests)
            replies.close()
        return ForkedWorker(self, parent, pid, os.fdopen(to_worker, "wb"), WholeReads(from_worker), models)

    @property
    def models(self) -> frozenset[ModelKey]:
        """The models that the next fork will have."""
        return frozenset([*(request.model for request in self.opening), *self.further])

    def end(self, worker: ForkedWorker) -> None:
        """Kill a worker. If the fork server has died, its workers end by themselves."""
        with self.lock, suppress(OSError):
            if self.process and self.process.pid == worker.parent:
                self._command(b"end %d" % worker.pid, [])

    def close(self) -> None:
        """End the fork server; its remaining workers end after it."""
        with self.lock:
            self._stop()

    def _command(self, message: bytes, files: list[int]) -> int:
        if sys.platform != "linux":
            raise OSError(LINUX_ONLY)
        assert self.socket
        try:
            socket.send_fds(self.socket, [message], files)
            reply = self.socket.recv(LONGEST)
        except OSError:
            reply = b""
        if not reply:
            self._stop()
            raise OSError("The process that worker processes are made from has ended.")
        return int(reply)

    def _launch(self) -> None:
        self.socket, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [*self.command, str(theirs.fileno())],
                cwd=PROJECT,
                env=os.environ | ONE_THREAD,
                stdin=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
            )
        self.further = []
        assert self.process.stdin
        with suppress(OSError), self.process.stdin as stdin:
            pickle.dump(self.opening, stdin, pickle.HIGHEST_PROTOCOL)

    def _stop(self) -> None:
        if self.socket:
            self.socket.close()
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = self.socket = None


def main(number: int) -> None:
    """The fork server itself: load the models, then fork on command. It ends when the socket is closed."""
    if sys.platform != "linux":
        raise OSError(LINUX_ONLY)
    from nmtcore.errors import NmtError
    from nmtcore.serving import worker
    from nmtcore.serving.request import load_model
    from nmtcore.system.host_memory import freeze_objects, give_back

    with socket.socket(fileno=number) as control:
        opening = pickle.load(sys.stdin.buffer)
        worker.set_up()
        for request in opening:
            with suppress(NmtError):  # the worker reports it
                worker.inherited[request.model] = worker.inherited.get(request.model) or load_model(request.model)
            worker.reply([request])
        freeze_objects()
        give_back()
        own = os.getpid()
        children: set[int] = set()
        while True:
            message, files, _flags, _address = socket.recv_fds(control, LONGEST, 2)
            if not message:
                return
            if message == b"start":
                pid = os.fork()
                if not pid:
                    break
                children.add(pid)
                for file in files:
                    os.close(file)
            elif message.startswith(b"load"):
                pid = 0
                model, gone = pickle.loads(message[len(b"load") :])
                worker.inherited.pop(gone, None)
                with suppress(NmtError):
                    worker.inherited[model] = load_model(model)
                freeze_objects()
                give_back()
            elif (pid := int(message.split()[1])) in children:
                children.remove(pid)
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)  # only now: until then no other process can have its number
            control.send(b"%d" % pid)
    # A fork is slow when it first touches its memory (page faults): that must not slow down the first visitor's
    # sentence.
    for request in opening[:1]:
        worker.reply([request])
    with open(files[0], "rb") as requests, open(files[1], "wb") as replies:
        worker.serve(requests, replies, own)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt, BrokenPipeError, ConnectionError):  # the server has been stopped
        main(int(sys.argv[1]))
