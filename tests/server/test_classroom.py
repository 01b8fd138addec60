"""The app for a classroom: the address found, its QR code, and a server that others can reach."""

import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import streamlit as st
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from pages.server import classroom
from tests.helpers import PATIENCE
from tests.paths import ROOT
from tests.server.running import Server

ADDRESS = "http://192.168.100.23:18501"
direct = urllib.request.build_opener(urllib.request.ProxyHandler({})).open  # not by way of a proxy


def no_way(there: str) -> str:
    raise OSError("Network is unreachable")


def no_name() -> list[str]:
    raise OSError("Name or service not known")


def test_the_address_by_which_packets_leave_comes_first() -> None:
    ways = {classroom.BEYOND[0]: "192.168.1.5", classroom.BEYOND[2]: "10.0.0.7"}

    def leaving(there: str) -> str:
        return ways.get(there, "192.168.1.5")

    found = classroom.addresses(leaving, lambda: ["127.0.1.1", "172.17.0.1", "10.0.0.7", "169.254.3.4"])
    assert found == ["192.168.1.5", "10.0.0.7", "172.17.0.1"]


def test_without_a_way_out_the_networks_at_home_are_tried() -> None:
    def leaving(there: str) -> str:
        return "192.168.4.4" if there.startswith("192.168.") else no_way(there)

    assert classroom.addresses(leaving, no_name) == ["192.168.4.4"]
    assert classroom.addresses(no_way, lambda: ["10.1.1.1"]) == ["10.1.1.1"]
    assert classroom.addresses(no_way, no_name) == []
    assert classroom.addresses(lambda there: "127.0.0.1", lambda: ["0.0.0.0"]) == []


def test_without_a_network_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom, "addresses", list)
    with pytest.raises(SystemExit, match="cannot reach this machine .* make classroom ADDRESS="):
        classroom.main([])


@pytest.mark.parametrize("name", ["http://10.0.0.1", "10.0.0.1:80", "-v", "a b", "<b>", "x" * 300, "école"])
def test_an_address_that_cannot_be_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom.streamlit.web.cli, "main", no_server)
    with pytest.raises(SystemExit, match="without http"):
        classroom.main([f"--address={name}"])


def no_server(arguments: list[str]) -> None:
    raise AssertionError(f"The server was started: {arguments}")


@pytest.mark.parametrize("port", ["0", "65536", "eighty", "", "-1", "９"])
def test_a_port_that_cannot_be_is_refused(
    port: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(classroom.streamlit.web.cli, "main", no_server)
    with pytest.raises(SystemExit):
        classroom.main([f"--port={port}"])
    assert "PORT must be a number from 1 to 65535" in " ".join(capsys.readouterr().err.split())


def test_port_and_address_reach_terminal_and_server(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(classroom, "addresses", lambda: ["192.168.1.5", "10.0.0.7"])
    monkeypatch.setattr(classroom.streamlit.web.cli, "main", started.append)
    classroom.main(["--port", "8600"])
    classroom.main(["--port", "8600", "--address", "school-pc.local"])
    first, second = capsys.readouterr().out.split("make app opens the app on this machine only.")[:2]
    assert "Students open http://192.168.1.5:8600\n" in first
    assert "http://10.0.0.7:8600" in first
    assert "train models on this machine" in first and "Nothing is encrypted" in first
    assert "Students open http://school-pc.local:8600\n" in second
    assert "\x1b" not in first, "colours are for terminals"
    for arguments, name in zip(started, ("192.168.1.5", "school-pc.local"), strict=True):
        assert {"--server.address=0.0.0.0", "--server.port=8600", f"--browser.serverAddress={name}"} <= {*arguments}
        assert "XsrfProtection" not in str(arguments) and "CORS" not in str(arguments)


@pytest.mark.skipif(sys.platform == "win32", reason="make is for Linux and macOS.")
def test_make_passes_port_and_address() -> None:
    told = subprocess.run(
        ["make", "--dry-run", "classroom", "PORT=8600", "ADDRESS=10.0.0.9"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert re.search(r'pages\.server\.classroom --port "8600" --address "10\.0\.0\.9"', told)


def test_the_terminal_shows_the_code_of_the_address() -> None:
    lines = classroom.terminal_notice("192.168.100.23", 18501, [], colours=True).split("\x1b[97;40m")[1:]
    rows = [line.split("\x1b[0m")[0] for line in lines]
    # Upper and lower half of each block: white is light, as the colours say.
    halves = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    drawn = np.array([[halves[c][half] for c in row] for row in rows for half in (0, 1)])
    dark = np.argwhere(drawn[: 2 * len(rows) - 1])
    (top, left), (bottom, right) = dark.min(axis=0), dark.max(axis=0)
    size = right - left + 1
    assert bottom - top + 1 >= size
    np.testing.assert_array_equal(drawn[top : top + size, left : left + size], classroom.qr_code(ADDRESS).matrix)


def test_the_terminal_says_what_was_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALIGNMENT_LAB_RUNS", "/srv/shared runs")
    monkeypatch.setenv("ALIGNMENT_LAB_ADDRESS_CONNECTIONS", "321")
    words = " ".join(classroom.terminal_notice("192.168.1.5", 8611, [], colours=False).split())
    assert "Opened to every network of this machine: port 8611" in words
    assert "/srv/shared runs" in words and "at most 321 pages open at a time" in words
    monkeypatch.setenv("ALIGNMENT_LAB_CONNECTIONS", "lots")
    with pytest.raises(SystemExit, match="ALIGNMENT_LAB_CONNECTIONS must be a whole number"):
        classroom.main(["--address", "192.168.1.5"])


def test_a_page_offers_the_address_in_a_classroom_only(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {"server.address": "127.0.0.1", "browser.serverAddress": "localhost", "server.port": 8600}
    monkeypatch.setattr(classroom.st, "get_option", settings.__getitem__)
    monkeypatch.setattr(classroom, "addresses", lambda: ["192.168.1.5"])
    assert classroom.student_address() is None
    settings["server.address"] = "0.0.0.0"
    assert classroom.student_address() == "http://192.168.1.5:8600"
    settings["browser.serverAddress"] = "school-pc.local"
    assert classroom.student_address() == "http://school-pc.local:8600"
    settings["browser.serverAddress"] = "localhost"
    monkeypatch.setattr(classroom, "addresses", list)
    assert classroom.student_address() is None


@pytest.mark.parametrize(
    ("opened", "address"),
    [
        ("http://lab.school:8500/beam", "http://lab.school:8500"),
        ("https://lab.school/translate?text=a", "https://lab.school"),
        ("http://[fe80::1]:8500/", "http://[fe80::1]:8500"),
        ("http://localhost:8500/", None),
        ("http://127.0.0.1:8500/", None),
        ("http://[::1]:8500/", None),
        ("http://lab.school@evil/", None),
        ("javascript:alert(1)", None),
        ("http://" + "x" * 9000 + "/", None),
        (None, None),
    ],
)
def test_behind_a_proxy_students_type_the_address_of_the_proxy(
    opened: str | None, address: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the copy itself listens: its own address would lead past the proxy."""
    monkeypatch.setenv("ALIGNMENT_LAB_PROXIES", "1")
    monkeypatch.setattr(classroom, "addresses", lambda: ["10.0.0.5"])
    monkeypatch.setattr(classroom.st, "context", SimpleNamespace(url=opened))
    for listens in ("127.0.0.1", "0.0.0.0"):
        monkeypatch.setattr(classroom.st, "get_option", {"server.address": listens, "server.baseUrlPath": ""}.get)
        assert classroom.student_address() == address
    monkeypatch.setattr(classroom.st, "get_option", {"server.baseUrlPath": "/lab/"}.get)
    assert classroom.student_address() == (address and f"{address}/lab")


@pytest.mark.parametrize(
    ("opened", "classroom_address", "link"),
    [
        ("http://127.0.0.1:8501/beam?text=a+b", "http://192.168.1.5:8600", "http://192.168.1.5:8600/beam?text=a+b"),
        ("http://127.0.0.1:8501/lab/beam?text=a", "https://x.org/lab", "https://x.org/lab/beam?text=a"),
        ("https://lab.school/?text=%C3%A9", None, "https://lab.school/?text=%C3%A9"),
        ("http://127.0.0.1:8501/beam?text=a", None, None),
        ("javascript:alert(1)", None, None),
    ],
)
def test_a_link_to_a_view_has_the_address_that_others_can_open(
    opened: str, classroom_address: str | None, link: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classroom, "student_address", lambda: classroom_address)
    assert classroom.public_link(opened) == link


def test_an_address_is_read_as_it_was_typed() -> None:
    assert classroom.readable("https://x.org/?text=%E6%88%91+%C3%A9%3F%26+100%25&pair=zh-en") == (
        "https://x.org/?text=我+é%3F%26+100%25&pair=zh-en"
    )


@pytest.mark.parametrize("words", [3, 2000])
def test_a_view_has_a_qr_code_or_is_said_to_be_too_long_for_one(words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def app(opened: str) -> None:
        from pages.common.page_links import show_link

        show_link(opened, "Copied")

    monkeypatch.setattr(classroom, "student_address", lambda: "https://lab.school")
    page = AppTest.from_function(app, args=("http://127.0.0.1/beam?text=" + "a+" * words,)).run()
    (shown,) = [str(found.proto.body) for found in page.get("html")]
    assert ("<img" in shown) == (words == 3) and ("too long for a QR code" in shown) == (words == 2000)
    assert "https://lab.school/beam?text=a+a+" in shown


@pytest.mark.parametrize("address", [ADDRESS, "https://lab.school"])
def test_the_button_opens_a_poster(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The poster of an encrypted address has no warning about encryption."""

    def app() -> None:
        from pages.server.classroom import join_button

        join_button()

    assert not AppTest.from_function(app).run().button
    monkeypatch.setattr(classroom, "student_address", lambda: address)
    page = AppTest.from_function(app).run()
    assert not page.get("html")
    page.button(key="join").click().run()
    assert not page.exception
    poster = page.get("html")[0].proto.body
    assert address in poster and classroom.qr_image(address) in poster
    warnings = classroom.exposure_warnings()
    assert [text.value for text in page.text] == list(warnings if address == ADDRESS else warnings[:1])


@pytest.fixture(scope="module")
def server(model_folders: Path) -> Iterator[str]:
    """A classroom's server, as `make classroom` starts it: host and port by which other machines reach it."""
    own = next(iter(classroom.addresses()), None)
    if own is None:
        pytest.skip("This machine has no address on a network.")
    running = Server(ROOT / "app.py", workers=0)  # one page is opened
    running.command = [sys.executable, "-m", "pages.server.classroom", "--port", str(running.port)]
    running.settings |= {"ALIGNMENT_LAB_PRETRAINED": str(model_folders), "STREAMLIT_SERVER_HEADLESS": "true"}
    with running:
        yield f"{own}:{running.port}"


def test_another_machine_can_open_the_app(server: str) -> None:
    """Through the address of the network, with protection against foreign pages (XSRF, CORS) on."""
    assert st.get_option("server.enableXsrfProtection") and st.get_option("server.enableCORS")
    with direct(f"http://{server}/", timeout=PATIENCE) as answer:
        assert b"<title>" in answer.read()
    asked = BackMsg(rerun_script={"query_string": "text=the+red+cat"})
    stream = f"ws://{server}/_stcore/stream"
    with connect(stream, origin=f"http://{server}", subprotocols=["streamlit"], max_size=None, proxy=None) as socket_:
        socket_.send(asked.SerializeToString())
        deadline = time.monotonic() + PATIENCE
        labels = set()
        finished = None
        while finished != ForwardMsg.FINISHED_SUCCESSFULLY:
            assert time.monotonic() < deadline
            message = ForwardMsg.FromString(socket_.recv(timeout=PATIENCE))
            if message.WhichOneof("type") == "script_finished":
                finished = message.script_finished
                assert finished != ForwardMsg.FINISHED_WITH_COMPILE_ERROR
            element = message.delta.new_element
            labels.add(element.button.label)
            assert not element.HasField("exception")
        assert "Join from another device" in labels


def test_a_stranger_uploads_nothing_and_opens_no_connection(server: str) -> None:
    """Without the token of this server's pages (XSRF), or without an open page."""
    with direct(f"http://{server}/_stcore/health", timeout=PATIENCE) as answer:
        token = answer.headers["Set-Cookie"].partition(";")[0].partition("=")[2]
    known = {"Cookie": f"_streamlit_xsrf={token}", "X-Xsrftoken": token}
    form = b"--x\r\nContent-Disposition: form-data; name=f; filename=f\r\n\r\na\tb\r\n--x--\r\n"
    for headers, status in (({}, 403), ({"X-Xsrftoken": token}, 403), (known, 400)):
        headers = {**headers, "Content-Type": "multipart/form-data; boundary=x"}
        upload = f"http://{server}/_stcore/upload_file/no-session/file"
        with pytest.raises(urllib.error.HTTPError) as refused:
            direct(urllib.request.Request(upload, form, headers, method="PUT"), timeout=PATIENCE)
        with refused.value:
            assert refused.value.code == status
    with pytest.raises(InvalidStatus, match="403"):
        connect(f"ws://{server}/_stcore/stream", origin=Origin("http://evil.example"), proxy=None)
