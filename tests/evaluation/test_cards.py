"""Model cards: what was measured, as text."""

from __future__ import annotations

from nmtcore.evaluation.cards import scores


def test_a_card_shows_the_losses_with_and_without_residual_connections() -> None:
    losses = [[200, 6.25, 6.5], [1400, 4.0625, 5.75]]
    text = scores({"depth": {"planned": 1400, "losses": losses}})
    assert "Validation loss of 1,400 updates" in text and "tests.benchmarks.depth" in text
    assert "| 200 | 6.250 | 6.500 |\n| 1,400 | 4.062 | 5.750 |\n" in text
    assert "residual" not in scores({"by_rounds": []})
