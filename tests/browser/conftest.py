"""What browser tests share: `serve` starts Streamlit, `page` is a tab of Chromium that fails on any error in it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.paths import ROOT

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WAIT = 60_000  # ms; models load on the first page of a server, and the machine may be busy
START = 3 * WAIT / 1000  # s; a server imports PyTorch first

expect.set_options(timeout=WAIT)


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """serve(script) returns the address of a Streamlit script, which runs once for the whole session.

    Where other folders of models or runs are set in the environment, it runs once more.
    """
    with ExitStack() as servers:
        running: dict[tuple[str, ...], str] = {}

        def start(script: Path) -> str:
            folders = sorted(
                f"{name}={value}" for name, value in os.environ.items() if name.startswith("ALIGNMENT_LAB")
            )
            wanted = (str(script), *folders)
            if wanted not in running:
                running[wanted] = servers.enter_context(Server(script))
            return running[wanted]

        yield start


@pytest.fixture(scope="module")
def models(model_folders: Path) -> Iterator[None]:
    """Servers that start while a file's tests run offer the small models of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ALIGNMENT_LAB_MODELS", str(model_folders))
        yield


class Server:
    def __init__(self, script: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.command = [
            *(sys.executable, "-m", "streamlit", "run", str(script)),
            *("--server.headless=true", f"--server.port={self.port}", "--server.fileWatcherType=none"),
        ]

    def __enter__(self) -> str:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            self.command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        address = f"http://127.0.0.1:{self.port}"
        deadline = time.monotonic() + START
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                    return address
            except OSError:
                time.sleep(0.1)
        self.__exit__()
        raise RuntimeError(f"Streamlit did not start: {' '.join(self.command)}")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def chromium() -> str | None:
    """Where a Chromium is, under one of the names that systems give it."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for a file of tests. Closed before other tests run: Playwright's loop would disturb them."""
    path = chromium()
    if path is None:
        pytest.skip("Browser tests need Chromium: apt-get install --no-install-recommends chromium fonts-noto-cjk")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """new_page(viewport=..., color_scheme=...) opens a tab of its own; an error in any of them fails the test."""
    with ExitStack() as contexts:
        errors: list[str] = []

        def make(**settings: Any) -> Page:
            context = browser.new_context(**{"viewport": {"width": 1280, "height": 720}, **settings})
            contexts.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(WAIT)
            page.on("pageerror", lambda error: errors.append(str(error)))
            return page

        yield make
        assert errors == []


@pytest.fixture
def app(serve: Callable[[Path], str], model_folders: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of the whole app, with small untrained models."""
    monkeypatch.setenv("ALIGNMENT_LAB_MODELS", str(model_folders))
    return serve(ROOT / "app.py")


@pytest.fixture
def alignment(serve: Callable[[Path], str]) -> str:
    """The address of the alignment component with made-up weights."""
    return serve(Path(__file__).parent / "alignment_app.py")


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """A tab of 1280 x 720, a projector's size."""
    return new_page()


def visit(page: Page, address: str) -> None:
    """Open `address` and wait until the script has run to its end and its fonts have come."""
    page.goto(address)
    # A page whose script has not begun says that none runs, too.
    page.locator('[data-testid="stMain"] [data-testid="stElementContainer"]').first.wait_for(state="attached")
    settled(page)
    lettered(page)


def lettered(page: Page) -> None:
    """Wait until the fonts have come: pictures whose words they change are drawn once more, which ends a hover."""
    page.evaluate("""async () => {
      await document.fonts.ready;
      await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    }""")


def drawn(page: Page, selector: str) -> Locator:
    """Wait until a picture is there, with its fonts: the first element that the selector finds."""
    found = page.locator(selector).first
    found.wait_for()
    lettered(page)
    return found


def addressed(page: Page, part: str) -> None:
    """Wait until the address holds a parameter, such as `step=2`: pictures write it when they have come to rest."""
    expect(page).to_have_url(re.compile(rf"[?&]{re.escape(part)}"))


def not_addressed(page: Page, name: str) -> None:
    """Wait until the address holds no parameter of this name."""
    expect(page).not_to_have_url(re.compile(rf"[?&]{re.escape(name)}="))


def settled(page: Page) -> None:
    """Wait until no script runs. After an act that runs one, wait first for what only that run can show."""
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()


def eventually(page: Page, check: Callable[[], None]) -> None:
    """Call `check` until it raises no AssertionError; the last one it raises is the test's."""
    deadline = time.monotonic() + WAIT / 1000
    while True:
        try:
            return check()
        except AssertionError:
            if time.monotonic() > deadline:
                raise
        page.wait_for_timeout(50)


def moved(element: Locator) -> None:
    """Wait until the transitions of an element have ended, such as that to the colour of a button under the pointer."""
    element.evaluate("element => Promise.all(element.getAnimations().map(animation => animation.finished))")
