"""Two copies of the app behind HAProxy, one of them killed: how long until everybody has their sentence again.

    python -m tests.benchmarks.failover [--tabs 6]

Starts both copies on loopback with one folder of runs, and HAProxy with deploy/haproxy.cfg. Each tab of a Chromium
types a sentence of its own. Then one copy is killed (SIGKILL), and of each tab is measured how long until it is
connected again, shows its picture and has its sentence in the box and in the address; after that each asks more.
Fails if one takes longer than LIMIT. Needs haproxy and chromium.
"""

import os
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import BrowserContext, Page, TimeoutError

from tests.benchmarks.machine import headless, machine, options
from tests.browser.conftest import Server, chromium
from tests.paths import ROOT

LIMIT = 10.0  # s after which everybody must be back
TRIES = 3  # to enter a sentence
WORDS = ("red", "black", "small", "big", "old", "young", "happy", "tired", "green", "white")
BACK = """sentence => {
  const app = document.querySelector('[data-testid="stApp"]');
  const connected = app?.getAttribute('data-test-connection-state') === 'CONNECTED';
  const done = app?.getAttribute('data-test-script-state') === 'notRunning';
  const typed = [...document.querySelectorAll('input[type="text"]')].some(box => box.value === sentence);
  const shown = document.querySelector('[data-testid="stMain"] [data-testid="stBidiComponentRegular"]') !== null
    || document.querySelector('[data-testid="stMain"] svg') !== null;
  return connected && done && typed && shown;
}"""


class Proxy(Server):
    """HAProxy, which answers at its own port what the copies answer at theirs."""

    def __init__(self, program: str, admin: Path, copies: Sequence[Server]) -> None:
        super().__init__(Path("unused"))
        addresses = {f"COPY{number}": f"127.0.0.1:{copy.port}" for number, copy in enumerate(copies, 1)}
        self.settings = {"LISTEN": f"127.0.0.1:{self.port}", "ADMIN": str(admin), **addresses}
        self.command = [program, "-db", "-f", str(ROOT / "deploy" / "haproxy.cfg")]


def ask(page: Page, sentence: str) -> None:
    """Type a sentence and wait for its picture.

    Streamlit loses what is entered before a page that opens, or is connected again, has run; then it is typed again.
    """
    box = page.locator('[data-testid="stMain"] input[type="text"]').first
    for _ in range(TRIES):
        box.fill(sentence)
        box.press("Enter")
        with suppress(TimeoutError):
            page.wait_for_url(lambda url: parse_qs(urlsplit(url).query).get("text") == [sentence], timeout=1000 * LIMIT)
            break
        print(f"{sentence!r} is typed again")
    else:
        sys.exit(f"{sentence!r} was not answered.")
    page.wait_for_function(BACK, arg=sentence)


def copy_of(context: BrowserContext) -> str:
    """Which copy the proxy gave to a browser."""
    return next((cookie["value"] for cookie in context.cookies() if cookie["name"] == "alignment-lab-copy"), "")


def main() -> None:
    count = options(__doc__, tabs=6).tabs
    proxy = shutil.which("haproxy") or "/usr/sbin/haproxy"
    if chromium() is None or not Path(proxy).exists():
        sys.exit("This needs haproxy and chromium: apt-get install --no-install-recommends haproxy chromium")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ |= {
            "ALIGNMENT_LAB_RUNS": str(folder / "runs"),
            "ALIGNMENT_LAB_PROXIES": "1",
            "STREAMLIT_SERVER_COOKIE_SECRET": secrets.token_hex(16),
        }
        copies = [Server(ROOT / "app.py") for _ in range(2)]
        for copy in copies:
            stack.enter_context(copy)
        address = stack.enter_context(Proxy(proxy, folder / "admin.sock", copies))
        chrome = stack.enter_context(headless())
        tabs: list[tuple[Page, str, str]] = []
        for number in range(count):
            context = chrome.new_context()
            page = context.new_page()
            page.set_default_timeout(120_000)
            page.goto(f"{address}/translate")
            page.locator('[data-testid="stMain"] input[type="text"]').first.wait_for()
            sentence = f"The {WORDS[number % len(WORDS)]} cat sees {number + 2} dogs."
            ask(page, sentence)
            tabs.append((page, sentence, copy_of(context)))
        shares = [copy for _, _, copy in tabs]
        print(f"{machine()}: {len(tabs)} pages, of copy 1 {shares.count('1')}, of copy 2 {shares.count('2')}")
        if set(shares) != {"1", "2"}:
            sys.exit("The proxy did not share the pages out.")
        copies[0].process.kill()
        killed = time.monotonic()
        waiting, late = list(tabs), 0.0
        # A page of the killed copy stays on the screen; it counts once it is connected again.
        page_lost = [tab for tab in tabs if tab[2] == "1"]
        for page, _, _ in page_lost:
            page.wait_for_function(
                """() => document.querySelector('[data-testid="stApp"]')
                   ?.getAttribute('data-test-connection-state') !== 'CONNECTED'""",
                polling=50,
            )
        print(f"all pages of copy 1 know that it is gone after {time.monotonic() - killed:.1f} s")
        while waiting and time.monotonic() - killed < 6 * LIMIT:
            for tab in list(waiting):
                if tab[0].evaluate(BACK, tab[1]):
                    waiting.remove(tab)
                    late = time.monotonic() - killed
                    print(f"copy {tab[2]}: {tab[1]!r} is on the screen after {late:.1f} s")
            time.sleep(0.05)
        for page, sentence, _ in tabs:
            if page not in [tab[0] for tab in waiting]:
                ask(page, sentence.replace("cat", "dog"))
        print(f"everybody is back after {late:.1f} s, and everybody was answered something new")
        if waiting or late > LIMIT:
            sys.exit(f"{len(waiting)} pages are not back, or one took longer than {LIMIT:g} s.")


if __name__ == "__main__":
    main()
