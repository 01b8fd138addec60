"""Pictures of the one vector, against a hand-made trace: what is drawn where, and that names are only names."""

from __future__ import annotations

import numpy as np
import pytest

from nmtcore.config import DecodingConfig
from nmtcore.figures import context
from nmtcore.figures.palette import ARCHITECTURE
from nmtcore.trace import Candidate, Step, Trace

SOURCE = ("▁red", "▁red", "▁<b>", "<s>", "<eos>")
TARGET = ("▁rouge", "▁rouge", "<eos>")
S, T, D = 5, 3, 4


@pytest.fixture
def trace() -> Trace:
    random = np.random.default_rng(2)

    def numbers(*shape: int) -> np.ndarray:
        return random.uniform(-1, 1, shape).astype(np.float32)

    steps = tuple(
        Step(token, 10 + j, -0.5, (Candidate("▁x", 5, -0.4), Candidate(token, 10 + j, -0.5)))
        for j, token in enumerate(TARGET)
    )
    return Trace(
        "en-fr/none", "none", "red red", SOURCE, TARGET, "rouge rouge", -1.5, -1.5, True, 0.1, DecodingConfig(), steps,
        (), (), inner={"states": numbers(1, S, D), "summary": numbers(1, D), "state": numbers(T, 1, D)},
    )  # fmt: skip


def test_the_states_lead_into_one_column_and_out_of_it(trace: Trace) -> None:
    figure = context.bottleneck(trace, 2, bidirectional=True)
    encoder, summary, before, after = figure.data
    np.testing.assert_allclose(encoder.z, trace.inner["states"][0].T, atol=1e-3)
    np.testing.assert_allclose(summary.z, trace.inner["summary"].T, atol=1e-3)
    np.testing.assert_allclose(before.z, trace.inner["state"][:2, 0].T, atol=1e-3)
    np.testing.assert_allclose(after.z, trace.inner["state"][2:, 0].T, atol=1e-3)
    edges = [list(heat.x) for heat in figure.data]
    assert edges[0] == [0, 1, 2, 3, 4, 5]
    assert edges[0][-1] < edges[1][0] < edges[1][1] < edges[2][0]
    assert edges[2][-1] == edges[3][0]
    assert after.opacity < 0.5 and before.opacity == 1
    assert {(heat.zmin, heat.zmax) for heat in figure.data} == {(-1, 1)}
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # component 1 on top


def test_names_stand_over_their_columns_and_are_no_markup(trace: Trace) -> None:
    axis = context.bottleneck(trace, 1, bidirectional=True).layout.xaxis
    assert axis.type == "linear"
    assert list(axis.ticktext) == [
        "red", "red", "&lt;b&gt;", "&lt;s&gt;", "&lt;eos&gt;", "<b>C</b>", "rouge", "", "",
    ]  # fmt: skip
    assert list(axis.tickvals)[:5] == [0.5, 1.5, 2.5, 3.5, 4.5]
    assert len(set(axis.tickvals)) == len(axis.tickvals) == S + 1 + T


def test_outlined_is_what_the_vector_is_made_of(trace: Trace) -> None:
    def boxes(figure: context.go.Figure) -> list[tuple[float, ...]]:
        return [(s.x0, s.x1, s.y0, s.y1) for s in figure.layout.shapes if s.type == "rect"]

    both = boxes(context.bottleneck(trace, 3, bidirectional=True))
    assert both[:2] == [(4, 5, 0.5, 2.5), (0, 1, 2.5, 4.5)]  # forwards' last on top, backwards' first below
    assert len(both) == 3  # and the step
    one = boxes(context.bottleneck(trace, 3, bidirectional=False))
    assert one[0] == (4, 5, 0.5, 4.5) and len(one) == 2
    assert len(context.bottleneck(trace, 3, bidirectional=True).data) == 3  # nothing left to come


def test_the_table_has_a_column_a_state(trace: Trace) -> None:
    table = context.state_table(trace)
    assert list(table.columns) == [
        "h1 red", "h2 red", "h3 <b>", "h4 <s>", "h5 <eos>", "C", "s1 rouge", "s2 rouge", "s3 <eos>",
    ]  # fmt: skip
    np.testing.assert_array_equal(table["s2 rouge"], trace.inner["state"][1, 0])


def test_bars_keep_repeated_words_apart_on_one_scale() -> None:
    words = ("▁red", "▁red", "</b>", "▁")
    figure = context.bars_by_word(words, (0.5, -0.25, 2, 0), "#123456", (-1, 3), "loss <b>")
    bars = figure.data[0]
    assert (bars.orientation, list(bars.x), list(bars.y)) == ("h", [0.5, -0.25, 2, 0], [0, 1, 2, 3])
    assert list(bars.text) == ["0.50", "\u22120.25", "2.00", "0.00"]
    assert set(bars.marker.color) == {"#123456"}
    assert list(figure.layout.yaxis.ticktext) == ["red", "red", "&lt;/b&gt;", "▁"]
    assert list(figure.layout.yaxis.tickvals) == [0, 1, 2, 3]
    assert figure.layout.yaxis.type == "linear" and figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert figure.layout.xaxis.range[0] < -1 and figure.layout.xaxis.range[1] > 3
    other = context.bars_by_word(words, (0, 0, 0, 0.1), "#123456", (-1, 3), "loss")
    assert other.layout.xaxis.range == figure.layout.xaxis.range and other.layout.height == figure.layout.height
    assert figure.layout.xaxis.title.text == "loss &lt;b&gt;"


def test_candidates_show_the_chosen_one_wherever_it_stands() -> None:
    candidates = [Candidate(f"▁{letter}", i, -1.0 - i) for i, letter in enumerate("abcdefgh")]
    figure = context.candidate_bars(candidates, 6, "dot", count=3)
    bars = figure.data[0]
    assert list(figure.layout.yaxis.ticktext) == ["a", "b", "c", "g"]
    assert [color == ARCHITECTURE["dot"] for color in bars.marker.color] == [False, False, False, True]
    assert bars.x[0] == pytest.approx(np.exp(-1)) and bars.x[3] == pytest.approx(np.exp(-7))
    assert figure.layout.xaxis.range[0] == 0 and figure.layout.xaxis.range[1] > 1
