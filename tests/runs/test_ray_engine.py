"""The client of a Ray cluster, against a server that answers as Ray's Jobs API does, and others that do not."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from nmtcore.commands.runs import describe
from nmtcore.errors import SettingError
from nmtcore.runs import queue, ray_engine, run_folder
from nmtcore.runs.config import Status
from nmtcore.runs.run_folder import Run
from tests.runs.helpers import REVERSE, config

Answer = tuple[int, bytes]


class Jobs:
    """A cluster's jobs. `answer` replaces Ray, for servers that are something else."""

    def __init__(self) -> None:
        self.jobs: dict[str, dict[str, Any]] = {}
        self.nodes: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.token = ""
        self.answer: Callable[[], Answer] | None = None

    def reply(self, method: str, path: str, body: bytes) -> Answer:
        self.asked.append(f"{method} {path}")
        if self.answer is not None:
            return self.answer()
        if path.startswith("/api/v0/nodes"):
            return 200, json.dumps({"data": {"result": {"result": self.nodes}}}).encode()
        if method == "POST":
            given = json.loads(body)
            self.jobs[given["submission_id"]] = {"status": "PENDING", **given}
            return 200, json.dumps({"submission_id": given["submission_id"]}).encode()
        found = self.jobs.get(path.rsplit("/", 1)[1])
        return (200, json.dumps(found).encode()) if found else (404, b"Job such does not exist")


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Jobs]:
    jobs = Jobs()

    class Handler(BaseHTTPRequestHandler):
        def _reply(self) -> None:
            jobs.token = self.headers.get("Authorization", "")
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, content = jobs.reply(self.command, self.path, body)
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = _reply

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
    monkeypatch.setenv(ray_engine.SETTING, f"127.0.0.1:{server.server_port}")
    monkeypatch.setattr(ray_engine, "ASK_AGAIN", 0.0)
    yield jobs
    server.shutdown()
    server.server_close()


def submit(root: Path) -> Run:
    return queue.submit(root, config(), REVERSE.pairs(40, length=4), "me")[0]


def test_a_run_becomes_one_job(cluster: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN", "secret")
    run = submit(tmp_path / "a folder")
    for _ in range(3):
        assert queue.start_queued(run.folder.parent) == []
    (job,) = cluster.jobs.values()
    assert job["submission_id"] == run.job()
    assert job["entrypoint"] == f"python -m nmtcore.runs.ray_task '{run.folder}'"
    assert (run.status().state, run.status().message) == ("queued", "")
    assert cluster.asked.count(f"GET /api/jobs/{run.job()}") == 3
    assert cluster.token == "Bearer secret"
    assert run.damaged_files() == ()
    assert describe(run) == f"{run.id} · queued · reverse, dot, cpu · job {run.job()} of Ray"


def test_a_job_that_waits_is_not_asked_for_at_every_look(
    cluster: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_engine, "ASK_AGAIN", 3600.0)
    submit(tmp_path)
    for _ in range(3):
        queue.start_queued(tmp_path)
    assert cluster.asked == ["POST /api/jobs/"]


def test_runs_are_handed_over_in_their_order(cluster: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "start_queued", lambda root: [])
    made = [queue.submit(tmp_path, config(), REVERSE.pairs(40, length=4), str(i))[0] for i in range(5)]
    assert ray_engine.hand_over(tmp_path) == made
    assert list(cluster.jobs) == [run.job() for run in made]


def test_a_run_whose_machine_is_gone_waits_again(cluster: Jobs, tmp_path: Path) -> None:
    run = submit(tmp_path)
    run.write_status(Status("running", step=70, total=100))  # and nobody has its lock
    assert (run.status().state, run.status().step) == ("queued", 70)
    assert "Ray starts it on another one" in run.status().message
    queue.mark_interrupted(tmp_path)
    assert (run.status().state, len(cluster.jobs)) == ("queued", 1)
    (run.folder / "STOP").touch()  # it had been told to stop when its machine died
    assert run.status().state == "interrupted"


@pytest.mark.parametrize(
    ("ended", "state", "message"),
    [
        ("FAILED", "failed", "Ray could not run the training: No module named nmtcore"),
        ("STOPPED", "stopped", ""),
        ("SUCCEEDED", "interrupted", ""),
    ],
)
def test_a_job_that_ends_before_its_run(cluster: Jobs, tmp_path: Path, ended: str, state: str, message: str) -> None:
    run = submit(tmp_path)
    first = run.job()
    cluster.jobs[first] |= {"status": ended, "message": "Job failed, last logs:\n  \nNo module named nmtcore\n\n"}
    queue.start_queued(tmp_path)
    assert (run.status().state, run.status().message, run.job()) == (state, message, "")
    queue.resume(run, "me")
    assert run.job() not in ("", first)
    assert run.status().state == "queued"


def test_a_run_that_was_stopped_stays_so(cluster: Jobs, tmp_path: Path) -> None:
    run = submit(tmp_path)
    run.stop()
    cluster.jobs[run.job()]["status"] = "FAILED"
    queue.start_queued(tmp_path)
    assert run.status().state == "stopped"


def test_a_cluster_that_was_started_anew_gets_the_run_again(cluster: Jobs, tmp_path: Path) -> None:
    run = submit(tmp_path)
    first = run.job()
    cluster.jobs.clear()
    queue.start_queued(tmp_path)
    queue.start_queued(tmp_path)
    assert list(cluster.jobs) == [run.job()] != [first]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda: (200, b"<html>a printer</html>"), "something else does"),
        (lambda: (200, b"[1]"), "something else does"),
        (lambda: (404, b"not found"), "HTTP status 404"),
        (lambda: (500, b"No agent"), "HTTP status 500"),
        (lambda: (401, b"Unauthorized"), "HTTP status 401. It needs a token: set RAY_AUTH_TOKEN"),
    ],
)
def test_what_answers_otherwise_is_said_and_tried_again(
    cluster: Jobs, tmp_path: Path, answer: Callable[[], Answer], said: str
) -> None:
    cluster.answer = answer
    run = submit(tmp_path)
    assert run.status().state == "queued"
    assert said in run.status().message
    assert run.status().message.endswith(f"Check {ray_engine.SETTING}, and whether the cluster's head node is up.")
    assert [device.id for device in ray_engine.devices()] == ["cpu"]
    cluster.answer = None
    queue.start_queued(tmp_path)
    assert (run.status().message, len(cluster.jobs)) == ("", 1)


def test_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ray_engine.SETTING, "http://127.0.0.1:9")
    run = submit(tmp_path)
    assert run.status().message.startswith(
        "Ray does not answer at http://127.0.0.1:9: Connection refused. The training waits"
    )
    monkeypatch.setattr(ray_engine, "_ask", lambda *_: pytest.fail("A silent cluster is left alone for a while."))
    queue.start_queued(tmp_path)
    run.stop()
    assert (run.status().state, run.job()) == ("stopped", "")


@pytest.mark.parametrize("given", ["ray://head:10001", "http://", "10.0.0.5:99999", "head:port", "a b", "http://h/x?y"])
def test_what_is_no_address_is_refused_before_there_is_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv(ray_engine.SETTING, given)
    with pytest.raises(SettingError, match="must be the address of Ray's dashboard, such as http://10.0.0.5:8265"):
        submit(tmp_path)
    assert run_folder.runs(tmp_path) == []
    assert [device.id for device in ray_engine.devices()] == ["cpu"]


def test_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    for given, address in (
        ("head", "http://head:8265"),
        (" 10.0.0.5:80 ", "http://10.0.0.5:80"),
        ("https://ray.example.org/", "https://ray.example.org:8265"),
        ("http://[::1]:8265", "http://[::1]:8265"),
    ):
        monkeypatch.setenv(ray_engine.SETTING, given)
        assert ray_engine.address() == address


def test_gpus_of_the_cluster_are_offered(cluster: Jobs) -> None:
    assert [device.id for device in ray_engine.devices()] == ["cpu"]
    cluster.nodes = [
        {"state": "ALIVE", "resources_total": {"CPU": 4.0}},
        {"state": "DEAD", "resources_total": {"GPU": 8.0}},
    ]
    assert [device.id for device in ray_engine.devices()] == ["cpu"]
    cluster.nodes.append({"state": "ALIVE", "resources_total": {"CPU": 4.0, "GPU": 1.0}})
    assert [device.id for device in ray_engine.devices()] == ["cuda:0", "cpu"]


def test_a_damaged_job_is_told_and_no_part_of_an_address(cluster: Jobs, tmp_path: Path) -> None:
    run = submit(tmp_path)
    for content in ('{"job": "../../logs"}', '{"job": 3}', "[]", "{"):
        (run.folder / "job.json").write_text(content)
        assert (run.job(), run.damaged_files()) == ("", ("job.json",))
