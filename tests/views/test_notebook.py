"""A picture as its own page, and in a notebook: as a widget, in a frame that sizes itself, as an SVG."""

import base64
import html
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import anywidget
import pytest

import nmtcore as nmt
from nmtcore.errors import SettingError
from nmtcore.text.vocabulary import Vocab
from nmtcore.views import notebook, widget
from nmtcore.views.notebook import Picture
from nmtcore.views.widget import front_end, picked
from tests.helpers import small
from tests.pictures.records import MADE
from tests.views.live.node import run

SVG = "{http://www.w3.org/2000/svg}"


def made_up(**options: Any) -> Picture:
    weights = [[0.7, 0.25, 0.05], [0.0, 0.5, 0.5]]
    return nmt.views.matrix(weights, ["le", "</script>"], ["the", "<!--", "\x00cat"], **options)


def test_the_page_is_whole_and_holds_the_data_as_it_was() -> None:
    picture = made_up(sentence="</title>")
    (held,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', picture.page, flags=re.DOTALL)
    assert json.loads(held) == json.loads(json.dumps(picture.data)) and "<" not in held
    page = picture.page
    assert page.count("<script") == page.count("</script>") == 2, "nothing typed opens or ends a script"
    assert page.count("<title>") == page.count("</title>") == 1
    assert not re.findall(r'(?:src|href)="(?!#)[^"]*"|@import|https?://(?!www\.w3\.org/)', page), "nothing is fetched"


@pytest.mark.parametrize("name", MADE)
def test_every_picture_has_a_still_that_is_xml(name: str) -> None:
    view, record = MADE[name][0], MADE[name][1]()
    drawn = ElementTree.fromstring(Picture(view, record).still)
    assert drawn.tag == f"{SVG}svg" and not list(drawn.iter(f"{SVG}script"))
    assert float(drawn.get("width", "0")) > 0


def test_the_still_has_every_cell_and_word() -> None:
    drawn = ElementTree.fromstring(made_up(title="A & B").still)
    cells = [float(rect.get("fill-opacity", "nan")) for rect in drawn.iter(f"{SVG}rect")][1:]
    assert cells == [0.7, 0.25, 0.05, 0.5, 0.5], "a weight of 0 has no cell"
    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    assert texts[:6] == ["A & B", "the", "<!--", "\ufffdcat", "le", "0.70"] and "</script>" in texts


def test_the_still_of_heads_is_the_chosen_one(vocab: Vocab) -> None:
    model = small("transformer", vocab)
    trace = nmt.translate(model, "a big dog", max_length=4)
    drawn = ElementTree.fromstring(nmt.views.heads(trace, head="encoder.2.1", model=model).still)
    cells = [float(rect.get("fill-opacity", "nan")) for rect in drawn.iter(f"{SVG}rect")][1:]
    expected = trace.attention_of("encoder").matrix(1, 0)
    assert cells == pytest.approx([w for w in expected.flatten().tolist() if w >= 0.005], abs=1e-3)


def test_the_still_of_masks_is_causal_and_hides_padding(vocab: Vocab) -> None:
    model = small("transformer", vocab)
    trace = nmt.translate(model, "a big dog", max_length=4)
    drawn = ElementTree.fromstring(nmt.views.masks(trace, "a", model=model).still)
    cells = [(float(rect.get("x", "0")), float(rect.get("y", "0"))) for rect in drawn.iter(f"{SVG}rect")][1:]
    columns, rows = (sorted({*places}) for places in zip(*cells, strict=True))
    assert {(columns.index(x), rows.index(y)) for x, y in cells} == {
        (s, t) for t in range(len(rows)) for s in range(t + 1)
    }


def test_a_frame_holds_the_page_and_shows_the_still_where_it_is_taken_out() -> None:
    picture = made_up()
    shown = picture._repr_html_()
    (page,) = re.findall(r'srcdoc="([^"]*)"', shown)
    assert html.unescape(page) == picture.page
    (still,) = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]*)"', shown)
    assert base64.b64decode(still).decode() == picture.still
    first, second = (re.findall(r'<iframe id="([^"]*)"', made_up()._repr_html_())[0] for _ in range(2))
    assert first != second, "the same picture twice in a notebook is two frames"


def test_without_a_kernel_or_anywidget_a_notebook_gets_html_and_svg(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = made_up()
    assert {*picture._repr_mimebundle_()} == {"text/plain", "text/html", "image/svg+xml"}
    monkeypatch.setitem(sys.modules, "anywidget", None)
    widget._widget_class.cache_clear()
    with pytest.raises(SettingError, match=r"pip install 'alignment-lab\[widget\]'"):
        _ = picture.widget


def test_a_kernel_gets_the_widget_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "in_kernel", lambda: True)
    picture = made_up()
    assert isinstance(picture.widget, anywidget.AnyWidget)
    shown = picture._repr_mimebundle_()
    assert {"application/vnd.jupyter.widget-view+json", "text/html", "image/svg+xml"} <= {*shown}
    assert picture.widget.data == json.loads(json.dumps(picture.data))


def test_marimo_gets_the_widget_or_the_page_in_a_frame_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = made_up()
    assert picture._display_() is picture.widget
    monkeypatch.setattr(notebook, "find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "marimo", SimpleNamespace(iframe=lambda page: ("frame of", page)))
    assert picture._display_() == ("frame of", picture.page)


@pytest.mark.parametrize("view", sorted({view for view, _made in MADE.values()}))
def test_every_front_end_renders_and_fetches_nothing(view: str, tmp_path: Path) -> None:
    module = front_end(view)  # except for saving: a page if a server gives its address, outlines if a host has them
    saving = r"new URL\((?:template\.address|ADDRESS), document"
    assert not re.findall(rf"\bfetch\((?!{saving})|await import\(|^import ", module, re.MULTILINE)
    path = tmp_path / "widget.mjs"
    path.write_text(module, encoding="utf-8")
    run(["-e", f"import('{path.as_uri()}').then((m) => process.exit(typeof m.default.render === 'function' ? 0 : 1))"])


class TestPicked:
    """The choices returned by a widget, by the picture's own names."""

    def test_a_cell_is_its_two_pieces(self) -> None:
        picture = made_up()
        picture.widget.values = {"pick": "0.t0s2", "view": None}
        found = {"panel": 0, "target": 0, "target_piece": "▁le", "source": 2, "source_piece": "▁\x00cat"}
        assert picture.picked == found
        picture.widget.values = {"pick": None, "view": "words"}
        assert picture.picked == {"view": "words"}

    def test_a_node_is_a_candidate(self) -> None:
        node = {"node": 2, "step": 1, "token": "▁le"}
        assert picked(made_up().data, {"node": node, "alpha": 0.6}) == {**node, "alpha": 0.6}

    @pytest.mark.parametrize("values", [{"pick": "7.t9s9"}, {"pick": "<script>"}])
    def test_what_cannot_be_is_passed_over(self, values: dict[str, Any]) -> None:
        found = picked(made_up().data, values)
        assert not {"target_piece", "source_piece"} & {*found}
