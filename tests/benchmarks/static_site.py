"""The static site: first picture, weights, sentences, and steps in the browser, beside the server's models.

    python -m tests.benchmarks.static_site

The site is written to a temporary folder and served by Python's own file host. Decodes are timed in Chromium, in the
page itself, with the modules as they stand in nmtcore/views/live; the server's are those of its worker processes. A
sentence is decoded several times: the first, in which the engine still compiles, and the median of the others.
"""

import re
import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from timeit import repeat, timeit

import torch
from playwright.sync_api import Browser, Page

from nmtcore.config import DecodingConfig
from nmtcore.places import models_folder
from nmtcore.serving.request import ModelKey, load_model
from nmtcore.views.site.build import build
from tests.benchmarks.machine import headless, machine, row
from tests.browser.conftest import FLAGS, chromium
from tests.helpers import translate
from tests.paths import ROOT

RUNS = 5
SENTENCE = "My brother reads a long book in the garden today."  # ten words
BOOKS = ("letter", "story", "poem", "page")
MODELS = ("none", "additive", "dot", "transformer")
WANTED = {  # seconds: greedy, beam 5
    "additive": (0.2, 0.6),
    "dot": (0.2, 0.6),
    "transformer": (0.5, 1.5),
}
DECODES = """async ([base, text, runs]) => {
  const { readCheckpoint } = await import("/nmtcore/views/live/checkpoint.js");
  const { translate } = await import("/nmtcore/views/live/decode.js");
  const fetched = async (name) => (await fetch(`${base}/${name}`)).arrayBuffer();
  const [weights, pieces] = await Promise.all([fetched("model.safetensors"), fetched("vocab.model")]);
  const settings = await (await fetch(`${base}/config.json`)).json();
  const timed = (act) => {
    const began = performance.now();
    const result = act();
    return [(performance.now() - began) / 1000, result];
  };
  const [loading, checkpoint] = timed(() => readCheckpoint(settings, weights, pieces));
  const decodes = (beam) => Array.from({ length: runs }, () => timed(() => translate(checkpoint, text, { beam }))[0]);
  return { bytes: weights.byteLength, loading, greedy: decodes(1), beam: decodes(5) };
}"""
# What the browser itself measures: from an input to the next frame, and tasks that hold up a page.
WATCH = """
globalThis.waited = { keydown: [], click: [] };
globalThis.tasks = [];
new PerformanceObserver((list) => {
  for (const { name, duration } of list.getEntries()) waited[name]?.push(duration);
}).observe({ type: "event", durationThreshold: 16 });
new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
  type: "longtask",
});
"""
FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Host(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Silent."""


class QuietServer(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A closed tab breaks off its transfers."""


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    server = QuietServer(("127.0.0.1", 0), partial(Host, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def first_picture(browser: Browser, address: str) -> tuple[float, int]:
    """Seconds from an empty cache to the picture, and the bytes that had come by then."""
    page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    sizes: list[int] = []
    page.on("response", lambda response: sizes.append(int(response.headers.get("content-length", 0))))
    picture = page.locator("#picture .view").first
    took = timeit(lambda: (page.goto(address, wait_until="commit"), picture.wait_for()), number=1)
    came = sum(size for size in sizes if size < 1_000_000)  # without models, which come after it
    page.context.close()
    return took, came


def ready(page: Page) -> None:
    page.locator("body:not(.waiting)").wait_for()
    page.locator("#progress:empty").wait_for(state="attached")


def typed(page: Page, sentence: str) -> float:
    """Seconds from Enter to the whole picture of all models."""
    page.get_by_role("textbox").first.fill(sentence)

    def ask() -> None:
        page.keyboard.press("Enter")
        page.locator("body.waiting").wait_for()
        ready(page)

    return timeit(ask, number=1)


def private_memory(browser: Browser) -> float:
    """Private MB of a page's largest process, including the weights in its worker."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    pages = [Path(f"/proc/{process['id']}/smaps_rollup") for process in processes if process["type"] == "renderer"]
    sizes = [re.findall(r"Private_\w+: +(\d+) kB", page.read_text()) for page in pages if page.exists()]
    return max(sum(map(int, found)) for found in sizes) / 1000


def visit(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("#picture .view").first.wait_for()
    ready(page)


def of_one(browser: Browser, address: str) -> float:
    """The same for a browser with one page and one model, after a sentence."""
    page = browser.new_page()
    visit(page, address)
    typed(page, SENTENCE)
    found = private_memory(browser)
    browser.close()
    return found


def on_server(name: str) -> tuple[float, float]:
    """The medians of greedy search and of beam 5 by the model as the server's workers have it."""
    checkpoint = load_model(ModelKey(str(models_folder() / "en-fr" / name), "", ()))
    found = []
    for beam in (1, 5):
        runs = repeat(partial(translate, checkpoint, SENTENCE, DecodingConfig(beam)), number=1, repeat=RUNS)
        found.append(statistics.median(runs[1:]))
    return found[0], found[1]


def main() -> None:
    torch.set_num_threads(1)
    print(f"{machine()}\n")
    with tempfile.TemporaryDirectory() as folder, headless() as browser:
        build(Path(folder) / "site", models_folder(), ["en-fr"])
        with hosted(Path(folder)) as address, hosted(ROOT) as source:
            runs = [first_picture(browser, f"{address}/site/") for _ in range(RUNS)]
            median, most = statistics.median(r[0] for r in runs), max(r[1] for r in runs)
            print(
                f"- first picture, empty cache: median {median:.2f} s (asked: 1.5), {most / 1000:.0f} kB (asked: 600)"
            )
            page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
            page.add_init_script(WATCH)
            visit(page, f"{address}/site/")
            page.evaluate("() => { tasks.length = 0; }")  # those of opening it
            first, *others = [typed(page, SENTENCE.replace("book", word)) for word in BOOKS]
            print(f"- Enter to the four models' picture, beam 5: {first:.2f} s, then {statistics.median(others):.2f} s")
            for act in range(RUNS):
                page.keyboard.press("ArrowLeft")
                page.locator("[data-row]").nth(act + 1).click()
                page.evaluate(FRAME)
            times, longest = page.evaluate("() => [waited, Math.max(0, ...tasks)]")
            step, pick = (statistics.median(times[name] or [0]) for name in ("keydown", "click"))
            print(f"- a step {step:.0f} ms, a pick {pick:.0f} ms, from input to picture (asked: 50)")
            print(f"- longest task of the page while it translates: {longest:.0f} ms (asked: 50; 0: none above 50)")
            print(f"- memory with four models: {private_memory(browser):.0f} MB")
            another = browser.browser_type.launch(executable_path=chromium(), args=FLAGS)
            one = of_one(another, f"{address}/site/transformer.html")
            print(f"- memory with the Transformer alone: {one:.0f} MB (asked: 250)")
            page.goto(source)
            print()
            columns = "model", "MB", "weights decoded", "greedy, first", "greedy", "beam 5", "asked", "server: greedy"
            row(*columns, "beam 5", head=True)
            for name in MODELS:
                found = page.evaluate(DECODES, [f"/pretrained/en-fr/{name}", SENTENCE, RUNS])
                greedy, beam = (statistics.median(found[key][1:]) for key in ("greedy", "beam"))
                asked = " / ".join(f"{wanted} s" for wanted in WANTED.get(name, ())) or "-"
                browsers = (f"{s:.2f} s" for s in (found["loading"], found["greedy"][0], greedy, beam))
                row(name, f"{found['bytes'] / 1e6:.1f}", *browsers, asked, *(f"{s:.3f} s" for s in on_server(name)))


if __name__ == "__main__":
    main()
