"""Widths compared: each row is the winner of its own search; BLEU only with a reference."""

import pandas as pd
import pytest

from nmtcore.analysis.beam_widths import compare_widths
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.evaluation.bleu_chrf import sentence_bleu
from nmtcore.figures.beam_widths import log_probability_by_width
from nmtcore.figures.palette import HUES
from nmtcore.models.checkpoint import Checkpoint
from tests.helpers import translate

SOURCE = "a big dog"
WIDTHS = (1, 3, 7)


@pytest.fixture(scope="module")
def found(small_checkpoint: Checkpoint) -> list[Trace]:
    return [translate(small_checkpoint, SOURCE, DecodingConfig(width, max_length=9)) for width in WIDTHS]


def test_a_row_is_the_winner_of_its_search(small_checkpoint: Checkpoint, found: list[Trace]) -> None:
    for alpha, beta in ((0.6, 0.0), (2.0, 0.4)):
        rows = compare_widths(found, small_checkpoint.vocab, alpha, beta)
        for row, width in zip(rows, WIDTHS, strict=True):
            own = translate(small_checkpoint, SOURCE, DecodingConfig(width, alpha, beta, 9))
            assert (row.width, row.text, row.finished, row.bleu) == (width, own.text, own.finished, None)
            assert row.log_probability == pytest.approx(own.log_probability, abs=1e-4)
            assert row.score == pytest.approx(own.score, abs=1e-4)
    assert [row.milliseconds for row in rows] == [pytest.approx(1000 * trace.seconds) for trace in found]


def test_bleu_is_of_each_rows_text(small_checkpoint: Checkpoint, found: list[Trace]) -> None:
    reference = "un grand chien ."
    rows = compare_widths(found, small_checkpoint.vocab, 0.6, 0.0, reference, "fr")
    assert [row.bleu for row in rows] == [sentence_bleu(row.text, reference, "fr") for row in rows]


def test_short_sentences_have_a_bleu_of_the_orders_that_they_have() -> None:
    assert sentence_bleu("un chat", "un chat") == pytest.approx(100)
    assert sentence_bleu("un chat rouge", "un chat noir") == pytest.approx(100 * (2 / 3 * 1 / 2 * 1 / 2) ** (1 / 3))
    assert sentence_bleu("红色的房子", "红色的房屋", "zh") > 50
    assert sentence_bleu("", "un chat") == 0


def test_the_line_goes_through_every_width_and_the_present_one_has_a_ring(
    small_checkpoint: Checkpoint, found: list[Trace]
) -> None:
    table = pd.DataFrame(list(compare_widths(found, small_checkpoint.vocab, 0.6, 0.0)))
    assert list(table["width"]) == list(WIDTHS)
    spec = log_probability_by_width(table, "dot", 3, "width", "log P").to_dict()
    line, points, ring = spec["layer"]
    assert line["encoding"]["x"]["field"] == "width" and line["encoding"]["y"]["field"] == "log_probability"
    assert line["mark"]["color"] == points["mark"]["color"] == HUES["dot"]
    low, high = line["encoding"]["y"]["scale"]["domain"]
    assert low <= table["log_probability"].min() - 0.1 and high >= table["log_probability"].max() + 0.1
    assert ring["transform"] == [{"filter": "datum.width === 3"}]
    (rows,) = spec["datasets"].values()
    assert [row["log_probability"] for row in rows] == pytest.approx(list(table["log_probability"]))
