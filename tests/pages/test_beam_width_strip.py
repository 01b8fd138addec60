"""The width strip on the Beam search page: only on demand, one row per width, BLEU if a translation was typed."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis.beam_widths import WidthResult
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import length_penalty
from nmtcore.evaluation.bleu_chrf import sentence_bleu
from nmtcore.figures.text import signed
from nmtcore.models import checkpoint
from pages.beam.width_strip import _changed
from tests.helpers import translate
from tests.pages.helpers import cells, press

TEXT = "a red cat"
PAGE = f"beam?text={TEXT}&model=dot&beam=3"
TEXTS = ("a <b> red cat", "a cat", "a dog", "a dog")  # of one width after another


def rows(at: AppTest) -> list[list[str]]:
    """The cells of the strip as plain text; fails if the page shows an error."""
    assert not at.exception, at.exception
    assert not [*at.error, *at.warning]
    bodies = [e.proto.body for e in at.get("html") if "<table" in e.proto.body]
    return [[re.sub(r"<[^>]*>", "", cell) for cell in row] for row in cells("".join(bodies[:1]))]


def test_widths_are_compared_only_when_asked(page: AppTest, model_directory: Path) -> None:
    assert rows(page.run()) == []
    head, *found = rows(press(page, "widths"))
    assert page.query_params["widths"] in ("shown", ["shown"])
    assert head[:5] == ["width", "log P", "lp", "s", "ms"] and "BLEU" not in head
    assert [row[0] for row in found] == ["1", "2", "3 ◂", "4", "5", "6", "7", "8", "9", "10"]
    model = checkpoint.load(model_directory / "en-fr" / "dot")
    for row, width in ((found[0], 1), (found[7], 8)):
        trace = translate(model, TEXT, DecodingConfig(width))
        lp = length_penalty(len(trace.target), 0.6)
        assert row[1:4] == [signed(trace.log_probability, 3), f"{lp:.4f}", signed(trace.score)]
    assert rows(press(page, "widths")) == []
    assert "widths" not in page.query_params


def test_a_score_follows_from_the_numbers_before_it_and_a_typed_translation_adds_bleu(
    page: AppTest, model_directory: Path
) -> None:
    page.query_params.update({"widths": "shown", "alpha": "1.3", "beta": "0.4", "truth": "le <b>petit</b> chat"})
    head, *found = rows(page.run())
    assert head[1:5] == ["log P", "lp", "cp", "s"] and head[6] == "BLEU"
    for row in found:
        log_p, lp, cp, score = (float(cell.replace("\u2212", "-")) for cell in row[1:5])
        assert log_p / lp + cp == pytest.approx(score, abs=0.006)
    text = translate(checkpoint.load(model_directory / "en-fr" / "dot"), TEXT, DecodingConfig(1)).text
    assert found[0][6] == f"{sentence_bleu(text, page.query_params['truth'], 'fr'):.1f}"


def test_the_widths_are_those_of_free_searches_and_that_is_said(page: AppTest) -> None:
    page.query_params["widths"] = "shown"
    free = rows(page.run())
    assert "free" not in " ".join(m.value for m in page.markdown)
    page.query_params["whatif"] = "letters.c"
    obeying = rows(page.run())
    assert [row[1] for row in obeying] == [row[1] for row in free]
    assert "These searches are free" in " ".join(m.value for m in page.markdown)


def test_what_changes_is_marked_and_escaped() -> None:
    rows = [WidthResult(width, text, -1.0, 1.0, 0.0, -1.0, True, 5.0, None) for width, text in enumerate(TEXTS, 1)]
    shown = [_changed(before, row) for before, row in zip(["", *TEXTS], rows, strict=False)]
    assert shown[0] == "a &lt;b&gt; red cat"
    assert "<u>" not in shown[1] and shown[1].startswith("a cat <s ") and "&lt;b&gt; red</s>" in shown[1]
    assert shown[2] == "a <u>dog</u>"
    assert "the same" in shown[3] and "dog" not in shown[3]
