"""The chart of time against length: both axes logarithmic, the theory at the rate of the fastest model."""

import pytest

from nmtcore.analysis.costs import in_rounds, operations
from nmtcore.analysis.speed import Speed
from nmtcore.config import MaskPredictConfig, RecurrentConfig, TransformerConfig
from nmtcore.figures.speed import Measured, speed_table, time_by_length

RECURRENT = RecurrentConfig(50, "gru", 6, 10, attention="dot")
TRANSFORMER = TransformerConfig(50, 8, 12, 2, encoder_layers=3, decoder_layers=2)
SPEEDS = (Speed(4, 0.002, 0.05), Speed(8, 0.003, 0.09))


def test_the_theory_is_layers_times_the_formula_at_the_best_rate() -> None:
    table = speed_table([Measured("A", RECURRENT, SPEEDS), Measured("B", TRANSFORMER, SPEEDS[:1])])
    assert list(table["model"]) == ["A", "A", "B"] and list(table["encode"]) == pytest.approx([2, 3, 2])
    rate = max(
        operations(RECURRENT, 4, 4).encode / 0.002,
        operations(RECURRENT, 8, 8).encode / 0.003,
        operations(TRANSFORMER, 4, 4).encode / 0.002,
    )
    expected = [1000 * count / rate for count in (4 * 10 * 10, 8 * 10 * 10, 3 * 4 * 4 * 8)]
    assert list(table["encode theory"]) == pytest.approx(expected)
    assert table["decode theory"][2] / table["decode theory"][0] == pytest.approx(2 * 4 * 4 * 8 / (4 * 10 * 10))


def test_where_all_words_are_written_at_once_each_round_costs_the_formula() -> None:
    config = MaskPredictConfig(50, 8, 12, 2, encoder_layers=3, decoder_layers=2)
    one, five = (Measured(str(t), config, SPEEDS, t) for t in (1, 5))
    first, second = speed_table([one, five]).query("length == 8").to_dict("records")
    assert second["encode theory"] == first["encode theory"]
    assert second["decode theory"] == pytest.approx(5 * first["decode theory"])
    found = in_rounds(config, 8, 8, 5)
    rate = (found.total - found.encode) / 0.09
    assert second["decode theory"] == pytest.approx(1000 * 5 * 2 * 8 * 8 * 8 / rate)


def test_the_chart_is_log_log_with_a_colour_for_each_model() -> None:
    table = speed_table([Measured("A", RECURRENT, SPEEDS), Measured("B", TRANSFORMER, SPEEDS)])
    drawn = time_by_length(table, "decode", {"A": "#111111", "B": "#222222"}, "pieces", "ms", ["B"]).to_dict()
    theory, lines, _points = drawn["layer"]
    assert lines["encoding"]["x"]["scale"]["type"] == lines["encoding"]["y"]["scale"]["type"] == "log"
    assert lines["encoding"]["x"]["axis"]["values"] == [4, 8] and lines["encoding"]["y"]["field"] == "decode"
    assert theory["encoding"]["y"]["field"] == "decode theory" and theory["mark"]["strokeDash"]
    assert lines["encoding"]["color"]["scale"] == {"domain": ["A", "B"], "range": ["#111111", "#222222"]}
    solid, dashed = lines["encoding"]["strokeDash"]["scale"]["range"]
    assert solid[1] == 0 < dashed[1] and dashed != theory["mark"]["strokeDash"]


def test_a_kind_of_layer_that_the_theory_does_not_know_has_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmtcore.figures.speed.layer_complexity", lambda config: None)
    table = speed_table([Measured("A", RECURRENT, SPEEDS)])
    assert table["encode theory"].isna().all()
