"""Overlaid runs: every measured quantity, runs of different lengths, old runs without some quantities."""

from nmtcore.figures.overlay import LEGEND_ROW, by_length_table, overlaid, overlaid_by_length, overlay_table

NEW = [
    {"event": "begun", "step": 0},
    {"event": "progress", "step": 1, "loss": 3.0, "learning_rate": 0.1, "gradient_norm": 0.0, "clipped": 0.25},
    {"event": "progress", "step": 70, "loss": 1.0, "learning_rate": 0.2, "gradient_norm": 40.0, "clipped": 1.0},
    {"event": "validation", "step": 70, "loss": 9.0, "score": 30.0},
]
OLD = [
    {"event": "progress", "step": 5, "loss": 2.0, "learning_rate": None},
    {"event": "validation", "step": 9, "loss": 9.0, "score": None},
]


def test_the_table_has_what_each_run_measured() -> None:
    table = overlay_table({"new": NEW, "old": OLD})
    assert table[table["name"] == "old"].to_numpy().tolist() == [["old", 5, "loss", 2.0]]
    clipped = table[table["quantity"] == "clipped"]
    assert clipped["value"].tolist() == [25.0, 100.0] and table[table["quantity"] == "score"]["value"].tolist() == [
        30.0
    ]


def test_all_pictures_have_the_longest_runs_axis_and_tell_runs_apart_without_colour() -> None:
    table = overlay_table({"new": NEW, "old": OLD})
    for quantity in ("loss", "gradient_norm", "score"):
        chart = overlaid(table, quantity, ["new", "old"], ["#111111", "#111111"], "step", "y", at=7).to_dict()
        lines, rule = chart["layer"]
        assert lines["encoding"]["x"]["scale"]["domain"] == [0, 70]
        assert lines["encoding"]["strokeDash"]["scale"] == {"domain": ["new", "old"], "range": [[1, 0], [7, 4]]}
        assert chart["datasets"][rule["data"]["name"]] == [{"step": 7}]
    formats = {
        quantity: overlaid(table, quantity, ["new"], ["#111111"], "step", "y").to_dict()["layer"][0]["encoding"]["y"]
        for quantity in ("score", "learning_rate")
    }
    assert formats["score"]["axis"]["format"] == "d", "a share is 80, not 8e+1"
    assert formats["learning_rate"]["axis"]["format"] == "~g"
    norms = overlaid(table, "gradient_norm", ["new"], ["#111111"], "step", "y").to_dict()
    (rows,) = norms["datasets"].values()
    assert [row["value"] for row in rows] == [40.0], "a norm of zero has no logarithm"
    assert overlaid(overlay_table({}), "loss", [], [], "step", "y").to_dict()["height"] == 260
    legend = overlaid(table, "loss", ["new", "old"], ["#111111", "#111111"], "step", "y", legend=True).to_dict()
    assert legend["height"] == 260 + 2 * LEGEND_ROW, "the legend takes nothing of the curves"


def test_what_is_right_by_length_is_drawn_at_the_lengths_that_were_measured() -> None:
    table = by_length_table({"new": {10: 99.0, 40: 97.0}, "old": {}, "other": {10: 30.0, 20: 0.0}})
    assert table.to_numpy().tolist() == [["new", 10, 99.0], ["new", 40, 97.0], ["other", 10, 30.0], ["other", 20, 0.0]]
    chart = overlaid_by_length(table, ["new", "old", "other"], ["#1", "#2", "#3"], "length", "right").to_dict()
    drawn = chart["layer"][0]["encoding"]
    assert drawn["x"]["axis"]["values"] == [10, 20, 40] and drawn["x"]["scale"]["domain"] == [0, 40]
    assert drawn["color"]["scale"]["range"] == ["#1", "#2", "#3"] and drawn["y"]["scale"]["domain"] == [0, 100]
