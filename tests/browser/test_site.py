"""The static site in a browser, on a plain file host below a sub-path: live, offline, and without a server of ours."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from nmtcore.views.site.build import build, write_service_worker
from nmtcore.views.site.pages import PAGES, SitePage
from tests.browser.conftest import eventually, hosted, save_as

HOSTILE = "</script><img src=x onerror=alert(1)> the cat"


OLD = "models/en-fr.dot.0123456789ab.safetensors"  # of a version that no longer exists


@pytest.fixture(scope="module")
def folder(model_folders: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("host")
    build(root / "school" / "lab", model_folders, ["en-fr", "zh-en"])
    return root


@pytest.fixture
def host(folder: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    with hosted(folder) as (address, close):
        yield f"{address}/school/lab/", close


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A tab with its own storage; an error in it, or a request that leaves the site, fails the test."""
    context: BrowserContext = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    context.on("request", lambda request: None if "/school/lab/" in request.url else said.append(request.url))
    yield page
    context.close()
    assert said == []


def ready(page: Page) -> None:
    """Wait until the page has answered and drawn everything."""
    page.locator("#picture .view").first.wait_for()
    page.locator("body:not(.waiting)").wait_for()
    page.locator("#progress:empty").wait_for(state="attached")


def truth(value: object) -> None:
    assert value


def go(page: Page, address: str) -> None:
    page.goto(address)
    ready(page)


def ask(page: Page, sentence: str) -> None:
    page.get_by_role("textbox").first.fill(sentence)
    page.keyboard.press("Enter")
    page.locator("body.waiting").or_(page.locator("#progress:empty")).first.wait_for(state="attached")
    ready(page)


def go_unmoved(page: Page, address: str, width: int) -> None:
    """Open an address: nothing moves while the models load, nor does the page scroll sideways."""
    page.set_viewport_size({"width": width, "height": 800})
    page.add_init_script("""
      globalThis.moved = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) moved += value;
      }).observe({ type: "layout-shift", buffered: true });
    """)
    go(page, address)
    assert page.evaluate("moved") < 0.005  # of the window's area and height
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("shown", PAGES, ids=lambda page: page.name)
def test_nothing_moves_on_a_phone_while_the_models_load(host: tuple[str, object], tab: Page, shown: SitePage) -> None:
    go_unmoved(tab, f"{host[0]}{shown.name}.html", 390)


@pytest.mark.parametrize("shown", PAGES, ids=lambda page: page.name)
def test_a_page_opens_unmoved_and_answers_below_a_sub_path(
    host: tuple[str, object], tab: Page, shown: SitePage
) -> None:
    go_unmoved(tab, f"{host[0]}{shown.name}.html", 1280)
    expect(tab.get_by_role("heading", level=1)).to_have_text(shown.title)
    before = tab.locator("#picture").inner_html()
    ask(tab, HOSTILE)
    expect(tab.locator("#notes")).to_contain_text("Tags are read as ordinary text")
    assert tab.locator("#picture img").count() == 0
    assert tab.locator("#picture").inner_html() != before
    expect(tab).to_have_url(re.compile("text="))


def test_it_works_without_a_connection_after_the_first_visit(host: tuple[str, Callable[[], None]], tab: Page) -> None:
    address, close = host
    go(tab, address)
    ask(tab, "the small cat")
    go(tab, f"{address}index.html")  # now by the service worker
    close()
    go(tab, f"{address}index.html?text=a+big+dog&pick=1.t0")
    expect(tab.locator("#picture .panel, #picture [data-panel]").first).to_be_visible()
    expect(tab.get_by_role("textbox").first).to_have_value("a big dog")
    expect(tab.locator("#notes")).to_have_text("")
    expect(tab.get_by_role("link", name="Dot attention")).to_have_attribute("href", "dot.html?text=a+big+dog")


def test_a_new_version_replaces_the_old_one_whole(folder: Path, tab: Page, tmp_path: Path) -> None:
    """Its scripts come from the host, though the browser keeps old ones; models of no version are forgotten."""
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    site = tmp_path / "school" / "lab"
    kept = "caches.open('alignment-lab-models').then(cache => cache.keys()).then(all => all.map(({ url }) => url))"
    shell = """async () => {
      const { installing, waiting, active } = await navigator.serviceWorker.ready;
      const shells = (await caches.keys()).filter((name) => name !== "alignment-lab-models");
      return !installing && !waiting && active.state === "activated" && shells.length === 1 && shells[0];
    }"""
    with hosted(tmp_path) as (address, _):
        go(tab, f"{address}/school/lab/")
        ask(tab, "the small cat")
        eventually(tab, lambda: truth(tab.evaluate(shell)))
        before, models = tab.evaluate(shell), tab.evaluate(kept)
        assert len(models) == 5  # four models and their vocabulary
        tab.evaluate(f"caches.open('alignment-lab-models').then(cache => cache.put('{OLD}', new Response('old')))")
        assert len(tab.evaluate(kept)) == 6
        with (site / "page.js").open("a", encoding="utf-8") as script:
            script.write("\nglobalThis.edition = 2;\n")
        write_service_worker(site)
        tab.evaluate("navigator.serviceWorker.ready.then(registration => registration.update()).then(() => null)")
        eventually(tab, lambda: truth(tab.evaluate(shell) not in (False, before)))
        assert sorted(tab.evaluate(kept)) == sorted(models)
        tab.reload()
        ready(tab)
        assert tab.evaluate("globalThis.edition") == 2


def test_damaged_models_are_named_and_the_others_translate(host: tuple[str, object], browser: Browser) -> None:
    """One is missing, one is cut short, one has the wrong content; without the cache, as in a private window."""
    page = browser.new_page()
    page.add_init_script("delete globalThis.caches")
    page.route("**/en-fr.none.*", lambda route: route.fulfill(status=404))
    page.route("**/en-fr.dot.*", lambda route: route.fulfill(body=b"short"))
    page.route("**/en-fr.additive.*", lambda route: route.fulfill(body=b"\x00" * len(route.fetch().body())))
    go(page, f"{host[0]}index.html?text=the+small+cat")
    notes = page.locator("#notes p")
    expect(notes).to_have_count(3)
    expect(notes.nth(0)).to_contain_text("No attention cannot be loaded: the file en-fr.none.")
    expect(notes.nth(1)).to_contain_text("Additive cannot be loaded. The weights of this model are damaged")
    expect(notes.nth(2)).to_contain_text("Dot cannot be loaded: the file en-fr.dot.")
    expect(page.locator("#picture")).to_contain_text("Transformer")
    expect(page.locator("#picture")).not_to_contain_text("Additive")
    page.close()


def test_mandarin_is_translated_in_the_browser(host: tuple[str, object], tab: Page) -> None:
    """Traditional characters are read as simplified ones, by a table that is fetched for them."""
    go(tab, f"{host[0]}index.html?pair=zh-en")
    before = tab.locator("#picture").inner_html()
    ask(tab, "我愛貓。")
    expect(tab.locator("#notes")).to_contain_text("我爱猫")
    for title in ("No attention", "Additive", "Dot", "Transformer"):
        expect(tab.locator("#picture")).to_contain_text(title)
    expect(tab.locator("#picture")).to_contain_text("log P")
    assert tab.locator("#picture").inner_html() != before
    expect(tab).to_have_url(re.compile("pair=zh-en"))


def test_a_search_is_changed_and_an_attention_bent_in_the_browser(host: tuple[str, object], tab: Page) -> None:
    tab.set_viewport_size({"width": 1280, "height": 960})  # the card with its buttons is visible
    go(tab, f"{host[0]}beam.html?text=the+small+cat&beam=3")
    tab.locator("[data-node]").nth(2).click()
    tab.get_by_role("button", name="Decode on from").click()
    expect(tab.locator(".whatif")).to_contain_text("decode on from")
    ready(tab)
    expect(tab).to_have_url(re.compile("whatif=on"))
    go(tab, f"{host[0]}index.html?text=the+small+cat&pick=1.t0")
    why = tab.locator(".why")
    why.locator("button[data-take]").first.click()
    verdict = why.get_by_role("status")
    expect(verdict).to_contain_text(re.compile("is to blame|the model wrote itself"))
    expect(tab).to_have_url(re.compile(r"instead=1\.0\.\d+"))
    go(tab, f"{host[0]}additive.html?text=the+small+cat")
    tab.get_by_role("button", name="spread it evenly").click()
    expect(tab.locator("#picture")).to_contain_text("was made with its attention spread evenly")
    expect(tab).to_have_url(re.compile(r"bend=1\.all\.[0-9a-f]{4}"))


def test_the_panes_of_the_transformer_change_places(host: tuple[str, object], tab: Page) -> None:
    """The page's own picture and others, whose styles do not reach it; heads are scored one by one."""

    def lines() -> list[tuple[int, int]]:
        """The thumbnails of the heads: how many are in each line, and in how many columns."""
        boxes: list[list[float]] = tab.locator(".thumbs .thumb").evaluate_all(
            "found => found.map(node => node.getBoundingClientRect()).map(({ left, top }) => [left, top])"
        )
        tops = sorted({top for _, top in boxes})
        columns = {left for left, _ in boxes}
        return [(len([box for box in boxes if box[1] == top]), len(columns)) for top in tops]

    go(tab, f"{host[0]}transformer.html?text=the+small+cat")
    layers = tab.locator(".thumbs .layer:not(:empty)").count()
    across = tab.locator(".thumbs .thumb").count() // layers
    assert across > 2 and lines() == [(across, across)] * layers, "a line a layer"
    tab.get_by_role("button", name="Which heads matter?").click()
    expect(tab.locator("#picture").get_by_role("columnheader", name="Δ log P")).to_be_visible()
    tab.get_by_role("button", name="The layer").click()
    expect(tab.locator("#picture .residual-stream")).to_be_visible()
    tab.get_by_role("button", name="feed-forward", exact=True).click()
    expect(tab.locator("#picture .effect")).to_contain_text("After, without decoder layer 1 feed-forward")
    tab.get_by_role("button", name="Masks and batches").click()
    expect(tab.locator("#picture .masks")).to_be_visible()
    expect(tab.locator("#picture .residual-stream")).to_have_count(0)
    tab.get_by_role("button", name="All heads").click()
    expect(tab.locator("#picture .heads")).to_be_visible()
    expect(tab.locator("#panes")).to_be_empty()
    ready(tab)
    assert lines() == [(across, across)] * layers


@pytest.mark.parametrize("font", ["DejaVu Sans", "Liberation Sans"])
def test_no_number_of_a_cell_is_cut_off_in_another_font(host: tuple[str, object], tab: Page, font: str) -> None:
    """The app's font may not be installed, and others are wider."""
    go(tab, f"{host[0]}transformer.html?text=the+small+cat&pane=cell&pick=0.t0s0")
    tab.locator(".cell table").wait_for()
    tab.locator("#picture .heads").evaluate("(root, font) => void (root.style.fontFamily = font)", font)
    cut = "all => all.filter(td => td.scrollWidth > td.clientWidth).map(td => td.textContent)"
    for width in (1280, 390):
        tab.set_viewport_size({"width": width, "height": 844})
        assert tab.locator(".cell td").evaluate_all(cut) == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_the_order_and_the_length_of_a_sentence_are_changed_by_buttons(host: tuple[str, object], tab: Page) -> None:
    go(tab, f"{host[0]}positions.html?text=the+small+cat")
    expect(tab.locator("#lines b")).to_have_count(4)
    tab.get_by_role("button", name="both").click()
    expect(tab.locator("#lines")).to_contain_text("As chosen, all positions removed")
    expect(tab).to_have_url(re.compile("removed=both"))
    go(tab, f"{host[0]}no_attention.html?text=The+cat+sleeps.")
    clauses = tab.locator("#panes button")
    first, second, third, *_ = clauses.all_inner_texts()
    clauses.nth(0).click()
    expect(tab.get_by_role("textbox").first).to_have_value("The cat sleeps, because it was raining.")
    expect(clauses.nth(0)).to_have_attribute("aria-pressed", "true")
    assert clauses.all_inner_texts()[:3] == [first, second, third], "the next click meets the chip that it aims at"
    clauses.nth(1).click()
    expect(clauses.nth(1)).to_have_attribute("aria-pressed", "true")
    clauses.nth(0).click()
    expect(tab.get_by_role("textbox").first).to_have_value("The cat sleeps, and nobody knew what to do.")
    expect(tab.locator("#lines b")).to_have_text(["No attention", "Additive"])


def test_a_phone_translates_with_one_model_after_another_and_refuses_what_none_takes(
    host: tuple[str, object], browser: Browser
) -> None:
    """Each is forgotten before the next is read; all four pictures come, twice."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    go(page, f"{host[0]}index.html")
    for sentence in ("the small cat", "a big dog"):
        ask(page, sentence)
        expect(page.locator("#notes")).to_have_text("")
        expect(page.locator("#picture")).to_contain_text("log P")
        for title in ("No attention", "Additive", "Dot", "Transformer"):
            expect(page.locator("#picture")).to_contain_text(title)
    for typed, reason in (
        ("  ", "Type a sentence and press Enter."),
        ("x" * 2001, "This text has 2,001 characters; the limit is 2,000"),
    ):
        ask(page, typed)
        expect(page.locator("#notes")).to_contain_text(reason)
    expect(page.locator("#picture .view")).to_be_visible()
    page.close()


@pytest.mark.parametrize(("name", "root"), [("transformer", "alignment"), ("beam", "tree")])
def test_a_picture_is_saved_as_a_page(
    host: tuple[str, object], tab: Page, browser: Browser, tmp_path: Path, name: str, root: str
) -> None:
    go(tab, f"{host[0]}{name}.html?text={quote(HOSTILE)}")
    with tab.expect_download() as download:
        save_as(tab, "html")
    download.value.save_as(tmp_path / "picture.html")
    file = browser.new_page()
    errors: list[str] = []
    file.on("pageerror", lambda error: errors.append(str(error)))
    file.route("http*://**", lambda route: errors.append(route.request.url))
    file.goto((tmp_path / "picture.html").as_uri())
    expect(file.locator(f".view.{root}")).to_be_visible()
    assert file.locator(".view canvas, .view svg").count() > 0
    assert errors == []
    file.close()
