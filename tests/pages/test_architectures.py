"""The page Architectures: every figure of its table recomputed, the times when asked for, any two models."""

import html
import json
import re
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis import speed
from nmtcore.analysis.costs import count
from nmtcore.analysis.larger_models import LARGER
from nmtcore.config import DecodingConfig, RecurrentConfig, TransformerConfig
from nmtcore.models import checkpoint
from nmtcore.serving.request import Answer, DecodeRequest
from nmtcore.text.diff import word_diff
from pages.architectures.cost_table import COMING, UNKNOWN, Cell, Row, costs_html
from pages.architectures.receptive_field import followed
from pages.architectures.state import ArchitecturesState
from pages.common import models
from pages.common.i18n import title
from tests.helpers import WORD_BY_WORD, translate
from tests.pages.helpers import add_meta, cells, component_data, opened, press, said, saved_figures

TEXT = "the small cat sees a red house ."
TITLES = [title(architecture) for architecture in WORD_BY_WORD]


def tables(at: AppTest) -> list[str]:
    """The table of costs, and that of the two models."""
    assert not at.exception, at.exception
    return [e.proto.body for e in at.get("html") if 'class="costs"' in e.proto.body]


def rows(at: AppTest) -> list[list[str]]:
    """The cells of the table of costs, with their small text after a bar."""
    table, _two = tables(at)
    found = cells(table.partition("<tbody>")[2].replace("<small>", "|"))
    return [[html.unescape(re.sub(r"<[^>]*>", "", cell)) for cell in row] for row in found]


def test_every_figure_of_the_table_once_more(own_model_directory: Path) -> None:
    add_meta(
        own_model_directory / "en-fr" / "dot",
        scores={"bleu": 44.453},
        alignments={"best": {"aer": 0.098}},
        robustness={"right": 0.3067},
        trained={"seconds": 955, "begun": {"seconds": 2106}, "hardware": "Xeon, 2 threads, torch 2.13.0"},
    )
    at = opened("architectures", text=TEXT, **{"left-model": "dot", "right-model": "none"})
    table = rows(at)
    assert [row[0] for row in table] == TITLES
    for row, architecture in zip(table, WORD_BY_WORD, strict=True):
        loaded = checkpoint.load(own_model_directory / "en-fr" / architecture)
        numel = sum(parameter.numel() for parameter in loaded.model.parameters())
        trace = translate(loaded, TEXT, DecodingConfig(5))
        source, target = len(trace.source), len(trace.target)
        counted = count(loaded.config, source, target)
        assert row[1:3] == [f"{numel / 1e6:,.1f}", f"{2 * numel / 1e6:,.1f}"]
        assert row[3] == f"{counted.total / 1e6:.2g}"
        assert row[4].startswith(f"{counted.sequential_training:,}|O(")
        assert row[5] == f"{counted.sequential_decoding:,}|O(n)"
        if isinstance(loaded.config, RecurrentConfig | TransformerConfig):
            recurrent = isinstance(loaded.config, RecurrentConfig)
            assert row[4].endswith("|O(n)" if recurrent else "|O(1)")
            assert row[6] == (f"{source}|O(n)" if recurrent else "1|O(1)")
        assert all(re.fullmatch(r"\d+", cell) for cell in row[7:9])
        assert row[9:] == (["44.5", "0.098", "31%", "0.9", "17"] if architecture == "dot" else ["–"] * 5)

    whole, two = tables(at)
    for column in range(3):  # a bar is as long as its figure
        drawn = [re.findall(r'data-value="([^"]*)" style="--share: ([^%]*)%', row) for row in whole.split("<tr ")[2:]]
        values, shares = zip(*((float(found[column][0]), float(found[column][1])) for found in drawn), strict=True)
        assert [share / 100 for share in shares] == pytest.approx([value / max(values) for value in values], abs=6e-4)
    dot, none = (checkpoint.load(own_model_directory / "en-fr" / name).model for name in ("dot", "none"))
    ratio = sum(p.numel() for p in none.parameters()) / sum(p.numel() for p in dot.parameters())
    _, _, last = two.partition('class="ratios"')
    assert re.findall(r"<td[^>]*>(.*?)</td>", last)[:2] == ["No attention / Dot", f"× {ratio:.2g}"]
    assert COMING not in two  # measured as those of the whole table are
    (history,) = [m.value for m in at.markdown if "GNMT, 8 + 8" in m.value]
    for source in ("Jean et al. 2015", "Wu et al. 2016", "Gehring", "Vaswani", "Shaw", "Ghazvininejad"):
        assert source in history


def test_multiples_round_a_half_up_and_keep_whole_digits() -> None:
    cells = [[Cell("", value) for value in values] for values in ((8.0, 1.0, 0.0), (1.0, 130.4, 1.0))]
    rows = [Row(name, name, "red", figures) for name, figures in zip("ab", cells, strict=True)]
    _, _, last = costs_html(rows, ratio=True).partition('class="ratios"')
    assert re.findall(r"<td[^>]*>(.*?)</td>", last)[1:] == ["× 0.13", "× 130", UNKNOWN]


def test_larger_models_are_counted_when_asked_and_marked(
    model_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.architectures.cost_table.LARGER", LARGER[:1])
    at = opened("architectures", text=TEXT)
    assert len(rows(at)) == len(TITLES)
    press(at, "larger models")
    *_ours, note, base = rows(at)
    assert note == ["Not trained here: counted from the configurations of the papers, without weights"]
    assert base[:3] == ["Transformer, base", "63.1", "126.2"] and base[6:] == ["1|O(1)", *["–"] * 7]
    assert at.query_params["larger"] in ("shown", ["shown"])


def test_times_are_measured_when_asked_and_kept_for_the_next(
    own_model_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.architectures.time_by_length.LENGTHS", (2, 5))
    measured = []
    quick = speed.measure

    def once(model: object, ids: object, length: int, *, rounds: int) -> speed.Speed:
        measured.append(length)
        return quick(model, ids, length, 1, rounds=rounds)  # type: ignore[arg-type]

    monkeypatch.setattr("pages.architectures.time_by_length.measure", once)
    at = opened("architectures", text=TEXT)
    assert not [key for key in saved_figures(at) if key.startswith("speed")] and measured == []
    at.button(key="measure speed").click().run()
    assert measured == [2, 5] * len(TITLES)
    figures = saved_figures(at)
    assert {key for key in figures if key.startswith("speed")} == {"speed-encode", "speed-decode"}
    header, *lines = figures["speed-encode"]["csv"].splitlines()
    assert header == "model,length,encode,encode theory,decode,decode theory"
    assert [line.split(",")[:2] for line in lines[:3]] == [
        *(["No attention", "2"], ["No attention", "5"], ["Additive", "2"])
    ]
    (crossing,) = [m.value for m in at.markdown if "Reading, measured" in m.value]
    assert (
        "One layer of Additive (n d², d = 18) and one of Transformer (n² d, d = 16) cost the same at n = 20;"
        in crossing
    )
    assert "with the layers of their encoders, 1 : 2, the dotted lines cross at n = 10." in crossing  # 18² / 16
    (theory,) = [caption.value for caption in at.caption if caption.value.startswith("In theory")]
    assert "n d²: No attention" in theory and "Additive (1 + 1 layers, d = 18)" in theory
    assert "; n² d: Transformer (2 + 3 layers, d = 16)" in theory
    k = checkpoint.read_config(own_model_directory / "en-fr" / "convolutional")[0].kernel  # type: ignore[attr-defined]
    assert f"k = {k})" in theory.partition("; k n d²: Convolutional (")[2]
    again = opened("architectures", text="a red cat")
    assert set(saved_figures(again)) == set(figures) and len(measured) == 2 * len(TITLES)
    again.button(key="measure again").click().run()
    again.button(key="measure speed").click().run()
    assert len(measured) == 4 * len(TITLES)


def test_any_two_are_compared_and_stand_in_the_link(model_directory: Path) -> None:
    at = opened("architectures", text=TEXT)
    panels = component_data(at, "alignment")["panels"]
    assert [panel["title"] for panel in panels] == ["Additive", "Transformer"]
    at.selectbox(key="left-model").set_value("none").run()
    assert at.query_params["left-model"] in ("none", ["none"])
    first, second = component_data(at, "alignment")["panels"]
    assert (first["title"], second["title"]) == ("No attention", "Transformer")
    assert first["translation"] != second["translation"]
    marked = word_diff(first["translation"], second["translation"])
    for panel, parts in zip((first, second), marked, strict=True):
        differing = {letter for text, other in parts if other for letter in text}
        shown = [text for text, word in panel["parts"] if word is not None and word in panel["underlined"]]
        assert all(differing & set(text) for text in shown) and panel["meaning"] == "note_differs"
    bodies = [e.proto.body for e in at.get("html")]
    assert not [body for body in bodies if "border-left: 4px" in body and 'class="costs"' not in body], "it stands once"
    at.selectbox(key="right-model").set_value("none").run()
    assert [panel["title"] for panel in component_data(at, "alignment")["panels"]] == ["No attention"]


def test_what_is_missing_or_damaged_is_said_and_the_rest_works(own_model_directory: Path) -> None:
    shutil.rmtree(own_model_directory / "en-fr" / "additive")
    (own_model_directory / "en-fr" / "dot" / "model.safetensors").write_bytes(b"no")
    at = opened("architectures", text=TEXT)
    assert [row[0] for row in rows(at)] == [name for name in TITLES if name not in ("Additive", "Dot")]
    assert len(said(at)) == 2 and "en-fr/additive" in said(at)[0] and "model.safetensors" in said(at)[1]
    for file in (own_model_directory / "en-fr").glob("*/model.safetensors"):
        file.write_bytes(b"no")
    assert not tables(opened("architectures", text=TEXT))


def test_the_receptive_field_of_a_word_stands_in_the_link(own_model_directory: Path) -> None:
    at = opened("architectures", text=TEXT, sees="2")
    header, *lines = saved_figures(at)["receptive-field"]["csv"].splitlines()
    assert header == "layer,seen,first,last"
    layers = checkpoint.load(own_model_directory / "en-fr" / "convolutional").config.encoder_layers  # type: ignore[attr-defined]
    assert [int(line.split(",")[1]) for line in lines] == [
        2 + layers - layer if layer < layers else 1 for layer in range(layers + 1)
    ]
    (picture,) = (json.loads(e.proto.spec) for e in at.get("plotly_chart") if "words" in e.proto.spec)
    names = [option.partition(" ")[2] for option in at.selectbox(key="sees").options]
    assert lines[0].split(",")[2:] == [names[0], names[1 + layers]]
    assert [html.unescape(name) for name in picture["layout"]["xaxis"]["ticktext"]] == names
    at.selectbox(key="sees").set_value(1).run()
    assert at.query_params["sees"] in ("1", ["1"])
    assert any("does not have" in sentence for sentence in said(opened("architectures", text=TEXT, sees="99")))
    shutil.rmtree(own_model_directory / "en-fr" / "convolutional")
    assert "receptive-field" not in saved_figures(opened("architectures", text=TEXT))


def test_times_are_measured_one_after_another_when_the_page_stands(
    own_model_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[DecodeRequest] = []
    decode_here = models.SERVICE.decode

    def decoded(request: DecodeRequest) -> Answer:
        made.append(request)
        return len(made) / 1000 if request.timed else decode_here(request)

    monkeypatch.setattr(models.SERVICE, "decode", decoded)
    monkeypatch.setattr("pages.architectures.results.crowded", lambda: True)
    assert [row[7:9] for row in rows(opened("architectures", text=TEXT))] == [["…", "…"]] * len(TITLES)
    assert not [request for request in made if request.timed], "others wait for their sentences"
    first = len(made)
    monkeypatch.setattr("pages.architectures.results.crowded", lambda: False)
    table = rows(opened("architectures", text=TEXT))
    assert all(request.timed for request in made[first:]), "the records are known"
    assert [request.decoding.beam for request in made[first:]] == [1, 5] * len(TITLES)  # type: ignore[union-attr]
    assert [cell for row in table for cell in row[7:9]] == [str(n) for n in range(first + 1, len(made) + 1)]
    known = len(made)
    assert rows(opened("architectures", text=TEXT)) == table and len(made) == known, "once for the server"


def test_the_state_has_models_that_fit_its_choice_and_a_word_of_its_sentence(own_model_directory: Path) -> None:
    texts = {"left-model": "dot", "right-model": "transformer", "sees": "3", "non-autoregressive": "dot"}
    asked = ArchitecturesState.parse(texts)
    state, notes = asked.settled(())
    assert (state.left, state.right, state.non_autoregressive) == ("dot", "", ""), "what is usual is left out"
    assert not notes, "no section shows rounds"
    assert state.changed(left="none").stale(state) == ()
    assert state.changed(typed="a dog").stale(state) == state.changed(choice="zh-en").stale(state) == ("sees",)
    assert [followed(state, count) for count in (2, 3, 8)] == [0, 2, 2] and followed(ArchitecturesState(), 8) == 3
    shutil.rmtree(own_model_directory / "zh-en" / "convolutional")
    there = state.changed(left="convolutional").settled(())[0]
    assert there.left == "convolutional" and there.changed(choice="zh-en").settled(())[0].left == ""
