"""Pictures of positions: the identities that they show, and their layout."""

import json
import math

import numpy as np
import pytest

from nmtcore.decoding.trace import Array
from nmtcore.figures import positions
from nmtcore.models.sinusoidal_frequencies import angular_frequency, wavelength

TOKENS = ("▁the", "▁red", "▁red", "▁<b>", "<eos>")


def table(N: int = 24, D: int = 12) -> Array:
    """PE by the formula, number by number."""
    return np.array(
        [[(math.sin, math.cos)[d % 2](p / 10000 ** (2 * (d // 2) / D)) for d in range(D)] for p in range(N)]
    )


@pytest.mark.parametrize(("pair", "k"), [(0, 1), (2, 7), (5, 23)])
def test_k_further_is_a_rotation(pair: int, k: int) -> None:
    PE = table()
    angle = k * angular_frequency(pair, 12)
    R = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    for p in range(24 - k):
        np.testing.assert_allclose(R @ PE[p, 2 * pair : 2 * pair + 2], PE[p + k, 2 * pair : 2 * pair + 2], atol=1e-6)


def test_the_dot_product_depends_on_the_distance_alone() -> None:
    dots = positions.dot_table(table())
    assert (dots["high"] - dots["low"]).max() < 1e-6
    expected = [sum(math.cos(k / 10000 ** (2 * i / 12)) for i in range(6)) for k in range(24)]
    np.testing.assert_allclose(dots["mean"], expected, atol=1e-6)
    learned = positions.dot_table(np.random.default_rng(1).normal(size=(9, 12)))
    assert (learned["high"] - learned["low"]).max() > 1


@pytest.mark.parametrize("pair", [0, 1, 4])
def test_a_wave_begins_again_after_its_wavelength(pair: int) -> None:
    assert wavelength(pair, 12) * angular_frequency(pair, 12) == pytest.approx(2 * math.pi)


def test_curves_hold_every_value_of_the_pairs() -> None:
    PE = table()
    rows = positions.curve_table(PE, (0, 3))
    assert len(rows) == 2 * 2 * 24
    cosine = rows[(rows["dimension"] == 7) & (rows["position"] == 5)]
    assert cosine["wave"].item() == "cos" and cosine["pair"].item() == "6, 7"
    assert cosine["value"].item() == pytest.approx(PE[5, 7], abs=1e-5)
    spec = positions.curves(PE, (0, 3), TOKENS, "place", "dims").to_dict()
    lines, dots, words = spec["layer"]
    scale = lines["encoding"]["color"]["scale"]
    assert scale["domain"] == ["0, 1", "6, 7"] and len(set(scale["range"])) == 2
    assert lines["encoding"]["color"]["legend"]["title"] == "dims"
    assert lines["encoding"]["x"]["axis"]["title"] == "place"
    assert {p["name"] for p in spec["params"]} == {"pair", "pointed"}
    shown = spec["datasets"][words["data"]["name"]]
    assert [(row["position"], row["token"]) for row in shown] == list(enumerate(["the", "red", "red", "<b>", "<eos>"]))


def test_the_matrix_reads_down_the_positions() -> None:
    PE = table()
    figure = positions.matrix(PE, TOKENS, 3.0, "dimension", "place")
    heat = figure.data[0]
    assert np.array(heat.z).shape == (24, 12)
    np.testing.assert_allclose(heat.z, PE, atol=1e-4)
    assert (heat.zmin, heat.zmax) == (-3, 3)
    assert figure.layout.yaxis.range == (23.5, -0.5) and figure.layout.yaxis.type == "linear"
    assert list(figure.layout.yaxis.ticktext) == ["the  0", "red  1", "red  2", "&lt;b&gt;  3", "&lt;eos&gt;  4"]
    assert list(figure.layout.yaxis.tickvals) == [0, 1, 2, 3, 4]


def test_wavelengths_mark_the_sentence() -> None:
    spec = positions.wavelengths(12, 17, "pair", "positions").to_dict()
    text = json.dumps(spec)
    assert spec["layer"][0]["encoding"]["y"]["scale"]["type"] == "log"
    assert '"wavelength": 17' in text
    points = spec["datasets"][spec["layer"][0]["data"]["name"]]
    assert [row["pair"] for row in points] == list(range(6))
    assert points[4]["wavelength"] == pytest.approx(wavelength(4, 12))
