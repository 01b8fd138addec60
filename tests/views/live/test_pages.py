"""The pages of the static site: what the worker answers is what the library makes of the same sentence."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nmtcore import limits
from nmtcore.analysis.aligning_head import aligning_head
from nmtcore.config import ARCHITECTURES
from nmtcore.errors import TextError
from nmtcore.models.checkpoint import load
from nmtcore.text.languages import language
from nmtcore.views.site.messages import MESSAGES
from nmtcore.views.site.pages import BEAM, PAGES, SitePage
from pages.common.text import clean
from tests.paths import PRETRAINED
from tests.views.live.node import call, run

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="Only Node can run the models in JavaScript.")

PICTURE = Path(__file__).with_name("picture.mjs")
BUDGET = {
    "search_numbers": limits.SEARCH_NUMBERS,
    "candidates": limits.CANDIDATES,
    "record_bytes": limits.RECORD_BYTES,
    "shortest": limits.SHORTEST,
}
BINARY = {"cells": "<i2", "weights": "<u2"}  # of 32,767 or 65,535, the number that stands for 1


def same(expected: Any, found: Any, where: str = "") -> None:
    """Two JSON values are alike, numbers to 2e-3 of their size."""
    if isinstance(expected, dict):
        assert isinstance(found, dict) and set(expected) == set(found), f"{where}: {set(expected) ^ set(found)}"
        for name in expected:
            if name in BINARY and isinstance(expected[name], str):
                ours, theirs = (np.frombuffer(base64.b64decode(v[name]), BINARY[name]) for v in (expected, found))
                np.testing.assert_allclose(theirs.astype(float), ours.astype(float), atol=60, err_msg=where)
                continue
            same(expected[name], found[name], f"{where}.{name}")
    elif isinstance(expected, list):
        assert isinstance(found, list) and len(expected) == len(found), f"{where}: {len(expected)}, not {len(found)}"
        for i, pair in enumerate(zip(expected, found, strict=True)):
            same(*pair, f"{where}[{i}]")
    elif isinstance(expected, float) or isinstance(found, float):
        assert found == pytest.approx(expected, abs=2e-3, rel=2e-3), where
    else:
        assert expected == found, where


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
@pytest.mark.parametrize("pair", ["en-fr", "zh-en"])
def test_a_picture_is_the_same(page: SitePage, pair: str) -> None:
    text = [*language(pair[:2]).examples.values()][2]
    checkpoints = {name: load(PRETRAINED / pair / name) for name in page.models}
    expected = json.loads(json.dumps(page.data(text, checkpoints)))
    asked = {
        "page": page.name,
        "text": text,
        "beam": BEAM,
        "budget": BUDGET,
        "asked": {},
        "says": MESSAGES,
        "words": expected["words"],
        "pair": pair,
        "fixed": {
            "formulas": expected.get("formulas"),
            "code": expected.get("numpy", {}).get("code"),
            "colors": expected.get("colors"),
            "panes": expected.get("heads", {}).get("panes"),
        },
        "folders": {name: str(PRETRAINED / pair / name) for name in page.models},
        "models": [
            {
                "name": name,
                "title": ARCHITECTURES[name].title,
                "hue": ARCHITECTURES[name].color,
                "head": aligning_head(checkpoint.config, checkpoint.meta),
            }
            for name, checkpoint in checkpoints.items()
        ],
    }
    answered = json.loads(run([PICTURE], asked))
    for found in (expected, answered["picture"]):
        found.pop("stamp", None)  # tells searches apart, in any way
    same(expected, answered["picture"])
    assert answered["notes"] == []


TYPED = (
    *("", " \t ", "\u200b\u200d", "A red\u200b dress.", "a\u200bb\u200dc", "<b>bold</b> words", "a ▁ mark", "I am 😀."),
    *(
        "Привет, как дела?",
        "這本書很貴。乾隆皇帝晒乾了",
        "Çà ira.",
        "word " * 121,
        "好" * 121,
        "x" * 2001,
        "\ufdfa" * 150,
        "12 34",
    ),
)


@pytest.mark.parametrize("code", ["en", "zh"])
def test_a_text_is_read_or_refused_with_the_same_sentence(code: str) -> None:
    spoken = language(code)
    known = {"code": code, "name": spoken.name, "scripts": list(spoken.scripts)}
    table = None
    if code == "zh":
        from nmtcore.views.site.build import simplified_characters  # noqa: PLC0415

        table = simplified_characters()
    most = {"characters": limits.MAX_CHARACTERS, "pieces": limits.MAX_PIECES}
    found = call("live/clean.js", "clean", [[typed, known, most, MESSAGES, table] for typed in TYPED])
    for typed, read in zip(TYPED, found, strict=True):
        try:
            expected = clean(typed, code)
        except TextError as error:
            assert read == {"refused": str(error)}, typed
        else:
            assert read == {"text": expected.text, "notes": [*expected.notes]}, typed
