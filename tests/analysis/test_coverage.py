"""Coverage of the source: hand-made matrices against plain sums, and the deciding beta against ranking anew."""

from __future__ import annotations

import numpy as np
import pytest

from nmtcore.analysis.coverage import deciding_beta, unseen_words
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import AttentionMap, BeamNode, Trace
from nmtcore.errors import TraceError

SOURCE = ("▁did", "▁you", "▁ta", "ble", "▁now", ".", "<eos>")  # words: did 0, you 1, table 2, now 3, the rest
TARGET = ("▁tu", "▁ta", "bl", "e", "<eos>")  # words: tu, table, <eos>


def attention(*rows: list[float], heads: int = 1) -> AttentionMap:
    """Cross attention of one layer; the first of its heads has these rows, the others look at <eos> alone."""
    weights = np.zeros((1, heads, len(TARGET), len(SOURCE)), np.float32)
    weights[..., -1] = 1
    weights[0, 0] = rows
    return AttentionMap("cross", TARGET, SOURCE, weights)


ROWS = (
    [0.10, 0.70, 0.05, 0.05, 0.10, 0.0, 0.0],
    [0.10, 0.00, 0.60, 0.10, 0.20, 0.0, 0.0],
    [0.00, 0.10, 0.40, 0.40, 0.10, 0.0, 0.0],
    [0.20, 0.00, 0.30, 0.40, 0.10, 0.0, 0.0],
    [0.00, 0.00, 0.05, 0.00, 0.05, 0.0, 0.9],
)


def test_words_that_are_no_rows_main_place_and_hardly_covered_are_unseen() -> None:
    # Columns of words: did 0.10 + (0.10 + 0.00 + 0.20) / 3 = 0.20; now 0.10 + 0.40 / 3 + 0.05 = 0.28.
    assert unseen_words(attention(*ROWS), 0, 0) == (0,)
    late = [*ROWS[:-1], [0.0, 0.0, 0.05, 0.0, 0.01, 0.0, 0.94]]
    assert unseen_words(attention(*late), 0, 0) == (0, 3), "now has 0.24 together"


def test_the_main_place_of_a_row_is_seen_however_little_it_gets() -> None:
    spread = [0.22, 0.18, 0.11, 0.10, 0.19, 0.10, 0.10]
    table = [0.0, 0.05, 0.55, 0.4, 0.0, 0.0, 0.0]
    rows = [spread, table, table, table, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]]
    assert unseen_words(attention(*rows), 0, 0) == (1, 3), "did has as little, but is where tu looks most"


def test_of_the_head_that_is_asked_for() -> None:
    both = attention(*ROWS, heads=3)
    assert unseen_words(both, 0, 0) == (0,)
    assert unseen_words(both, 0, 1) == (0, 1, 2, 3), "everything but punctuation and <eos>"
    with pytest.raises(TraceError, match="no head 3"):
        unseen_words(both, 0, 3)


def searched(*ends: tuple[float, int, float], beta: float = 0.0) -> Trace:
    """A search that finished hypotheses of these log-probabilities, lengths and coverages, in a beam as wide."""
    nodes = [BeamNode(0, -1, 0, "<sos>", 1, 0.0, 0.0, 0.0, 0, "root")]
    nodes += [
        BeamNode(i, 0, length, "<eos>", 2, total, total, coverage, i, "finished")
        for i, (total, length, coverage) in enumerate(ends, 1)
    ]
    return Trace(
        model="m",
        architecture="dot",
        source_text="",
        source=("<eos>",),
        target=(),
        text="",
        log_probability=0.0,
        score=0.0,
        finished=True,
        seconds=0.0,
        decoding=DecodingConfig(max(1, len(ends)), beta=beta),
        steps=(),
        attention=(),
        beam=tuple(nodes),
    )


@pytest.mark.parametrize("beta", [0.0, 0.7])
def test_the_winner_changes_at_the_deciding_beta_and_not_before(beta: float) -> None:
    trace = searched((-2.0, 7, -5.0), (-2.5, 9, -1.0), (-4.0, 8, -0.5), (-2.1, 6, -9.0), (-2.0, 7, -5.0), beta=beta)
    alpha = trace.decoding.alpha
    first = trace.ranked(alpha, beta)[0]
    decisive = deciding_beta(trace)
    assert decisive is not None and decisive > beta
    assert all(trace.ranked(alpha, b)[0].coverage == first.coverage for b in np.linspace(beta, decisive - 1e-6, 50))
    assert trace.ranked(alpha, decisive + 1e-6)[0].coverage > first.coverage


def test_no_beta_decides_where_no_hypothesis_covers_more() -> None:
    assert deciding_beta(searched((-2.0, 7, -1.0))) is None, "greedy search"
    assert deciding_beta(searched((-2.0, 7, -1.0), (-2.5, 7, -1.0), (-3.0, 7, -4.0))) is None
    assert deciding_beta(searched()) is None
