"""A picture as an HTML file in a browser: nobody changes its search, and all names over its heads can be read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from nmtcore.config import DecodingConfig, TransformerConfig
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.beam_tree.data import data as beam_tree_data
from nmtcore.views.heads.data import data as heads_data
from nmtcore.views.heads.head import Head
from nmtcore.views.html import to_html
from tests.conftest import small
from tests.helpers import translate


def show(page: Page, folder: Path, view: str, data: Mapping[str, Any]) -> None:
    path = folder / f"{view}.html"
    path.write_text(to_html(view, data), encoding="utf-8")
    page.goto(path.as_uri())


def test_a_search_is_replayed_but_not_changed(page: Page, tmp_path: Path, vocab: Vocab) -> None:
    model = small("dot", vocab)
    trace = translate(model, "a red dog", DecodingConfig(beam=3, max_length=6))
    show(page, tmp_path, "beam_tree", beam_tree_data(trace, vocab, model="Dot", name="beam 3"))
    page.get_by_role("button", name="First step").click()
    page.get_by_role("button", name="Step forward").click()
    expect(page.locator(".player .where")).to_contain_text("step 2 of")
    page.locator("[data-node]").nth(1).click()
    expect(page.locator(".card")).to_be_visible()
    assert page.locator(".card button").count() == 0, "nobody could answer"


def test_every_name_over_sixteen_heads_can_be_read(page: Page, tmp_path: Path, vocab: Vocab) -> None:
    model = checkpoint.build(TransformerConfig(len(vocab), 64, 24, heads=16, encoder_layers=1, decoder_layers=1))
    sixteen = Checkpoint(model.eval(), vocab, "en-fr/transformer", {"source": "en", "target": "fr"})
    trace = translate(sixteen, "a red dog", DecodingConfig(beam=1, max_length=4))
    show(page, tmp_path, "heads", heads_data(trace, chosen=Head("cross", 0, 0), model="Transformer", note=""))
    names = page.locator(".thumbs > .name:not(.layer)")
    thumbs = page.locator(".thumbs")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 720})
        page.reload()
        expect(names).to_have_text([*map(str, range(1, 17)), "mean"])
        assert names.evaluate_all("found => found.filter(name => name.scrollWidth > name.clientWidth).length") == 0
        if width > 1000:
            assert thumbs.evaluate("thumbs => thumbs.scrollWidth - thumbs.clientWidth") == 0, "they need not scroll"
