"""The guided tours: on every page six to ten sentences, true of what is on the screen, whatever was asked."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.config import DecodingConfig
from nmtcore.decoding import decode
from nmtcore.models import checkpoint
from nmtcore.text.words import name_at
from pages.common import registry
from tests.pages.helpers import component_data, components, opened, said

LONG = "I told him that I did not want to go, but he did not believe me."
INPUTS: tuple[dict[str, str], ...] = (
    {},
    {"text": "Dog."},
    {"text": "!", "beam": "1"},
    {"text": LONG, "beam": "2"},
    {"pair": "zh-en", "text": "三本书。"},
    {"text": "<eos> ▁ 🐕"},
)
PAGES = tuple(entry.name for entry in registry.PAGES if entry.name != "finetune")  # that one has tests of its own


def steps(at: AppTest) -> list[dict[str, Any]]:
    said(at)
    found: list[dict[str, Any]] = component_data(at, "tour")["steps"]
    return found


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("query", INPUTS, ids=lambda query: " ".join(query.values()) or "opening")
def test_a_tour_has_six_to_ten_sentences(shelf: Path, page: str, query: dict[str, str]) -> None:
    found = steps(opened(page, timeout=180, **query))
    assert 6 <= len(found) <= 10
    for step in found:
        assert step["targets"], step["says"]
        assert step["says"].endswith((".", "”.")) and "{" not in step["says"]
    assert len({step["says"] for step in found}) == len(found)


@pytest.mark.parametrize("pane", ["grid", "compare", "cell", "layer", "batch"])
def test_every_pane_of_the_transformer_has_its_tour(shelf: Path, pane: str) -> None:
    assert 6 <= len(steps(opened("transformer", pane=pane))) <= 10


@pytest.mark.parametrize("text", ["A big dog, a big car.", "!"])
def test_the_largest_weight_of_a_step_is_said_as_the_model_has_it(shelf: Path, text: str) -> None:
    at = opened("translate", text=text, beam="3")
    (sentence,) = [
        step["says"] for step in steps(at) if "attention" in step["says"] and "Additive wrote" in step["says"]
    ]
    found = re.fullmatch(r"At step (\d+) Additive wrote “(.+)”; .*, (\d\.\d\d), lies on “(.+)”\.", sentence)
    assert found, sentence
    model = checkpoint.load(shelf / "en-fr" / "additive")
    trace = decode.translate(model, text, DecodingConfig(3))
    cross = trace.attention_of("cross")
    assert cross is not None
    step = int(found[1])
    row = cross.weights[0, 0, step - 1]
    assert name_at(trace.target, step - 1) == found[2]
    assert f"{max(row):.2f}" == found[3]
    assert name_at(trace.source, list(row).index(max(row))) == found[4]
    assert ("most of its attention" in sentence) == (max(row) > 0.5)


def test_only_what_is_there_is_spoken_of(own_shelf: Path) -> None:
    for architecture in ("additive", "dot", "transformer"):
        shutil.rmtree(own_shelf / "en-fr" / architecture)
    at = opened("translate", text="A dog.")
    found = component_data(at, "tour")["steps"]
    assert 6 <= len(found) <= 10
    says = " ".join(step["says"] for step in found)
    assert "one vector" in says and "attention" not in says.replace("No attention", "") and "frame" not in says


def test_a_page_without_an_answer_has_no_tour(shelf: Path) -> None:
    at = opened("translate", text="word " * 130)
    at.text_input(key="text").set_value("").run()
    assert components(at, "tour") == []


@pytest.mark.parametrize("beam", ["1", "4"])
def test_the_score_of_the_winner_follows_from_its_neighbours(shelf: Path, beam: str) -> None:
    says = [step["says"] for step in steps(opened("beam", text="A big dog.", model="dot", beam=beam, alpha="1.2"))]
    score = re.search(r"its score s = (−?[\d.]+)\.", " ".join(says))
    parts = re.search(r"log P of (−?[\d.]+), divided by lp = ([\d.]+) for (\d+) piece", " ".join(says))
    assert score and parts
    s, total, lp = (float(part.replace("−", "-")) for part in (score[1], parts[1], parts[2]))
    assert lp == pytest.approx((5 + int(parts[3])) ** 1.2 / 6**1.2, abs=0.006)
    assert s == pytest.approx(total / lp, abs=0.02)
    assert any("is greedy search" in sentence for sentence in says) == (beam == "1")


def test_the_least_likely_piece_is_pointed_at_in_the_picture(shelf: Path) -> None:
    page = opened("no_attention")
    (found,) = [step for step in steps(page) if "least likely" in step["says"]]
    (number,) = re.findall(r"at step (\d+)", found["says"])
    picture = component_data(page, "context_vector")
    column = len(picture["source"]) + int(number)  # the encoder's states, C, and the states before it
    assert found["targets"][0]["part"] == f'[data-column="{column}"]'
