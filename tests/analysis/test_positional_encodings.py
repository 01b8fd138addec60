"""The table of positions is what the model adds, and agrees with the formula."""

import numpy as np

from nmtcore.analysis.positional_encodings import position_table
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small


def test_the_table_is_what_the_model_adds(vocab: Vocab) -> None:
    table = position_table(small("transformer", vocab), 11)
    assert table.config.positions == "sinusoidal"
    assert table.own is not None and table.own.shape == (11, 16)
    for position, pair in ((0, 0), (5, 2), (10, 7)):
        angle = position / 10000 ** (2 * pair / 16)
        expected = [np.sin(angle), np.cos(angle)]
        np.testing.assert_allclose(table.own[position, 2 * pair : 2 * pair + 2], expected, atol=1e-6)
    np.testing.assert_array_equal(table.own, table.sinusoids)
