"""The guided tours: on every page six to ten sentences, true of the screen for any question."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from nmtcore.analysis.head_statistics import entropy, lowest_head
from nmtcore.config import DecodingConfig
from nmtcore.figures.text import signed
from nmtcore.models import checkpoint
from nmtcore.text.words import name_at
from pages.common import registry
from pages.transformer.state import TransformerState
from tests.helpers import translate
from tests.pages.helpers import component_data, components, opened, said

LONG = "I told him that I did not want to go, but he did not believe me."
INPUTS: tuple[dict[str, str], ...] = (
    {},
    {"text": "!", "beam": "1"},
    {"text": LONG, "beam": "2"},
    {"pair": "zh-en", "text": "三本书。"},
    {"text": "<eos> ▁ 🐕"},
)
ATTENDS = r"For “(.+)” {} puts (most|the largest part) of its attention, (\d\.\d\d), on “(.+)”\."
OWN = ("finetune", "corpus")  # one has tests of its own, the other is a tool and has no tour
PAGES = tuple(entry.name for entry in registry.PAGES if entry.offers and entry.name not in OWN)


def steps(at: AppTest) -> list[dict[str, Any]]:
    said(at)
    found: list[dict[str, Any]] = component_data(at, "tour")["steps"]
    return found


@pytest.mark.parametrize(
    ("page", "query"),
    [
        *((page, query) for page in PAGES for query in INPUTS),
        *(("transformer", {"pane": pane}) for pane in TransformerState.parameters()["pane"].to_json()["options"]),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value.values()),
)
def test_a_tour_has_six_to_ten_sentences(model_directory: Path, page: str, query: dict[str, str]) -> None:
    at = opened(page, **query)
    found = steps(at)
    (held,) = holders(at._tree, "tour")
    assert not [key for key in held if "-section-" in key], "its steps hide sections, so it stands in none"
    assert 6 <= len(found) <= 10
    for step in found:
        assert step["targets"], step["says"]
        assert step["says"].endswith((".", "”.")) and "{" not in step["says"]
        known = {parameter.name: parameter for parameter in registry.entry(page).state.parameters().values()}
        for name, text in step["shows"].items():
            assert text is None or known[name].parse(text) is not None, step
    assert len({step["says"] for step in found}) == len(found)


def holders(block: Block, name: str, inside: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The ids of the containers around each component of this name, from the outermost."""
    for child in block.children.values():
        if isinstance(child, Block):
            yield from holders(child, name, (*inside, getattr(child.proto, "id", "")))
        elif child.type == "bidi_component" and child.proto.component_name == name:
            yield inside


@pytest.mark.parametrize("text", ["A big dog, a big car.", "!"])
def test_the_largest_weight_of_a_step_is_said_as_the_model_has_it(model_directory: Path, text: str) -> None:
    at = opened("translate", text=text, beam="3")
    (told,) = [step for step in steps(at) if "Additive puts" in step["says"]]
    found = re.fullmatch(ATTENDS.format("Additive"), told["says"])
    picked = re.fullmatch(r"1\.t(\d+)", told["shows"]["pick"])
    assert found and picked, told
    model = checkpoint.load(model_directory / "en-fr" / "additive")
    trace = translate(model, text, DecodingConfig(3))
    cross = trace.known_attention("cross")
    row = cross.weights[0, 0, int(picked[1])]
    assert name_at(trace.target, int(picked[1])) == found[1]
    assert f"{max(row):.2f}" == found[3]
    assert name_at(trace.source, list(row).index(max(row))) == found[4]
    assert (found[2] == "most") == (max(row) > 0.5)


@pytest.mark.parametrize("page", ["additive", "dot"])
def test_the_walkthrough_is_brought_to_the_word_that_its_tour_quotes(model_directory: Path, page: str) -> None:
    at = opened(page, text="A big dog, a big car.")
    about = [step for step in steps(at) if step["shows"]]
    picture = component_data(at, "walkthrough")
    assert [step["shows"]["decoder-step"].split(".")[1] for step in about] == ["1", "1", "2", "3", "5", "6"]
    (word,) = {int(step["shows"]["decoder-step"].split(".")[0]) for step in about}
    trace = translate(checkpoint.load(model_directory / "en-fr" / page), "A big dog, a big car.", DecodingConfig(5))
    scores, weights = (picture[name][word - 1] for name in ("scores", "weights"))
    best = weights.index(max(weights))
    __, asks, fits, attends, __, written = (step["says"] for step in about)
    assert f"word {word}, “{name_at(trace.target, word - 1)}”" in asks
    source = name_at(trace.source, best)
    assert f"“{source}”: β = {signed(scores[best])}." in fits and max(scores) == scores[best]
    says = re.fullmatch(ATTENDS.format("the model"), attends)
    assert says and (says[1], says[4]) == (name_at(trace.target, word - 1), source)
    assert says[3] == f"{max(weights):.2f}"
    probabilities = sorted((p for __, p, __ in picture["candidates"][word - 1]), reverse=True)
    quoted = [float(number) for number in re.findall(r"\d\.\d\d", written)]
    assert (
        quoted == pytest.approx(probabilities[:2], abs=0.0051) or quoted[0] <= quoted[1]
    )  # a beam took a less likely one


def test_the_heads_that_a_tour_compares_are_enlarged(model_directory: Path) -> None:
    found = [step for step in steps(opened("transformer", text="A big dog, a big car.")) if "head" in step["shows"]]
    assert len(found) == 5 and all(step["shows"]["pane"] is None for step in found)
    (narrowest,) = [step for step in found if "entropy" in step["says"]]
    model = checkpoint.load(model_directory / "en-fr" / "transformer")
    trace = translate(model, "A big dog, a big car.", DecodingConfig(5))
    cross = entropy(trace.attention_of("cross"))
    layer, head = lowest_head(cross)
    assert narrowest["shows"]["head"] == f"cross.{layer + 1}.{head + 1}"
    assert f"{cross.min():.1f} bits" in narrowest["says"]


def test_only_what_is_there_is_spoken_of(own_model_directory: Path) -> None:
    for architecture in ("additive", "dot", "transformer"):
        shutil.rmtree(own_model_directory / "en-fr" / architecture)
    at = opened("translate", text="A dog.")
    found = component_data(at, "tour")["steps"]
    assert 6 <= len(found) <= 10
    says = " ".join(step["says"] for step in found)
    assert "one vector" in says and "attention" not in says.replace("No attention", "") and "frame" not in says


def test_a_page_without_an_answer_has_no_tour(model_directory: Path) -> None:
    at = opened("translate", text="word " * 130)
    at.text_input(key="text").set_value("").run()
    assert components(at, "tour") == []


@pytest.mark.parametrize("beam", ["1", "4"])
def test_the_score_of_the_winner_follows_from_its_neighbours(model_directory: Path, beam: str) -> None:
    says = [step["says"] for step in steps(opened("beam", text="A big dog.", model="dot", beam=beam, alpha="1.2"))]
    score = re.search(r"score than its (−?[\d.]+)\.", " ".join(says))
    parts = re.search(r"log P of (−?[\d.]+) and its length, (\d+) piece", " ".join(says))
    assert score and parts
    s, total = (float(part.replace("−", "-")) for part in (score[1], parts[1]))
    assert s == pytest.approx(total / ((5 + int(parts[2])) ** 1.2 / 6**1.2), abs=0.02)
    assert any("is greedy search" in sentence for sentence in says) == (beam == "1")


def test_the_tree_is_brought_to_the_penalties_and_the_step_of_a_sentence(model_directory: Path) -> None:
    found = steps(opened("beam", text="A big dog.", model="dot", alpha="1.2", **{"search-step": "3"}))
    winner, first = found[3], found[2]
    assert winner["shows"] == {"alpha": "1.2", "beta": None}
    assert first["shows"]["search-step"] == "1" and first["shows"]["later"] == "shown"


def test_the_least_likely_piece_and_that_for_which_most_is_kept_are_brought(model_directory: Path) -> None:
    page = opened("no_attention")
    (found,) = [step for step in steps(page) if "least sure" in step["says"]]
    number = int(found["shows"]["decoder-step"] or 1)
    picture = component_data(page, "context_vector")
    assert picture["probabilities"][number - 1] == min(picture["probabilities"])
    assert f"{min(picture['probabilities']):.2f}." in found["says"]
    (found,) = [step for step in steps(page) if "keeps more of the old" in step["says"]]
    means = picture["gates"]["means"]["z"]
    assert means[int(found["shows"]["decoder-step"] or 1) - 1] == max(means)
    assert f"{max(means):.2f} on average" in found["says"]
