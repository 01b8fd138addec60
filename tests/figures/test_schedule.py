"""The curve of the learning rate: all its points, a dot and words where the run ends."""

import pytest

from nmtcore.figures.schedule import schedule_curve, schedule_table


@pytest.mark.parametrize(("last", "place"), [(0.1, 0), (0.9, 182)])
def test_the_end_is_marked_and_its_words_stand_where_the_curve_does_not(last: float, place: int) -> None:
    table = schedule_table([(1, 0.2), (50, 1.0), (90, last)])
    chart = schedule_curve(table, "step", "rate", "ends there", "#123456").to_dict()
    line, dot, words = chart["layer"]
    assert [row["learning_rate"] for row in chart["datasets"][line["data"]["name"]]] == [0.2, 1.0, last]
    assert dot["transform"] == [{"filter": "(datum.step === 90)"}]
    assert words["encoding"]["y"] == {"value": place}
    (row,) = chart["datasets"][words["data"]["name"]]
    assert row["end"] == "ends there" and row["step"] == 90
