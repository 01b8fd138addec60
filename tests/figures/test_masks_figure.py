"""The picture of a padded batch: every column has room for its longest piece, and the whole is never narrower."""

from __future__ import annotations

import re

import numpy as np
import pytest

from nmtcore.figures.masks import batch_rows, mask_matrix

NARROW = 0.5  # of a letter's height: a bold sans-serif letter is wider than this on average


def test_columns_are_as_wide_as_their_longest_piece() -> None:
    rows = [["<sos>", "▁transformation", "▁a"], ["<sos>", "▁I", "<pad>"]]
    real = np.array([[True, True, True], [True, True, False]])
    figure = batch_rows(rows, real, 0)
    widths = np.diff(figure.data[0].x)
    size = figure.data[0].textfont.size
    assert widths.shape == (3,)
    for width, longest in zip(widths, ("<sos>", "transformation", "<pad>"), strict=True):
        assert width > NARROW * size * len(longest)
    assert widths[1] > 2 * widths[0]
    assert figure.layout.width >= widths.sum()
    assert tuple(figure.layout.xaxis.range) == (0, widths.sum())


def test_a_chinese_character_is_as_wide_as_it_is_tall() -> None:
    real = np.ones((1, 2), dtype=bool)
    figure = batch_rows([["我们喜欢", "abcd"]], real, 0)
    chinese, latin = np.diff(figure.data[0].x)
    assert chinese >= 4 * figure.data[0].textfont.size > 0 and chinese > latin


def test_long_batches_have_smaller_letters() -> None:
    few, many = (batch_rows([["▁beautiful"] * n], np.ones((1, n), dtype=bool), 0) for n in (5, 40))
    assert few.data[0].textfont.size > many.data[0].textfont.size


def test_a_matrix_with_numbers_is_wider_than_one_of_names_alone() -> None:
    def least(columns: int) -> float:
        names = [f"▁{i}" for i in range(columns)]
        values = np.zeros((2, columns))
        return float(mask_matrix(values, ["▁a", "▁b"], names, kind="weights").layout.width)

    assert least(11) > least(7), "numbers have room"
    assert least(13) < 13 / 12 * least(12), "without numbers columns are narrower"
    assert least(29) >= 29 * 13, "names that lean are 13 px apart at least"


@pytest.mark.parametrize("background", ["#FFFFFF", "#15181D"])
def test_cells_with_numbers_are_opaque(background: str) -> None:
    """Plotly chooses the ink of a number as if what is translucent lay on white, which a dark page is not."""
    values, names = np.eye(2, dtype=np.float32), ["▁a", "▁b"]
    for kind in ("mask", "weights"):
        figure = mask_matrix(values, names, names, kind=kind, hidden=np.tri(2, dtype=np.float32), background=background)
        colors = [color for drawn in figure.data for _, color in drawn.colorscale]
        assert all(re.fullmatch("#[0-9A-F]{6}", color) for color in colors), colors
    assert (
        mask_matrix(values, names, names, kind="weights", background=background).data[0].colorscale[0][1] == background
    )
