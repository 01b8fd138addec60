"""Figures of the pages are saved: for a paper with outlines, as wide as its columns, in its colours."""

import base64
import io
import json
import re
import xml.etree.ElementTree as ET
import zlib
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from nmtcore.views.kit import outlines
from tests.browser.conftest import save_as, visit

SENTENCE = "the small cat sees a <b> red house ."
SVG = "{http://www.w3.org/2000/svg}"
MM = 72 / 25.4  # points


def saved(page: Page, place: Page | Locator, kind: str, **choices: str) -> Path:
    """The saved file of a picture; its name ends with the kind."""
    with page.expect_download() as download:
        save_as(place, kind, **choices)
    assert download.value.suggested_filename.endswith(f".{kind}")
    return Path(download.value.path())


def test_a_figure_is_saved_with_its_title_and_its_numbers(page: Page, app: str) -> None:
    visit(page, f"{app}/no_attention?text={SENTENCE}&beam=1&section=words")
    place = page.locator(".st-key-figure-drops-none")
    place.locator("svg.main-svg, svg.marks").first.wait_for()
    svg = ET.parse(saved(page, place, "svg")).getroot()
    assert (svg.findtext(f"{SVG}title") or "").startswith("No attention, loss of log P without each word")
    csv = saved(page, place, "csv").read_text(encoding="utf-8-sig").splitlines()
    assert csv[0] == "word,loss" and [row.split(",")[0] for row in csv[1:4]] == ["the", "small", "cat"]
    assert saved(page, place, "png").read_bytes().startswith(b"\x89PNG")
    grey = ET.parse(saved(page, place, "svg", colors="grey")).getroot()
    assert {node.get("fill") for node in grey.iter()}.isdisjoint({"rgb(0,0,0)"}), "what is clear is not black"
    file = saved(page, place, "html")
    shown = page.context.new_page()
    fetched: list[str] = []
    shown.on("request", lambda request: fetched.append(request.url))
    shown.set_content(file.read_text(encoding="utf-8"))
    assert shown.title() == svg.findtext(f"{SVG}title") and fetched == []
    expect(shown.locator("body > svg")).to_be_visible()
    assert shown.locator("script").count() == 0
    shown.close()
    expect(place.get_by_label("How to cite this picture")).to_have_value(
        re.compile("No attention, loss of.*Alignment Lab")
    )


def test_greys_are_drawn_anew_and_say_what_they_mean(page: Page, app: str) -> None:
    visit(page, f"{app}/transformer?pane=batch&text=a+red+dog", ".masks .matrices .body")
    svg = ET.parse(saved(page, page.locator(".masks"), "svg", colors="grey")).getroot()
    assert "From dark to light" in (svg.findtext(f"{SVG}title") or "")
    names = {group.get("aria-label") or "" for group in svg.iter(f"{SVG}g")}
    assert any("struck out" in name for name in names)
    svg = ET.parse(saved(page, page.locator(".masks"), "svg", colors="light")).getroot()
    assert "Red is below zero" in (svg.findtext(f"{SVG}title") or "")


def test_the_image_of_a_matrix_is_grey_from_dark_to_light(page: Page, app: str) -> None:
    visit(page, f"{app}/positions?section=waves&text=a+red+cat")
    place = page.locator(".st-key-figure-matrix")
    place.locator("svg.main-svg image").wait_for()
    (image,) = ET.parse(saved(page, place, "svg", colors="grey")).iter(f"{SVG}image")
    pixels = Image.open(io.BytesIO(base64.b64decode(image.get("href", "").partition(",")[2]))).convert("RGB")
    colors = [color for _, color in pixels.getcolors(pixels.width * pixels.height) or []]
    assert all(r == g == b for r, g, b in colors)
    assert min(colors)[0] < 40 and max(colors)[0] > 210


def test_a_picture_for_a_paper_has_outlines_a_width_and_no_colours(page: Page, app: str) -> None:
    """The buttons stay where they are: the sheet opens upwards, and its line about the width is empty at first."""
    visit(page, f"{app}/?text=a+red+cat", ".panel:nth-child(4) .figure svg")
    sheet = page.locator(".alignment .saving details").first
    button = sheet.locator('[data-kind="pdf"]')
    sheet.locator("summary").click()
    before = button.bounding_box()
    sheet.locator('select[data-choice="width"]').select_option("page")
    expect(sheet.locator(".size")).to_contain_text("174 mm wide")
    after = button.bounding_box()
    assert before and after and abs(after["y"] - before["y"]) < 1
    svg = ET.parse(saved(page, page, "svg", colors="grey")).getroot()
    assert svg.get("width") == "174.00mm"
    kept = {letter for text in svg.iter(f"{SVG}text") for letter in text.text or ""}
    known = json.loads(outlines.FILE.read_text(encoding="utf-8"))["weights"]["400"]
    assert not kept & known.keys(), "a letter needs a font only where the app's lacks it"
    names = [group.get("aria-label") for group in svg.iter(f"{SVG}g")]
    assert {"Additive", "Dot"} <= set(names)
    painted = " ".join(node.get("style", "") + node.get("fill", "") for node in svg.iter())
    colors = {tuple(map(int, found)) for found in re.findall(r"rgb\((\d+), ?(\d+), ?(\d+)\)", painted)}
    assert colors and all(r == g == b for r, g, b in colors)

    pdf = saved(page, page, "pdf").read_bytes()
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert box and abs(float(box[1]) - 174 * MM) < 0.1 and b"/Font" not in pdf
    start = pdf.index(b"stream\n") + len(b"stream\n")
    content = zlib.decompress(pdf[start : pdf.index(b"\nendstream")]).decode()
    assert content.count(" c\n") > 100 and "NaN" not in content and "undefined" not in content
    table = int(pdf.rsplit(b"startxref\n", 1)[1].split()[0])
    assert pdf[table : table + 4] == b"xref"
    for number, offset in enumerate(re.findall(rb"(\d{10}) 00000 n", pdf[table:]), 1):
        assert pdf[int(offset) :].startswith(b"%d 0 obj" % number)
    sheet.locator('[data-choice="caption"]').uncheck()
    other = [group.get("aria-label") or "" for group in ET.parse(saved(page, page, "svg")).getroot().iter(f"{SVG}g")]
    assert "Dot" in other and not any(name.startswith("log P") for name in other)
