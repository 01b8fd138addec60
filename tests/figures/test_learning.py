"""Figures of a training: typed text never enters HTML unescaped, and the pictures are the traces'."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pandas as pd
import pytest

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import AttentionMap, Step, Trace
from nmtcore.figures.learning import (
    FRAMES,
    POINTS,
    animation,
    chosen_frames,
    frames,
    learning_table,
    loss_curves,
    schedule_curve,
    score_curve,
)

SVG = "{http://www.w3.org/2000/svg}"


def trace(seed: int) -> Trace:
    source, target = ("▁<script>", "▁b", "<eos>"), ("▁&amp;", "<eos>")
    weights = np.random.default_rng(seed).dirichlet(np.ones(3), (2, 4, 2)).astype(np.float32)
    return Trace(
        *("m", "transformer", "<script> b", source, target, "&amp;", -1.0, -1.0, True, 0.1, DecodingConfig()),
        steps=tuple(Step(token, 5, -0.5, ()) for token in target),
        attention=(AttentionMap("cross", target, source, weights),),
        beam=(),
    )


def events(count: int) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = [{"event": "begun", "step": 0}]
    for step in range(1, count + 1):
        progress = {"event": "progress", "step": step, "loss": 3 / step, "learning_rate": 0.1, "tokens_per_second": 9.0}
        rows.append(progress)
        if step % 10 == 0:
            rows.append({"event": "validation", "step": step, "loss": 4 / step, "score": step / 10})
    return rows


def test_the_table_has_a_row_for_each_measurement() -> None:
    table = learning_table(events(20))
    assert table["kind"].value_counts().to_dict() == {"training": 20, "validation": 2}
    assert table["score"].dropna().tolist() == [1.0, 2.0]
    assert list(learning_table([]).columns) == list(table.columns)


def test_curves_keep_their_axis_and_stay_small() -> None:
    table = learning_table(events(3000))
    names = {"training": "training", "validation": "unseen"}
    chart = loss_curves(table, "additive", 4000, names, "step", "loss").to_dict()
    assert str([0, 4000]) in str(chart)
    rows = next(iter(chart["datasets"].values()))
    assert sum(row["kind"] == "training" for row in rows) == POINTS
    assert sum(row["kind"] == "validation" for row in rows) == 300
    score = score_curve(
        table, "additive", 4000, {"score": "exact match"}, "step", (99.0, "goal 99%"), "#123456"
    ).to_dict()
    assert str([0, 100]) in str(score)
    _, rule, name = score["layer"]
    assert (rule["mark"]["type"], name["mark"]["type"], name["mark"]["color"]) == ("rule", "text", "#123456")
    assert score["datasets"][name["data"]["name"]] == [{"mark": 99.0, "name": "goal 99%"}]


@pytest.mark.parametrize("picked", [0, 7, 11, 29])
def test_frames_are_few_and_have_first_last_and_picked(picked: int) -> None:
    frames = chosen_frames(list(range(0, 300, 10)), picked)
    assert len(frames) == FRAMES and frames == sorted(frames)
    assert {0, 29, picked} <= set(frames)
    assert chosen_frames([0, 5], 1) == [0, 1]


def test_small_pictures_show_weights_and_no_token() -> None:
    traces = [(step, trace(step)) for step in (0, 50)]
    text = "".join(picture for _, picture in frames(traces, 1, "step {step}"))
    assert "script" not in text and "amp" not in text
    weight = traces[1][1].attention[0].weights[-1].mean(0)[0, 0]
    assert f"{0.05 + 0.95 * weight:.2f}) 0.0%" in text
    assert text.count("currentColor") == 1


def test_the_animation_is_an_svg_whose_last_frame_is_the_last_trace() -> None:
    traces = [(step, trace(step)) for step in (0, 50, 1000)]
    tree = ElementTree.fromstring(animation(traces, "<b>", "step {step}"))
    cells = [rect for rect in tree.iter(f"{SVG}rect") if rect.find(f"{SVG}animate") is not None]
    assert len(cells) == 6
    expected = traces[-1][1].attention[0].weights[-1].mean(0).ravel()
    assert [float(rect.attrib["fill-opacity"]) for rect in cells] == pytest.approx(expected.tolist(), abs=1e-3)
    animate = cells[0].find(f"{SVG}animate")
    assert len(animate.attrib["values"].split(";")) == 3
    words = [text.text for text in tree.iter(f"{SVG}text")]
    assert words[:4] == ["<b>", "step 0", "step 50", "step 1,000"]
    assert words[4:] == ["<script>", "b", "<eos>", "&amp;", "<eos>"]


def test_percentages_that_were_measured_are_lines_of_one_picture() -> None:
    events = [
        {"event": "validation", "step": step, "loss": 1.0, "score": step, "old_score": 100.0 - step} for step in (2, 4)
    ]
    events[1]["alignment_error"] = 5.5
    names = {"score": "BLEU", "alignment_error": "error", "old_score": "kept"}
    chart = score_curve(learning_table(events), "dot", 10, names, "step", (90.0, "goal")).to_dict()
    rows = {
        (row["step"], row["name"], row["percent"])
        for data in chart["datasets"].values()
        for row in data
        if "step" in row
    }
    assert rows == {(2, "BLEU", 2), (4, "BLEU", 4), (4, "error", 5.5), (2, "kept", 98), (4, "kept", 96)}
    assert chart["layer"][0]["encoding"]["color"]["scale"]["domain"] == ["BLEU", "error", "kept"]
    assert len(chart["layer"]) == 3  # with the goal and its name
    alone = learning_table([{**event, "old_score": None, "alignment_error": None} for event in events])
    line = score_curve(alone, "dot", 10, names, "step").to_dict()["layer"][0]["encoding"]
    assert line["color"]["legend"] is None and line["y"]["axis"]["title"] == "BLEU"


@pytest.mark.parametrize(("last", "place"), [(0.1, 0), (0.9, 182)])
def test_the_end_is_marked_and_its_words_stand_where_the_curve_does_not(last: float, place: int) -> None:
    table = pd.DataFrame({"step": [1, 50, 90], "learning_rate": [0.2, 1.0, last]})
    chart = schedule_curve(table, "step", "rate", "ends there", "#123456").to_dict()
    line, dot, words = chart["layer"]
    assert [row["learning_rate"] for row in chart["datasets"][line["data"]["name"]]] == [0.2, 1.0, last]
    assert dot["transform"] == [{"filter": "(datum.step === 90)"}]
    assert words["encoding"]["y"] == {"value": place}
    (row,) = chart["datasets"][words["data"]["name"]]
    assert row["end"] == "ends there" and row["step"] == 90
