"""A stand-in for Windows or macOS: removes everything Linux-only in every process that finds this module.

Python imports a module of this name as it starts, from PYTHONPATH, so that trainings and workers, which are processes
of their own, lack it too. SYSTEM names the system. LIBRARIES are imported before: whether they use fcntl or msvcrt is
decided as they are imported, and this machine has but one of the two. They are tested by those who made them.
"""

import asyncio
import contextlib
import importlib
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import Any

# macOS has some of the first ones, but nothing of ours should need them.
MODULES = {
    "darwin": ["fcntl", "resource"],
    "win32": ["fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog"],
}
LINUX_ALONE = ["fork", "nice", "sched_getaffinity", "sched_setaffinity", "memfd_create", "posix_fadvise"]
OS = {
    "darwin": LINUX_ALONE,
    "win32": [
        *LINUX_ALONE,
        *("forkpty", "getpriority", "setpriority", "PRIO_PROCESS", "posix_spawn", "wait", "wait3", "wait4", "WNOHANG"),
        *("getsid", "setsid", "getpgid", "setpgid", "killpg", "uname", "getuid", "geteuid", "getgid", "getloadavg"),
        *("chown", "fchmod", "mkfifo", "mknod", "statvfs", "fstatvfs", "sysconf", "confstr", "sync", "sched_yield"),
        *("O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC", "O_NONBLOCK"),
    ],
}
SIGNALS = {
    "darwin": ["SIGKILL"],
    "win32": ["SIGKILL", "SIGSTOP", "SIGCONT", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGPIPE", "SIGCHLD", "SIGQUIT"],
}
KILL = signal.SIGKILL
kill = os.kill


def killed(process: subprocess.Popen[bytes]) -> None:
    """Popen.kill on a system without signals (TerminateProcess)."""
    with contextlib.suppress(ProcessLookupError):
        if process.poll() is None:
            kill(process.pid, KILL)


def checked_kill(pid: int, number: int) -> None:
    if number == KILL:
        raise OSError(22, "Invalid argument")
    kill(pid, number)


def connected() -> tuple[socket.socket, socket.socket]:
    """socket.socketpair as Windows has it: over TCP."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        one = socket.create_connection(server.getsockname())
        return one, server.accept()[0]


def is_open(name: str) -> bool:
    """Whether a file, or one in a folder, is open or mapped into memory in any process of the test."""
    for pid in os.listdir(os.environ["PROCESSES"]):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
                found = [line.split(maxsplit=5)[-1].rstrip("\n") for line in maps]
            found += [os.readlink(entry.path) for entry in os.scandir(f"/proc/{pid}/fd")]
            if any(path == name or path.startswith(f"{name}/") for path in found):
                return True
    return False


def refusing(change: Callable[..., None]) -> Callable[..., None]:
    """Windows does not rename, delete or replace open files."""

    def checked(*paths: Any, **options: Any) -> None:
        for path in paths:
            if is_open(os.path.abspath(path)):
                refusals = os.path.join(os.path.dirname(os.environ["PROCESSES"]), "refusals")
                with open(refusals, "a", encoding="utf-8") as log:
                    log.write(f"{change.__name__} {path}\n")
                raise PermissionError(13, "Permission denied", path)
        change(*paths, **options)

    return checked


def resemble_windows() -> None:
    """The differences of Windows, and its event loop for servers."""
    with open(os.path.join(os.environ["PROCESSES"], str(os.getpid())), "wb"):
        pass
    for name in ("replace", "rename", "unlink", "remove"):
        setattr(os, name, refusing(getattr(os, name)))
    shutil._use_fd_functions = False  # which it has elsewhere
    asyncio.ProactorEventLoop = asyncio.SelectorEventLoop


def take_away(system: str) -> None:
    for name in MODULES[system]:
        sys.modules[name] = None  # so that to import it is an ImportError
    for name in OS[system]:
        if hasattr(os, name):
            delattr(os, name)
    for name in SIGNALS[system]:
        delattr(signal, name)
    os.kill = checked_kill
    os.process_cpu_count = os.cpu_count  # new in Python 3.13, built on Linux-only parts
    subprocess.Popen.kill = killed
    del socket.AF_UNIX
    socket.socketpair = connected
    sys.platform = system


if "SYSTEM" in os.environ:
    for library in os.environ["LIBRARIES"].split():
        importlib.import_module(library)
    take_away(os.environ["SYSTEM"])
    if sys.platform == "win32":
        resemble_windows()
