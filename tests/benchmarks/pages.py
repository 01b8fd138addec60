"""How long people wait for the pages, in headless Chromium against a server with the shipped models.

    python -m tests.benchmarks.pages [--rounds 20] [--pages translate,dot] [--address http://127.0.0.1:8501]

Every time is taken inside the page (stopwatch.js): from the time stamp of a real click, key or pointer event to the
frame in which the figure that it changes has been painted for the last time. Enter is timed to the first figure of a
sentence of 15 words that no model has seen, a page switch to the first figure of the other page. Panes that a link
opens (PANES) are measured like pages. Prints a table with median and 95th percentile in milliseconds. A browser and a
server share the processor here: on a teacher's machine each has more of it.
"""

import itertools
import statistics
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

from pages.common.registry import PAGES
from tests.benchmarks.machine import headless, machine, options, row
from tests.browser.conftest import Server, visit
from tests.paths import ROOT

TITLES = {entry.name: entry.title() for entry in PAGES}
SCRIPT = Path(__file__).with_name("stopwatch.js")
AIMS = {"click": 100, "hover": 50, "Enter": 500, "switch": 1500}  # ms, of medians
QUIET = 300  # ms without a change: the figure is at rest
LIMIT = 10_000  # ms after which a measurement counts as missing
ENTERED = 6  # sentences a page
PANES = {  # panes of a page, with the rest of their links
    "no_attention lstm": "lstm=2",
    "no_attention length": "section=length",
    "dot general": "general=shown",
    "transformer layer": "pane=layer",
    "transformer masks": "pane=batch",
    "transformer vectors": "vectors=s3",
    "beam teacher": "truth=un+chat",
    "architectures larger": "larger=shown",
    **dict.fromkeys(("translate tour", "additive tour", "transformer tour"), "tour=4"),  # steps that bring it somewhere
}
FIGURES = {  # the first figure of each page, and of panes that have another
    "translate": ".panels",
    "no_attention": ".context-vector .states",
    "additive": ".walk .diagram",
    "dot": ".walk .diagram",
    "transformer": ".panels",
    "positions": ".st-key-figure-moved-kept .main-svg",
    "beam": ".tree .frame",
    "finetune": '[data-testid="stMainBlockContainer"] .stButton',
    "architectures": ".costs",
    "no_attention lstm": ".gates-by-layer .pair",
    "dot general": ".st-key-figure-general-scores .main-svg",
    "transformer layer": ".residual-stream .rows",
    "transformer masks": ".masks .batch",
    "transformer vectors": ".embeddings .plane",
    "beam teacher": ".st-key-figure-forced svg.marks",
}
BOXES = {"beam teacher": "The translation that you think is right"}  # that are typed into, where it is not the sentence
SENTENCE = "On {} my {} {} went to the {} with two {} and a dog."
TRANSLATION = "{} mon {} {} est allé au {} avec deux {} et un chien."  # half of it English: any text is scored
WORDS = (
    ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    ("old", "young", "little", "poor", "new"),
    ("brother", "sister", "friend", "mother", "father", "teacher"),
    ("station", "school", "market", "library", "beach", "park"),
    ("friends", "books", "boys", "girls", "children"),
)


def page_of(place: str) -> str:
    return place.partition(" ")[0]


def figure_of(place: str) -> str:
    return FIGURES.get(place, FIGURES[page_of(place)])


@dataclass(frozen=True)
class Act:
    """One thing that people do on a page: `prepare` is not timed, `act` is, both get the number of the round."""

    place: str
    aim: str
    name: str
    figure: str
    event: str
    act: Callable[[Page, int], Any]
    prepare: Callable[[Page, int], Any] = lambda page, number: None


# Brings a node into view, and opens the settings that it is folded in.
SHOW = """node => {
  node.closest("details")?.setAttribute("open", "");
  node.scrollIntoView({ block: "center" });
}"""
# Whether a click on the centre of a node reaches it: under an invisible element nothing is drawn.
UNCOVERED = """node => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return node.contains(node.getRootNode().elementFromPoint(x + width / 2, y + height / 2));
}"""


def token(panel: int, row: int) -> str:
    return f'[data-panel="{panel}"] g[data-row="{row}"] text'


def pointed(page: Page, target: str) -> None:
    """Bring the pointer onto the centre of something."""
    box = page.locator(target).first.bounding_box()
    assert box, target
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def either(number: int, *targets: str) -> str:
    return targets[number % len(targets)]


def nth(selector: str, *numbers: int) -> tuple[str, ...]:
    """A Playwright selector for the matches with these numbers, from 0."""
    return tuple(f"{selector} >> nth={number}" for number in numbers)


def clicks(place: str, name: str, figure: str, *targets: str) -> Act:
    """Press the mouse on one of the targets in turn, the pointer being there already."""

    def there(tab: Page, number: int) -> None:
        tab.locator(either(number, *targets)).first.evaluate(SHOW)
        pointed(tab, either(number, *targets))
        tab.wait_for_timeout(QUIET)
        assert tab.locator(either(number, *targets)).first.evaluate(UNCOVERED), f"{place}: {name} is covered"

    def press(tab: Page, number: int) -> None:
        tab.mouse.down()
        tab.mouse.up()

    return Act(place, "click", name, figure, "click", press, there)


def hovers(place: str, name: str, figure: str, *targets: str) -> Act:
    """Move the pointer from one of the targets to the next."""

    def before(tab: Page, number: int) -> None:
        tab.locator(either(number, *targets)).first.evaluate(SHOW)
        pointed(tab, either(number + 1, *targets))
        tab.wait_for_timeout(QUIET)

    return Act(place, "hover", name, figure, "pointermove", lambda tab, n: pointed(tab, either(n, *targets)), before)


def keys(place: str, name: str, figure: str, control: Callable[[Page], Locator], *pressed: str) -> Act:
    """Press one of the keys in turn, from a control on."""

    def focused(tab: Page, number: int) -> None:
        if number == 0:
            control(tab).focus()
        tab.wait_for_timeout(QUIET)

    return Act(place, "click", name, figure, "keydown", lambda tab, n: tab.keyboard.press(either(n, *pressed)), focused)


def ribbon_threshold(tab: Page) -> Locator:
    ribbons = tab.locator('button:text-is("Ribbons")')
    ribbons.evaluate(SHOW)
    ribbons.click()
    return tab.get_by_label("Threshold for ribbons")


ARROWS = ("ArrowRight", "ArrowLeft")
DOWN_UP = ("ArrowDown", "ArrowDown", "ArrowUp")  # a click picks what pointing has already drawn
PLAYED = ("translate", "transformer")
LAYER = ".residual-stream .rows"
VECTORS = ".embeddings .pair"
LSTM = ".gates-by-layer"
MEASURES = [f'.switch button:text-is("{name}")' for name in ("confidence", "still there")]
ACTS = (
    keys("translate", "word", ".panels", lambda tab: tab.locator('[data-panel="3"]'), *DOWN_UP),
    clicks("translate", "ribbons, matrix", ".panels", 'button:text-is("Ribbons")', 'button:text-is("Matrix")'),
    hovers("translate", "word", ".panels", token(2, 1), token(2, 3)),
    keys("no_attention", "step", ".context-vector", lambda tab: tab.locator(".context-vector .player input"), *ARROWS),
    clicks("no_attention length", "measure", '[data-testid="stMain"]', *MEASURES),
    clicks("no_attention lstm", "step", f"{LSTM} .pair", f"{LSTM} .player .forward", f"{LSTM} .player .back"),
    clicks("no_attention lstm", "layer", f"{LSTM} .pair", *nth(f"{LSTM} .layers button", 2, 1)),
    *(
        act
        for page in ("additive", "dot")
        for act in (
            clicks(page, "step", ".walk", ".walk .player .forward"),
            clicks(page, "word", ".walk", ".chip:nth-child(4)", ".chip:nth-child(2)"),
            hovers(page, "source word", ".walk", '[data-source="1"]', '[data-source="3"]'),
        )
    ),
    keys("dot", "temperature", ".walk", lambda tab: tab.locator(".heat input"), *ARROWS),
    keys("transformer", "head", ".panels", lambda tab: tab.locator('[data-head="0.0"] .enlarge'), *ARROWS),
    keys("transformer", "word", ".panels", lambda tab: tab.locator('[data-panel="0"]'), *DOWN_UP),
    clicks(
        "transformer",
        "encoder, cross",
        ".panels",
        'button:text-is("Encoder self")',
        'button:text-is("Cross attention")',
    ),
    hovers("transformer", "word", ".panels", token(0, 1), token(0, 3)),
    hovers("transformer", "head", ".panels", '[data-head="0.1"] .enlarge', '[data-head="1.1"] .enlarge'),
    clicks("transformer", "ribbons, matrix", ".panels", 'button:text-is("Ribbons")', 'button:text-is("Matrix")'),
    keys("transformer", "threshold", ".panels", ribbon_threshold, "PageUp", "PageDown"),
    keys("positions", "pair", ".rotation", lambda tab: tab.locator(".rotation label.i input"), *ARROWS),
    keys("positions", "distance", ".rotation", lambda tab: tab.locator(".rotation label.k input"), *ARROWS),
    clicks("beam", "step", ".tree", ".player button.back", ".player button.forward"),
    keys("beam", "alpha", ".tree", lambda tab: tab.get_by_role("slider", name="Length penalty"), *ARROWS),
    hovers("beam", "candidate", ".tree", '[data-step="1"] [data-node]', '[data-step="2"] [data-node]'),
    *(keys(page, "player", ".panels", lambda tab: tab.locator(".player input").first, *ARROWS) for page in PLAYED),
    clicks("transformer layer", "piece", LAYER, *nth('.pieces[data-side="t"] button', 2, 4)),
    clicks("transformer layer", "layer", LAYER, *nth(".layers button", 1, 0)),
    clicks("transformer masks", "head", ".masks .matrices", *nth(".masks .head button", 1, 0)),
    clicks("transformer vectors", "piece", VECTORS, *nth(".embeddings [data-side='s'] button", 1, 4)),
    *(clicks(tour, "step", figure_of(tour), ".tour-next", ".tour-back") for tour in PANES if tour.endswith(" tour")),
    clicks("architectures", "larger models", ".st-key-cost-table", ".st-key-larger-models button"),
)


def sentences(form: str = SENTENCE) -> Iterator[str]:
    """Sentences of 15 words, all different."""
    return (form.format(*words) for words in itertools.product(*WORDS))


def named(place: str) -> str:
    """A page as its title, a pane with its own name behind it."""
    page, _, pane = place.partition(" ")
    return f"{TITLES[page]}: {pane}" if pane else TITLES[page]


def address_of(place: str) -> str:
    page = page_of(place)
    query = f"?{PANES[place]}" if place in PANES else ""
    return ("" if page == "translate" else page) + query


def once(tab: Page, watch: str, what: dict[str, Any], act: Callable[[], Any]) -> float | None:
    """Milliseconds of one act, None if the figure has not changed within LIMIT."""
    tab.evaluate(f"what => {{ {watch}(what); }}", {**what, "quiet": QUIET, "limit": LIMIT})
    act()
    return tab.evaluate("measured")


def redrawn(tab: Page, act: Act, rounds: int) -> list[float | None]:
    found = []
    for number in range(rounds + 1):
        act.prepare(tab, number)
        what = {"figure": act.figure, "event": act.event}
        found.append(once(tab, "untilRedrawn", what, partial(act.act, tab, number)))
    return found[1:]  # the first fills caches for later ones


def entered(tab: Page, place: str, texts: Iterator[str]) -> list[float | None]:
    found = []
    box = tab.get_by_label(BOXES.get(place, "Sentence to translate"))
    texts = sentences(TRANSLATION) if place in BOXES else texts
    for text in itertools.islice(texts, ENTERED):
        box.fill(text)
        tab.mouse.move(5, 5)
        tab.wait_for_timeout(QUIET)
        what = {"figure": figure_of(place), "event": "keydown", "page": False}
        found.append(once(tab, "untilNew", what, partial(tab.keyboard.press, "Enter")))
        rested(tab)
    return found


def switched(tab: Page, page: str) -> float | None:
    link = tab.get_by_test_id("stSidebar").get_by_role("link", name=TITLES[page], exact=True)
    what = {"figure": FIGURES[page], "event": "click", "page": True}
    found = once(tab, "untilNew", what, link.click)
    rested(tab)
    return found


def rested(tab: Page) -> None:
    """Wait until no script runs and has not for a moment: a page may ask for another run of itself."""
    for _ in range(2):
        tab.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()
        tab.wait_for_timeout(2 * QUIET)


def line(place: str, what: str, aim: str, found: list[float | None]) -> None:
    """Print a line of the table. A figure that never came counts as the slowest."""
    times = sorted(LIMIT if time is None else time for time in found)
    median, late = statistics.median(times), times[min(len(times) - 1, int(0.95 * len(times)))]
    missing = sum(time is None for time in found)
    met = "yes" if median < AIMS[aim] else "**no**"
    count = f"{len(times)}, {missing} never drawn" if missing else len(times)
    row(named(place), what, f"{median:.0f}", f"{late:.0f}", count, AIMS[aim], met)


def main() -> None:
    places = sorted([*TITLES, *PANES], key=lambda place: list(TITLES).index(page_of(place)))
    asked = options(__doc__, rounds=20, pages=",".join(places), address="")
    chosen = [place for place in places if place in asked.pages.split(",")]
    print(f"{machine()}; milliseconds\n")
    row("page", "what", "median", "p95", "times", "aim", "met", head=True)
    texts = sentences()
    with ExitStack() as stack:
        address = asked.address or stack.enter_context(Server(ROOT / "app.py"))
        tab = stack.enter_context(headless()).new_page(viewport={"width": 1280, "height": 720})
        tab.set_default_timeout(6 * LIMIT)
        tab.add_init_script(path=SCRIPT)
        for place in chosen:
            visit(tab, f"{address}/{address_of(place)}")
            rested(tab)
            if place not in ("finetune", "no_attention length"):  # no figure of one translation
                line(place, "Enter to first figure", "Enter", entered(tab, place, texts))
            for act in ACTS:
                if act.place == place:
                    what = f"{act.aim}: {act.name}" if act.aim == "hover" else act.name
                    line(place, what, act.aim, redrawn(tab, act, asked.rounds))
        visit(tab, address)
        pages = [place for place in chosen if place in TITLES]
        visits: dict[str, list[float | None]] = {page: [] for page in pages}
        for _ in range(4 if len(pages) > 1 else 0):
            for page in [*pages[1:], pages[0]]:
                visits[page].append(switched(tab, page))
        for page, found in visits.items():
            if found:
                line(page, "switch to it", "switch", found)
    print(f"\nAt the end: {machine()}")


if __name__ == "__main__":
    main()
