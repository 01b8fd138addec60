"""Training runs as jobs on a Ray cluster: a client of Ray's Jobs REST API, used if ALIGNMENT_LAB_RAY names a cluster.

Ray then keeps the queue and chooses the machine. A run is one job (`ray_task`), whose id is stored in the run's folder;
everything else passes through the folder, which the machines of the cluster share with the server. The server does not
need Ray: https://docs.ray.io/en/latest/cluster/running-applications/job-submission/rest.html
"""

import dataclasses
import json
import os
import re
import secrets
import shlex
import time
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Any

from nmtcore.errors import SettingError
from nmtcore.runs.config import Device, RunError, State
from nmtcore.runs.run_folder import Run, runs
from nmtcore.system.locks import locked, try_lock

SETTING = "ALIGNMENT_LAB_RAY"
ADDRESS = re.compile(r"(https?)://(\[[0-9a-f:]+\]|[\w.-]+)(?::(\d{1,5}))?/?")
PORT = 8265  # of Ray's dashboard, which serves the Jobs API
TIMEOUT = 5.0  # seconds for an answer, for which a page waits
ASK_AGAIN = 10.0  # seconds until a silent cluster, or a waiting job, is asked again
LONGEST = 300  # characters of Ray's message about a job
ENDED: dict[str, State] = {  # the state of a run whose job ended so, before the run began
    **{"FAILED": "failed", "STOPPED": "stopped", "SUCCEEDED": "interrupted", "UNKNOWN": "queued"},
}

_next: dict[Path | str, float] = {}  # time of the next request, by address or run


class RayUnreachable(RunError):
    """The cluster does not answer, or something other than Ray does."""


def is_set() -> bool:
    """Whether runs are jobs on a cluster rather than processes on this machine."""
    return bool(os.environ.get(SETTING, "").strip())


def address() -> str:
    """The address of the cluster's dashboard. Raises SettingError if the setting is not an address."""
    given = os.environ.get(SETTING, "").strip()
    match = ADDRESS.fullmatch(given if "://" in given else f"http://{given}")
    if match is None or int(match[3] or 0) > 65535:
        raise SettingError(
            f"{SETTING} must be the address of Ray's dashboard, such as http://10.0.0.5:{PORT}; it is {given[:80]!r}."
        )
    return f"{match[1]}://{match[2]}:{match[3] or PORT}"


def devices() -> list[Device]:
    """The devices that the machines of the cluster report; the CPU if they report none."""
    try:
        nodes = _ask("GET", "/api/v0/nodes?detail=1&limit=1000")["data"]["result"]["result"]
        there = [node["resources_total"] for node in nodes if node["state"] == "ALIVE"]
        gpus = sum(float(node.get("GPU", 0)) for node in there)
    except (RunError, SettingError, KeyError, TypeError, ValueError, AttributeError):
        gpus = 0
    return [*([Device("cuda:0", "GPU (Ray)")] if gpus else []), Device("cpu", "CPU (Ray)")]


def hand_over(root: Path) -> list[Run]:
    """Submit waiting runs as jobs, and end those whose job ended before they began.

    Cheap, since pages call it on every visit: a job, or a silent cluster, is asked only every 10 s.
    """
    waiting = [run for run in reversed(runs(root)) if run.status().state == "queued"]
    waiting = [run for run in waiting if not run.job() or _is_due(run.folder)]
    if not waiting:
        return []
    with try_lock(root / ".ray.lock") as held:
        return _hand_over(waiting) if held else []


def _hand_over(waiting: list[Run]) -> list[Run]:
    handed: list[Run] = []
    try:
        where = address()
        if not _is_due(where):
            return []
        for run in sorted(waiting, key=lambda run: run.status().queued):
            if run.job():
                _look_after(run)
            elif run.status().state == "queued":
                _submit(run)
                handed.append(run)
    except RayUnreachable as error:
        _next[where] = time.monotonic() + ASK_AGAIN
        for run in waiting:
            explain_waiting(run, str(error))
    except SettingError as error:
        for run in waiting:
            explain_waiting(run, str(error))
    return handed


def explain_waiting(run: Run, message: str) -> None:
    """Record why a run waits, as long as it does."""
    with locked(run.folder.parent):
        status = run.status()
        if status.state == "queued" and status.message != message:
            run.write_status(dataclasses.replace(status, message=message))


def _submit(run: Run) -> None:
    """Submit a run as a job. Raises RayUnreachable. The id is stored first, so that a lost job is noticed later."""
    job = f"alignment-lab-{run.id}-{secrets.token_hex(3)}"
    run.write_job(job)
    command = f"python -m nmtcore.runs.ray_task {shlex.quote(str(run.folder.absolute()))}"
    try:
        _ask("POST", "/api/jobs/", {"entrypoint": command, "submission_id": job, "metadata": {"run": run.id}})
    except RayUnreachable:
        run.write_job("")
        raise
    _next[run.folder] = time.monotonic() + ASK_AGAIN
    explain_waiting(run, "")


def _look_after(run: Run) -> None:
    """End a run whose job ended before it began; forget a job that the cluster does not know, to submit it again."""
    job = run.job()
    try:
        answer = _ask("GET", f"/api/jobs/{job}")
    except FileNotFoundError:
        answer = {"status": "UNKNOWN"}
    _next[run.folder] = time.monotonic() + ASK_AGAIN
    state, message = ENDED.get(str(answer.get("status"))), ""
    if state is None:
        if run.status().message.startswith(_no_answer()):
            explain_waiting(run, "")
        return
    if state == "failed":
        lines = str(answer.get("message") or "").strip().splitlines() or ["see the log of its job"]
        message = f"Ray could not run the training: {lines[-1][:LONGEST]}"
    with locked(run.folder.parent):
        status = run.status()
        if status.state == "queued" and run.job() == job:  # it has neither begun nor been resumed in the meantime
            run.write_job("")
            run.write_status(dataclasses.replace(status, state=state, message=message))


def _no_answer() -> str:
    return f"Ray does not answer at {address()}"


def _ask(method: str, path: str, data: dict[str, Any] | None = None) -> dict[str, Any]:
    """Send one request. Raises RayUnreachable if Ray does not answer, FileNotFoundError for an unknown resource."""
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(address() + path, body, {"Content-Type": "application/json"}, method=method)
    if token := os.environ.get("RAY_AUTH_TOKEN", ""):
        request.add_header("Authorization", f"Bearer {token}")
    advice = f"The training waits until it does. Check {SETTING}, and whether the cluster's head node is up."
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            reply = json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            text = error.read(2000).decode(errors="replace")
        if error.code == 404 and "does not exist" in text:
            raise FileNotFoundError(path) from error
        wants = " It needs a token: set RAY_AUTH_TOKEN." if error.code in (401, 403) else ""
        raise RayUnreachable(f"{_no_answer()} correctly: HTTP status {error.code}.{wants} {advice}") from error
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        said = "something else does" if isinstance(error, (HTTPException, ValueError)) else _plain(reason)
        raise RayUnreachable(f"{_no_answer()}: {said}. {advice}") from error
    if not isinstance(reply, dict):
        raise RayUnreachable(f"{_no_answer()}: something else does. {advice}")
    return reply


def _plain(reason: object) -> str:
    """Why there was no answer, without error numbers."""
    if isinstance(reason, TimeoutError):
        return f"no reply within {TIMEOUT:.0f} s"
    return (reason.strerror or "no connection") if isinstance(reason, OSError) else str(reason)


def _is_due(what: Path | str) -> bool:
    return time.monotonic() >= _next.get(what, 0.0)
