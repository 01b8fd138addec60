"""Translate says so where its models have not had the same lessons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.common.registry import script


def captions(shelf: Path, rows: dict[str, int]) -> str:
    for architecture, count in rows.items():
        path = shelf / "en-fr" / architecture / "config.json"
        settings = json.loads(path.read_text())
        settings["meta"]["data"] = {"file": "pairs.tsv", "pairs": 9} | ({"added": {"rows": count}} if count else {})
        path.write_text(json.dumps(settings))
    at = AppTest.from_file(script("translate"), default_timeout=60)
    at.query_params["text"] = "a red cat"
    at.run()
    assert not at.exception
    return "\n".join(caption.value for caption in at.caption)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ({"transformer": 37855}, "Transformer learned from 37,855 rows beside the common ones, more than the others"),
        ({"transformer": 12, "dot": 12}, "Dot, Transformer learned from 12 rows"),
    ],
)
def test_other_lessons_are_said(own_shelf: Path, rows: dict[str, int], words: str) -> None:
    assert words in captions(own_shelf, rows)


def test_the_same_lessons_need_no_word(own_shelf: Path) -> None:
    same = dict.fromkeys(("none", "additive", "dot", "transformer"), 7)
    assert "lessons" not in captions(own_shelf, same)
