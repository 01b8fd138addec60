"""The picture of a sentence's scores: it has room for its numbers, or for the names of its columns."""

import numpy as np

from nmtcore.figures.general_score import sentence_scores


def test_a_matrix_with_numbers_is_wider_than_one_of_names_alone() -> None:
    def least(columns: int) -> float:
        scores = np.ones((2, columns), np.float32)
        return float(sentence_scores(scores, ["▁a", "▁b"], [f"▁{i}" for i in range(columns)]).layout.width)

    assert least(11) > least(7), "numbers have room"
    assert least(13) < 13 / 12 * least(12), "without numbers columns are narrower"
    assert least(29) >= 29 * 13, "names that lean are 13 px apart at least"
