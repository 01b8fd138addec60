"""Figures against hand-made maps: axes, order, labels, the fixed colour range, masked cells."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from nmtcore.decoding.trace import AttentionMap
from nmtcore.errors import TraceError
from nmtcore.figures.heatmap import attention_heatmap
from nmtcore.figures.palette import ARCHITECTURE, attention_scale, signed_scale

QUERIES = ("▁le", "▁le", "<s>", "▁", "<eos>")
KEYS = ("▁the", "▁the", "&amp;", "<eos>")


def cross(layers: int = 2, heads: int = 3) -> AttentionMap:
    weights = np.random.default_rng(0).random((layers, heads, len(QUERIES), len(KEYS))).astype(np.float32)
    return AttentionMap("cross", QUERIES, KEYS, weights / weights.sum(-1, keepdims=True))


def test_axes_carry_every_token_in_reading_order() -> None:
    figure = attention_heatmap(cross(), "dot")
    x, y = figure.layout.xaxis, figure.layout.yaxis
    assert list(x.tickvals) == [0, 1, 2, 3] and list(y.tickvals) == [0, 1, 2, 3, 4]
    assert list(x.ticktext) == ["the", "the", "&amp;amp;", "&lt;eos&gt;"]
    assert list(y.ticktext) == ["le", "le", "&lt;s&gt;", "␣", "&lt;eos&gt;"]
    assert x.side == "top" and y.autorange == "reversed"
    assert x.type == y.type == "linear"


def test_cells_are_the_weights_of_the_layer_and_head() -> None:
    attention = cross()
    z = attention_heatmap(attention, "additive", layer=1, head=2).data[0].z
    assert np.shape(z) == (5, 4)
    np.testing.assert_allclose(z, attention.weights[1, 2])


def test_mean_is_over_what_is_named() -> None:
    attention = cross()
    np.testing.assert_allclose(attention.matrix(1, "mean"), attention.weights[1].mean(0), rtol=1e-6)
    np.testing.assert_allclose(attention.matrix("mean", 2), attention.weights[:, 2].mean(0), rtol=1e-6)
    np.testing.assert_allclose(attention.matrix("mean", "mean"), attention.weights.mean((0, 1)), rtol=1e-6)


@pytest.mark.parametrize("architecture", ARCHITECTURE)
def test_colours_run_from_the_background_to_the_hue_between_0_and_1(architecture) -> None:
    small = AttentionMap("cross", ("a",), ("b", "c"), np.array([[[[0.2, 0.1]]]], dtype=np.float32))
    heatmap = attention_heatmap(small, architecture).data[0]
    assert (heatmap.zmin, heatmap.zmax) == (0, 1)
    assert [list(stop) for stop in heatmap.colorscale] == [[0.0, "#FFFFFF"], [1.0, ARCHITECTURE[architecture]]]


def test_masked_cells_are_empty_and_zeros_are_not() -> None:
    inputs = ("<sos>", "▁a", "b")
    weights = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.7, 0, 0.3]], dtype=np.float32)[None, None]
    heatmap = attention_heatmap(AttentionMap("decoder", inputs, inputs, weights), "transformer").data[0]
    assert np.isnan(heatmap.z).tolist() == [[False, True, True], [False, False, True], [False, False, False]]
    assert heatmap.z[2][1] == 0 and heatmap.hoverongaps is False
    assert weights[0, 0, 0, 1] == 0, "the map itself is not touched"


def test_encoder_attention_has_no_mask() -> None:
    names = ("▁a", "<eos>")
    weights = np.full((1, 1, 2, 2), 0.5, dtype=np.float32)
    heatmap = attention_heatmap(AttentionMap("encoder", names, names, weights), "transformer").data[0]
    assert not np.isnan(heatmap.z).any()


def test_names_and_titles_are_literal() -> None:
    figure = attention_heatmap(cross(), "dot", title="<b>Dot</b>, step 1")
    assert figure.layout.title.text == "&lt;b&gt;Dot&lt;/b&gt;, step 1"
    assert tuple(figure.data[0].customdata[2][3]) == ("&lt;s&gt;", "&lt;eos&gt;")


@pytest.mark.parametrize(("layer", "head"), [(2, 0), (0, 3), (-1, 0), (0, -1)])
def test_a_head_that_is_not_there_is_refused(layer: int, head: int) -> None:
    with pytest.raises(TraceError, match="counted from 0"):
        attention_heatmap(cross(), "dot", layer, head)


def test_scales_start_and_end_where_they_should() -> None:
    assert attention_scale("none", "#15181D") == [[0.0, "#15181D"], [1.0, "#7A7A7A"]]
    assert [stop[1] for stop in signed_scale()] == ["#B2182B", "#F7F7F7", "#2166AC"]


def test_figures_need_neither_torch_nor_streamlit() -> None:
    code = "import sys, nmtcore.figures.heatmap; sys.exit(bool({'torch', 'streamlit'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    code = "import sys, nmtcore.figures.palette; sys.exit('plotly' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
