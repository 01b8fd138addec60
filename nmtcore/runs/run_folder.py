"""A training run as a folder: its settings, status, append-only logs, models, and who may control it.

A run is `<runs>/<12 hex digits>/`:
config.json      the settings (RunConfig); never changed
pairs.tsv        the checked pairs; never changed
status.json      the progress (Status), replaced atomically
events.jsonl     events of `training.loop.fit`, one per line, appended
traces.jsonl     the pinned sentence's Trace at step 0 and at every evaluation, one per line, appended
start/           the model that the run began with
model/best       the model of the best evaluation
state/           what resuming needs
owner.json       hashes of the codes that may stop and delete it
name.json        its name if it was saved
STOP             asks it to stop
job.json         the id of its Ray job, present or future, if a cluster is used
lock             held by the run's process while it lives, so the kernel tells whether it does

Nothing here needs torch: pages read these folders every second.
"""

import contextlib
import dataclasses
import hashlib
import hmac
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from nmtcore.decoding.trace import Trace
from nmtcore.errors import DataError
from nmtcore.files import (
    atomic_write,
    is_ordinary,
    open_ordinary,
    read_json,
    read_json_lines,
    replace,
    write_json,
)
from nmtcore.places import writable_folder
from nmtcore.runs.config import LIVE, RunConfig, RunError, Status
from nmtcore.runs.disk_errors import in_a_sentence
from nmtcore.runs.records import (
    LARGEST,
    MOST_STEPS,
    NAME,
    parse_event,
    parse_job,
    parse_owner,
    parse_run_name,
    parse_trace,
)
from nmtcore.system.locks import is_locked, locked
from nmtcore.training.exercises import Example

ID = re.compile(r"[0-9a-f]{12}")
GONE = "Its machine is gone. Ray starts it on another one, from its last checkpoint."

# Errors that reading a damaged record may raise: a damaged run must not break the list of runs.
UNREADABLE = (OSError, ValueError, ArithmeticError, TypeError, LookupError, AttributeError, RecursionError)

# What each record must contain: the checks for a JSON file and for every line of a log.
CHECKS: Mapping[str, Callable[[Any], object]] = {
    **{"config.json": RunConfig.from_json, "status.json": Status.from_json, "owner.json": parse_owner},
    **{"name.json": parse_run_name, "job.json": parse_job, "events.jsonl": parse_event, "traces.jsonl": parse_trace},
}

Content = TypeVar("Content")


@dataclass(frozen=True)
class Run:
    """One run. Reading it never fails because its process is writing, or died while writing."""

    folder: Path

    @property
    def id(self) -> str:
        return self.folder.name

    @property
    def best(self) -> Path:
        """The model folder for translating."""
        return self.folder / "model" / "best"

    @property
    def has_model(self) -> bool:
        """Whether there is a model in files of its own; a link could lead to other people's files."""
        folders = (self.best.parent, self.best)
        return is_ordinary(self.best / "config.json") and not any(map(os.path.islink, folders))

    def made(self) -> float:
        """When it was created, in seconds since the epoch; 0 if its folder is damaged."""
        with contextlib.suppress(OSError):
            return (self.folder / "config.json").stat().st_mtime_ns / 1e9
        return 0.0

    def config(self) -> RunConfig:
        """The settings of the run. Raises RunError if its folder is damaged."""
        try:
            return RunConfig.from_json(read_json(self.folder / "config.json"))
        except UNREADABLE as error:
            raise RunError(f"The run {self.id} is damaged: its config.json cannot be read. Delete it.") from error

    def status(self) -> Status:
        """The status as written, corrected if the process is gone, Ray restarts it, or it has been asked to stop."""
        written = self._written_status()
        if written.state in LIVE:
            stop = os.path.lexists(self.folder / "STOP")
            if not self.alive():
                if self._written_status().state != written.state:  # the last status of a process that has just ended
                    return self.status()
                if self.job() and not stop:
                    return dataclasses.replace(written, state="queued", message=GONE)
                return dataclasses.replace(written, state="interrupted", message="Its process is gone.")
            if stop:
                return dataclasses.replace(written, state="stopping")
        return written

    def _written_status(self) -> Status:
        unread = Status("failed", "The run's status cannot be read. Resume it, or delete it.")
        return self._read("status.json", Status.from_json, unread)

    def _read(self, name: str, parse_file: Callable[[Any], Content], missing: Content) -> Content:
        """The content of one of its JSON files; `missing` if it does not exist or is damaged."""
        try:
            return parse_file(read_json(self.folder / name))
        except UNREADABLE:
            return missing

    def alive(self) -> bool:
        """Whether a process is working on it, whatever its status says."""
        with contextlib.suppress(OSError):
            return is_locked(self.folder / "lock")
        return False

    def write_status(self, status: Status) -> None:
        write_json(self.folder / "status.json", dataclasses.asdict(status))

    def job(self) -> str:
        """The id of its Ray job; empty if it has none, or if a process of this machine trains it."""
        return self._read("job.json", parse_job, "")

    def write_job(self, job: str) -> None:
        """Store the id of its Ray job; an empty id removes it."""
        if job:
            write_json(self.folder / "job.json", {"job": job})
        else:
            (self.folder / "job.json").unlink(missing_ok=True)

    def events(self) -> list[dict[str, Any]]:
        """All events so far, oldest first; each names its kind in `event`. Damaged ones are skipped."""
        events = []
        for row in self._rows("events.jsonl"):
            with contextlib.suppress(*UNREADABLE):
                events.append(parse_event(row))
        return events

    def traces(self) -> list[tuple[int, Trace]]:
        """The pinned sentence's traces with their steps, oldest first. Damaged ones are skipped."""
        traces = []
        for row in self._rows("traces.jsonl"):
            with contextlib.suppress(*UNREADABLE):
                traces.append(parse_trace(row))
        return traces

    def _rows(self, name: str) -> Iterator[dict[str, Any]]:
        """The rows of one of its logs; none if it cannot be read."""
        with contextlib.suppress(OSError):
            yield from read_json_lines(self.folder / name)

    def damaged_files(self) -> tuple[str, ...]:
        """The names of its damaged records. Half a line from a process that died does not count as damage."""
        damaged = []
        for name, check in CHECKS.items():
            path = self.folder / name
            try:
                for row in read_json_lines(path) if path.suffix == ".jsonl" else [read_json(path)]:
                    check(row)
            except FileNotFoundError:
                damaged += [] if name in ("name.json", "job.json") else [name]
            except UNREADABLE:
                damaged.append(name)
        return tuple(damaged)

    def append(self, name: str, row: dict[str, Any]) -> None:
        """Append a line to a log, events.jsonl or traces.jsonl, after ending any half line of a process that died."""
        path = self.folder / name
        text = json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"
        with open_ordinary(path, "ab+") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    text = "\n" + text
            file.write(text.encode())

    def truncate_after(self, step: int) -> None:
        """Truncate the logs: drop events and traces of steps that a resumed run will repeat."""
        for name in ("events.jsonl", "traces.jsonl"):
            path = self.folder / name
            rows = [row for row in self._rows(name) if _step(row) <= step]
            text = "".join(json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in rows)
            atomic_write(path, text.encode())

    def pairs(self) -> list[Example]:
        """The pairs that it trains on. Raises RunError if they cannot be read."""
        try:
            with open_ordinary(self.folder / "pairs.tsv") as file:
                rows = file.read().decode().splitlines()
        except (OSError, ValueError) as error:
            raise RunError(f"The run {self.id} is damaged: its pairs.tsv cannot be read. Delete it.") from error
        return [(source, target) for source, _, target in (row.partition("\t") for row in rows)]

    # Access control.

    def allows(self, codes: Iterable[str]) -> bool:
        """Whether one of `codes` (a session's own, or one passed on) may stop, resume, name and delete this run."""
        owner = self._owner()
        return any(hmac.compare_digest(hashed(code), known) for code in codes for known in owner.values())

    def may_be_deleted_with(self, codes: Iterable[str]) -> bool:
        """Whether the holder of `codes` may delete this run: its owner, or anybody if its owner cannot be known."""
        return not self._owner() or self.allows(codes)

    def is_of(self, session: str) -> bool:
        return self._owner().get("session") == hashed(session)

    def _owner(self) -> dict[str, str]:
        return self._read("owner.json", parse_owner, {})

    # The name.

    def name(self) -> str:
        """The name under which it was saved; empty if it was not."""
        return self._read("name.json", parse_run_name, "")

    @in_a_sentence()
    def save_as(self, name: str) -> None:
        """Save or rename the run, which pages then offer. Raises RunError for a name that is invalid or taken."""
        name = checked_name(name)
        if not self.has_model:
            raise RunError("There is no model to save yet: it comes with the first evaluation.")
        with locked(self.folder.parent):
            for other in runs(self.folder.parent):
                if other.id != self.id and other.name().casefold() == name.casefold():
                    raise RunError(f"Another run is already saved as {other.name()!r}: choose another name.")
            write_json(self.folder / "name.json", {"name": name})

    # The end.

    @in_a_sentence()
    def stop(self) -> None:
        """Ask it to stop after its current step, with a checkpoint. A waiting run leaves the queue."""
        with locked(self.folder.parent):
            status = self.status()
            if status.state == "queued":
                self.write_status(dataclasses.replace(status, state="stopped"))
            elif status.state in LIVE:
                atomic_write(self.folder / "STOP", b"")

    @in_a_sentence()
    def delete(self) -> None:
        """Delete the folder. Raises RunError while a process is working on it."""
        with locked(self.folder.parent):  # nobody can resume it meanwhile
            if self.alive():
                raise RunError("This run is still working: stop it first, then delete it.")
            trash = self.folder.with_name(f".deleted-{self.id}")
            replace(self.folder, trash)  # atomic, so nobody sees half a run
        shutil.rmtree(trash, ignore_errors=True)


def _step(row: Mapping[str, Any]) -> int:
    """The step of a line in a log; a damaged line counts as later than all others."""
    step = row.get("step", 0)
    return step if isinstance(step, int) and step >= 0 else MOST_STEPS + 1


def runs_folder() -> Path:
    """The folder of all runs: ALIGNMENT_LAB_RUNS, or `runs` in the writable folder."""
    return Path(os.environ.get("ALIGNMENT_LAB_RUNS") or writable_folder() / "runs")


def runs(root: Path) -> list[Run]:
    """All runs, newest first."""
    with contextlib.suppress(OSError):
        listed = [Run(path) for path in root.iterdir() if is_run(path)]
        return sorted(listed, key=lambda run: (-run.made(), run.id))
    return []


def is_run(path: Path) -> bool:
    """Whether a path is the folder of a run, and not a link, which could lead to other people's files."""
    return bool(ID.fullmatch(path.name)) and os.path.isdir(path) and not os.path.islink(path)


def find(root: Path, run_id: str) -> Run:
    """Find a run by its id. Raises RunError if no run can have this id."""
    if not (ID.fullmatch(run_id) and is_run(root / run_id)):
        raise RunError("There is no such run: it may have been deleted.")
    return Run(root / run_id)


def saved(root: Path) -> dict[str, Run]:
    """The runs that were saved under a name and have a model, sorted by name."""
    named = {run.name(): run for run in runs(root) if run.has_model}
    return {name: named[name] for name in sorted(named, key=str.casefold) if name}


def checked_name(name: str) -> str:
    """A name with single spaces. Raises RunError for an invalid one."""
    name = " ".join(name.split())
    if not NAME.fullmatch(name):
        raise RunError("A name is 1 to 40 letters, digits, spaces and dashes, and begins with a letter or a digit.")
    return name


@in_a_sentence()
def create(
    root: Path, config: RunConfig, pairs: Sequence[Example], session: str, start: Path | None = None
) -> tuple[Run, str]:
    """Create the folder of a new run, in state `queued`, and the code that controls it.

    start: the model folder to fine-tune; it is copied, so the run depends on nothing else.
    Raises DataError without pairs, RunError if the disk refuses to store them.
    """
    if not pairs:
        raise DataError("There are no pairs to train on.")
    root.mkdir(parents=True, exist_ok=True)
    run = Run(root / secrets.token_hex(6))
    making = root / f".new-{run.id}"
    making.mkdir()
    try:
        if start is not None:
            shutil.copytree(start, making / "start", ignore=shutil.ignore_patterns(".*"))
        text = "".join(f"{source}\t{target}\n" for source, target in pairs)
        (making / "pairs.tsv").write_text(text, encoding="utf-8")
        write_json(making / "config.json", dataclasses.asdict(config))
        write_json(making / "owner.json", {"session": hashed(session), "code": hashed(control_code(session, run.id))})
        write_json(making / "status.json", dataclasses.asdict(Status(queued=end_of_queue(root))))
        (making / "lock").touch()
        replace(making, run.folder)
    except OSError:
        shutil.rmtree(making, ignore_errors=True)
        raise
    return run, control_code(session, run.id)


def end_of_queue(root: Path) -> int:
    """The time that puts a run at the end of the queue: now, or later if the clock has been set back."""
    statuses = (run.status() for run in runs(root))
    waiting = (status.queued + 1 for status in statuses if status.state == "queued")
    return min(LARGEST, max((time.time_ns(), *waiting)))


def control_code(session: str, run_id: str) -> str:
    """The code that controls only this run; a session can always derive the codes of its own runs."""
    return hmac.new(session.encode(), run_id.encode(), "sha256").hexdigest()[:10]


def hashed(code: str) -> str:
    """Hash a code with SHA-256, as stored in owner.json."""
    return hashlib.sha256(f"alignment-lab {code.strip()}".encode()).hexdigest()
