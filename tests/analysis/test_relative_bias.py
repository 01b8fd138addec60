"""The bias by distance: with the products q . k it makes up the scores of the model."""

import numpy as np
import pytest

from nmtcore.analysis.relative_bias import recompute_bias
from nmtcore.config import DecodingConfig
from nmtcore.figures.relative_bias import AROUND, NUMBER, bias_by_distance, bias_table
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small, translate

TEXT = "a big dog does not like the red house ."


def test_scores_are_products_and_bias(vocab: Vocab) -> None:
    checkpoint = small("relative", vocab)
    trace = translate(checkpoint, TEXT, DecodingConfig(max_length=3))
    found = recompute_bias(checkpoint, trace)
    S = len(trace.source)
    assert found.distances == tuple(range(-3, 4)) and found.bias.shape == (2, 2, S, 7)
    inner = trace.inner
    products = np.einsum("lhik,lhjk->lhij", inner["encoder_query"], inner["encoder_key"]) / np.sqrt(8)
    for i in range(S):
        for j in range(S):
            added = found.bias[:, :, i, np.clip(j - i, -3, 3) + 3]
            np.testing.assert_allclose(inner["encoder_scores"][:, :, i, j], products[:, :, i, j] + added, atol=1e-4)


def test_the_figure_has_a_curve_for_each_head_of_the_layer(vocab: Vocab) -> None:
    checkpoint = small("relative", vocab)
    found = recompute_bias(checkpoint, translate(checkpoint, TEXT, DecodingConfig(max_length=3)))
    table = bias_table(found)
    assert len(table) == 2 * 2 * 7 and (table["low"] <= table["mean"]).all() and (table["mean"] <= table["high"]).all()
    row = table[(table["layer"] == 2) & (table["head"] == 1) & (table["distance"] == -3)].iloc[0]
    assert row["mean"] == pytest.approx(found.bias[1, 0, :, 0].mean(), abs=1e-5)
    drawn = bias_by_distance(table, 2, 1.5, "distance", "added", "head", height=300).to_dict()
    rows = [row for rows in drawn["datasets"].values() for row in rows]
    assert {row.get("layer", 2) for row in rows} == {2} and {row["head"] for row in rows if "head" in row} == {1, 2}
    scales = [drawn["layer"][1]["encoding"][channel]["scale"]["range"] for channel in ("color", "strokeDash")]
    assert all(first != second for first, second in scales), "told apart by colour and by dashes"
    low, high = sorted(row["place"] for row in rows if "place" in row)
    assert high - low >= 3 * NUMBER / (300 - AROUND) - 1e-9, "their numbers do not overlap"
