"""Shared by browser tests: `serve` starts Streamlit, `page` is a tab of Chromium that fails on any error in it."""

import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Error, Locator, Page, ViewportSize, expect, sync_playwright

from nmtcore.config import CORE
from nmtcore.models import checkpoint
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small
from tests.paths import ROOT
from tests.server.running import Server

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WAIT = 120_000  # ms; models load on the first page of a server, and the machine may be busy
SIZE: ViewportSize = {"width": 1280, "height": 720}  # a projector's

Scheme = Literal["light", "dark"]
Motion = Literal["reduce", "no-preference"]

expect.set_options(timeout=WAIT)


@pytest.fixture(scope="package", autouse=True)
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where all servers keep their runs: not among the runs of whoever tests, and one server does for all files."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ALIGNMENT_LAB_RUNS", str(folder))
        yield folder


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """serve(script) returns the address of a Streamlit script, which runs once for the whole session.

    With another folder of models in the environment, it runs once more.
    """
    with ExitStack() as servers:
        running: dict[tuple[str, ...], str] = {}

        def start(script: Path) -> str:
            folders = sorted(
                f"{name}={value}" for name, value in os.environ.items() if name.startswith("ALIGNMENT_LAB")
            )
            wanted = (str(script), *folders)
            if wanted not in running:
                running[wanted] = servers.enter_context(Server(script, workers=1))
            return running[wanted]

        yield start


@pytest.fixture(scope="session")
def model_directory(model_folders: Path, vocab: Vocab, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small models of the tests, and one that writes all words at once: the models of one server.

    The second pair has only the four that Translate opens with: a page that asks all models of a pair is quick there.
    """
    folder = tmp_path_factory.mktemp("model_directory")
    shutil.copytree(model_folders / "en-fr", folder / "en-fr")
    for name in CORE:
        shutil.copytree(model_folders / "zh-en" / name, folder / "zh-en" / name)
    made = small("mask-predict", vocab)
    checkpoint.save(folder / "en-fr" / "mask-predict", made.model, vocab, made.meta)
    return folder


class Host(SimpleHTTPRequestHandler):
    """Its files may be cached for an hour, as common hosts allow for minutes."""

    def log_message(self, *_: object) -> None:
        """Silent."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()


@contextmanager
def hosted(folder: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """The address of a plain file host, and a function that ends it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def close() -> None:
        server.shutdown()
        server.server_close()

    yield f"http://127.0.0.1:{server.server_port}", close
    close()


SHELL = "chromium-headless-shell"  # Debian's Chromium without windows: the tests take a tenth less time with it
HINTING = "--font-render-hinting=none"  # as in a window; without it the shell's letters are wider


def chromium(*names: str) -> str | None:
    """The path of a Chromium, under one of its usual names. names: preferred ones."""
    known = (*names, "chromium", "chromium-browser", "google-chrome", SHELL)
    return next(filter(None, map(shutil.which, known)), None)


@pytest.fixture
def shipped(serve: Callable[[Path], str], monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of the app with the shipped models."""
    monkeypatch.delenv("ALIGNMENT_LAB_PRETRAINED", raising=False)
    return serve(ROOT / "app.py")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for this folder. Closed before other tests run: Playwright's loop would disturb them."""
    path = chromium(SHELL)
    if path is None:
        pytest.skip("Browser tests need Chromium: apt-get install --no-install-recommends chromium fonts-noto-cjk")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=[*FLAGS, HINTING])
        yield launched
        launched.close()


class Tabs:
    """A pool of tabs, each with its own cookies and storage, that tests use one after another.

    A tab that has been used has Streamlit's JavaScript compiled: to open a page in it takes a third of the processor
    time of a new one.
    """

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: list[Page] = []
        self.errors: list[str] = []

    def new(self) -> Page:
        page = self.browser.new_context(viewport=SIZE).new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.set_default_timeout(WAIT)
        return page

    def take(self) -> Page:
        return self.free.pop() if self.free else self.new()

    def give_back(self, page: Page) -> None:
        """Leave the page for a bare one of the same server, and forget what a test did to the tab."""
        server = re.match("https?://[^/]+", page.url)
        page.context.set_offline(False)
        try:
            page.goto(f"{server[0]}/_stcore/health" if server else "about:blank")
            if server:
                page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        except Error:  # the test's own server has ended, or the page hangs
            page.context.close()
            return
        page.context.clear_cookies()
        page.context.clear_permissions()
        page.set_default_timeout(WAIT)
        page.mouse.move(0, 0)
        self.free.append(page)


@pytest.fixture(scope="package")
def tabs(browser: Browser) -> Tabs:
    return Tabs(browser)


@pytest.fixture
def new_page(tabs: Tabs) -> Iterator[Callable[..., Page]]:
    """new_page(viewport=..., color_scheme=...) gives a tab of its own; an error in any of them fails the test."""
    taken: list[Page] = []

    def take(
        viewport: ViewportSize = SIZE, color_scheme: Scheme = "light", reduced_motion: Motion = "no-preference"
    ) -> Page:
        taken.append(tabs.take())
        taken[-1].set_viewport_size(viewport)
        taken[-1].emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        return taken[-1]

    yield take
    errors = tabs.errors.copy()
    for page in reversed(taken):  # this test's first is the next one's first too
        tabs.give_back(page)
    tabs.errors.clear()
    assert errors == []


@pytest.fixture
def app(serve: Callable[[Path], str], model_directory: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of the whole app, with small untrained models. One page of it is the script of that page and more:
    tests of all pages share this server."""
    monkeypatch.setenv("ALIGNMENT_LAB_PRETRAINED", str(model_directory))
    return serve(ROOT / "app.py")


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """A tab of a projector's size."""
    return new_page()


@pytest.fixture
def phone(new_page: Callable[..., Page]) -> Page:
    """A tab of a phone's size."""
    return new_page({"width": 390, "height": 844})


def visit(page: Page, address: str, picture: str = '[data-testid="stMain"]') -> Locator:
    """Open `address` and wait until the script has run to its end and its fonts have loaded.

    picture: a selector, whose first element is waited for and returned.
    """
    page.goto(address)
    # A page whose script has not begun also says that none runs.
    page.locator('[data-testid="stMain"] [data-testid="stElementContainer"]').first.wait_for(state="attached")
    settled(page)
    return drawn(page, picture)


def lettered(page: Page) -> None:
    """Wait until the fonts have loaded: pictures whose words they change are redrawn, which ends a hover."""
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


def goes_on(scroller: Locator, where: Literal["right", "below"], on: bool = True) -> None:
    """Wait until a scrolling part fades at one side, to show that it continues there, or until it does not."""
    axis, places = ("x", ("100%", "0%")) if where == "right" else ("y", ("0%", "100%"))
    expect(scroller).to_have_css(f"-webkit-mask-position-{axis}", ", ".join(places) if on else "0%, 0%")


def save_as(place: Page | Locator, kind: str, **choices: str) -> None:
    """Save the first picture of a place as a file of this kind. choices: of the sheet, such as width="column"."""
    sheet = place.locator(".saving details").first
    if sheet.get_attribute("open") is None:
        sheet.locator("summary").dispatch_event("click")
    for name, value in choices.items():
        sheet.locator(f'select[data-choice="{name}"]').select_option(value)
    sheet.locator(f'[data-kind="{kind}"]').dispatch_event("click")


def addressed(page: Page, part: str) -> None:
    """Wait until the address holds a parameter, such as `step=2`: pictures write it when they have come to rest."""
    expect(page).to_have_url(re.compile(rf"[?&]{re.escape(part)}"))


def not_addressed(page: Page, name: str) -> None:
    """Wait until the address holds no parameter of this name."""
    expect(page).not_to_have_url(re.compile(rf"[?&]{re.escape(name)}="))


# Whether every component has been mounted. Streamlit loads its script after the run that draws it: only then does a
# switch of sections hide all but one of them. Until then there are at most empty elements.
MOUNTED = """silent => [...document.querySelectorAll('[data-testid^="stBidiComponent"]')].every(
  component => component.closest(silent) || (component.shadowRoot ?? component).querySelector(":not(style, div), .view")
)"""
# The components that never show anything.
SILENT = ", ".join(
    f'[class*="{key}"]'
    for key in ("-address-bar", "-sentence-lines", "-keep-runs-secret", "-cost-sorting", "-scroll-here", "-scroll ")
)


def settled(page: Page) -> None:
    """Wait until no script runs, and all components have been mounted.

    After an act that runs a script, wait first for what only that run can show.
    """
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()
    page.wait_for_function(MOUNTED, arg=SILENT)


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


def layouts(page: Page, act: Callable[[], object]) -> int:
    """The number of layouts while `act` runs, up to the frame after it.

    A picture that reads a size after each of its changes has one each time (layout thrashing), which
    is slow on every machine.
    """
    clock = page.context.new_cdp_session(page)
    clock.send("Performance.enable")

    def count() -> int:
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        return int(
            next(m["value"] for m in clock.send("Performance.getMetrics")["metrics"] if m["name"] == "LayoutCount")
        )

    before = count()
    act()
    after = count()
    clock.detach()
    return after - before


def moved(element: Locator) -> None:
    """Wait until the transitions of an element have ended, such as that to the colour of a button under the pointer."""
    element.evaluate("element => Promise.all(element.getAnimations().map(animation => animation.finished))")
