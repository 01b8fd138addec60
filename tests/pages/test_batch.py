"""The pane of masks and batches: head and sentence come from the address and go back into it; its numbers agree."""

from __future__ import annotations

import base64
import html
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.config import DecodingConfig
from nmtcore.decoding import decode
from nmtcore.models import checkpoint
from nmtcore.text.words import sentence_names
from pages.common.registry import script
from tests.pages.helpers import said


@pytest.fixture
def page(shelf: Path) -> AppTest:
    return AppTest.from_file(script("transformer"), default_timeout=120)


def opened(at: AppTest, **address: str) -> AppTest:
    at.query_params["pane"] = "batch"
    for name, value in address.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception, at.exception
    return at


def numbers(values: Any) -> np.ndarray:
    if isinstance(values, dict):
        shape = [int(n) for n in values["shape"].split(",")]
        return np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"]).reshape(shape)
    return np.array(values, dtype=float)


def matrices(at: AppTest) -> dict[str, np.ndarray]:
    """The last heatmap of each picture, after that of the batch itself."""
    names = ("padding", "future", "allowed", "scores", "unmasked", "weights")
    charts = [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")[1:]]
    return {name: numbers(chart["data"][-1]["z"]) for name, chart in zip(names, charts, strict=True)}


@pytest.mark.parametrize("head", ["decoder.2.1", "encoder.1.2", "cross.2.2"])
def test_the_masks_multiply_and_the_weights_follow_from_scores_and_masks(
    page: AppTest, own_shelf: Path, monkeypatch: pytest.MonkeyPatch, head: str
) -> None:
    monkeypatch.setattr(DecodingConfig, "limit", lambda self, length: length)  # one translation is the longer one
    found = matrices(opened(page, head=head, row="2"))
    rows = len(found["scores"])  # without those of padding
    np.testing.assert_array_equal(found["allowed"], found["padding"] * found["future"])
    assert (found["future"] == 1).all() == (not head.startswith("decoder"))
    assert (found["padding"] == 0).any(), "the second sentence is shorter than the typed one"
    assert (np.isnan(found["scores"]) == (found["allowed"][:rows] == 0)).all()
    exponents = np.where(found["allowed"][:rows] == 1, np.exp(np.nan_to_num(found["scores"])), 0.0)
    expected = exponents / exponents.sum(1, keepdims=True)
    shown = np.nan_to_num(found["weights"])
    np.testing.assert_allclose(shown, expected, atol=1e-2)  # the picture has scores of four digits
    np.testing.assert_allclose(found["unmasked"].sum(1), 1.0, atol=1e-4)


def test_its_first_row_is_the_translation_of_the_page(page: AppTest, shelf: Path) -> None:
    trace = decode.translate(checkpoint.load(shelf / "en-fr" / "transformer"), "a red dog", DecodingConfig(3))
    chart = json.loads(opened(page, text="a red dog", beam="3").get("plotly_chart")[0].proto.spec)
    row = [re.sub("<[/]?b>", "", name) for name in chart["data"][0]["text"][0]]
    assert row[: len(trace.inputs)] == [html.escape(name) for name in sentence_names(trace.inputs)]


def test_controls_write_what_the_link_holds(page: AppTest) -> None:
    at = opened(page)
    assert "×" in " ".join(m.value for m in at.markdown), "the decoder's future mask comes first"
    groups = {group.key: group for group in at.get("button_group")}
    assert groups["batch kind"].value == "decoder" and groups["batch row"].value == 1
    assert len(matrices(opened(page, row="3", head="encoder.1.1"))["scores"]) > 3


@pytest.mark.parametrize(
    ("address", "words"),
    [({"row": "4"}, "it has three"), ({"row": "x"}, "it has three"), ({"head": "cross.9.1"}, "head")],
)
def test_an_address_that_cannot_be_is_said(page: AppTest, address: dict[str, str], words: str) -> None:
    assert words in "\n".join(said(opened(page, **address)))


def test_sorting_by_length_is_measured_where_there_is_a_collection(page: AppTest, own_shelf: Path) -> None:
    assert "Sorting" not in " ".join(m.value for m in opened(page).markdown)
    rows = [f"school\t{'a red cat ' * (1 + i % 9)}\tun chat rouge" for i in range(90)]
    (own_shelf / "corpus").mkdir()
    (own_shelf / "corpus" / "en-fr.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    from pages.transformer import batch

    batch._lengths.clear()
    said_now = " ".join(m.value for m in opened(page).markdown)
    assert "Of 90 sentences" in said_now
