"""The Positions page with a tiny Transformer: it opens, breaks the model, and says in a sentence what it cannot do."""

import base64
import dataclasses
import html
import itertools
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis.positional_encodings import position_table
from nmtcore.config import DecodingConfig
from nmtcore.intervention import Intervention
from nmtcore.models import checkpoint
from nmtcore.views.rotation.data import limits
from pages.common import models
from pages.common.examples import ORDER, example_sentences
from pages.positions.state import PositionsState, first_pieces, own_order
from tests.helpers import translate
from tests.pages.helpers import add_meta, component_data, components, opened, rebuild, saved_figures

TEXT = "the small cat sees a red house ."
PAGE = f"positions?text={TEXT}&beam=1"
FIGURES = {"moved-kept", "moved-removed", "curves", "matrix", "dots", "wavelengths", "relative-1", "relative-2"}


def words(at: AppTest) -> str:
    assert not at.exception, at.exception
    return "\n".join(element.value for element in (*at.text, *at.markdown, *at.caption))


def results(at: AppTest) -> list[str]:
    return [element.proto.body for element in at.get("html") if "border-left" in element.proto.body]


def moved(at: AppTest, key: str) -> list[float]:
    return [float(row.rsplit(",", 1)[1]) for row in saved_figures(at)[key]["csv"].splitlines()[1:]]


def test_without_a_sentence_it_opens_with_one_that_hangs_on_the_order(page: AppTest) -> None:
    del page.query_params["text"]
    for pair in ("en-fr", "zh-en"):
        page.query_params["pair"] = pair
        assert set(saved_figures(page.run())) == FIGURES and len(results(page)) == 4
        assert page.text_input(key="text").value == example_sentences(pair)[ORDER].text


def test_without_positions_shuffling_changes_nothing(page: AppTest, model_directory: Path) -> None:
    figures = saved_figures(page.run())
    assert len(moved(page, "moved-kept")) == len(moved(page, "moved-removed"))
    assert not any("\u2581" in figures[key]["csv"] for key in FIGURES), "pieces as people read them"
    assert max(moved(page, "moved-removed")) < 1e-4 < 1e-2 < max(moved(page, "moved-kept"))
    assert ["the same, word for word" in line for line in results(page)] == [False, False, False, True]
    assert "**Positions of the source removed**" in words(page) and "the outputs change" in words(page)
    assert re.search(r"No number changes by more than \*\*\d\.\d·10⁻[⁵⁶⁷⁸]\*\*", words(page))

    record = component_data(page, "rotation")
    sent = np.frombuffer(base64.b64decode(record["values"]), "<f4").reshape(record["rows"], record["width"])
    table = position_table(checkpoint.load(model_directory / "en-fr" / "transformer"), record["rows"])
    np.testing.assert_array_equal(sent, table.sinusoids)
    assert record["last"] == {"i": record["width"] // 2 - 1, "position": record["rows"] - 33, "k": 32}
    assert record["tokens"][-1] == "<eos>"
    positions, rates = np.arange(record["rows"])[:, None], np.array(record["rates"])
    np.testing.assert_allclose(sent[:, 0::2], np.sin(positions * rates), atol=1e-5)

    drawn = [link for data in components(page, "navigation") for link in data["links"]]
    links = [link for link in drawn if "vectors" in link["asked"]]
    assert component_data(page, "scroll_here") == {"links": True}
    place = len(links) - 2
    assert links[place]["address"] == "./transformer"
    query = links[place]["asked"]
    assert query == {"pair": "en-fr", "text": TEXT, "beam": "1", "vectors": f"s{place}"}
    assert component_data(opened("transformer", **query), "embeddings")["picked"] == {"side": "s", "position": place}


def test_another_shuffle_is_another_order(page: AppTest) -> None:
    orders = set()
    for seed in (1, 2, 3):
        page.query_params["shuffle"] = str(seed)
        page.run()
        page.segmented_control(key="shuffle").set_value(seed).run()
        orders.add(page.text[1].value)
        assert sorted(page.text[1].value.split()) == sorted(page.text[0].value.split())
    assert len(orders) == 3


def test_an_order_of_ones_own_is_in_the_link(page: AppTest) -> None:
    page.run()
    page.segmented_control(key="shuffle").set_value(0).run()
    pieces = page.text[0].value.split()
    assert page.text[1].value.split() == pieces, "nothing is moved yet"
    assert "nothing changes with positions either" in words(page) and "the outputs change" not in words(page)
    page.query_params["order"] = "5.2"
    page.run()
    assert page.text[1].value.split() == [pieces[4], pieces[1], pieces[0], *pieces[2:4], *pieces[5:]]
    assert page.query_params["shuffle"] in ("0", ["0"]) and page.query_params["order"] in ("5.2", ["5.2"])
    again = opened("positions", text=TEXT, beam="1", shuffle="0", order="5.5.900.2.1")
    assert again.text[1].value == page.text[1].value, "a piece once, and those that are there"
    assert results(again) == results(page)
    assert again.query_params["order"] == "5.900.2", "as few pieces as say the whole order"


def test_an_order_names_as_few_pieces_as_say_all_of_it() -> None:
    for order in itertools.permutations(range(4)):
        codes = first_pieces(order)
        assert own_order(codes, 4) == order
        assert not codes or own_order(codes[:-1], 4) != order
        assert PositionsState.parse({"order": ".".join(str(piece + 1) for piece in order)}).order == codes
    assert own_order(("9", "2"), 3) == (1, 0, 2)
    state = PositionsState.parse({"order": "2", "text": "a red cat"})
    assert state.changed(typed="a dog").stale(state) == ("order",) and state.changed(beam=2).stale(state) == ()


def test_what_the_table_of_a_link_lacks_is_said() -> None:
    found = limits(positions=32, width=16, max_distance=20)
    asked = {"i": "8", "position": "31", "k": "21"}  # 8 is the usual pair, which this table lacks
    assert PositionsState.parse(asked).beyond(found) == ("The link asked for k = 21; it can be 1 to 20.",)
    (said,) = PositionsState.notes({"position": "x", "k": "1"})
    assert said == "The link asks for position 'x', which is not one of 0, 1, 2, …: the usual one is shown."


@pytest.mark.parametrize("text", ["", "Oui."])
def test_translations_that_are_all_alike(page: AppTest, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    ask = models.ask
    monkeypatch.setattr(models, "ask", lambda asked: [dataclasses.replace(found, text=text) for found in ask(asked)])
    lines = results(page.run())
    assert all((text or "(nothing)") in line for line in lines[1:])
    compared = [" the same as with positions: try “" in line for line in lines]
    assert compared == [False, False, True, False], "with a sentence that needs positions"
    del page.query_params["text"]
    assert not any("the same as with positions" in line for line in results(page.run())), "this is the one"


def test_positions_of_the_target_are_removed(page: AppTest, model_directory: Path) -> None:
    own = results(page.run())
    model = checkpoint.load(model_directory / "en-fr" / "transformer")
    for side, change in (
        ("target", Intervention(target_positions="dropped")),
        ("both", Intervention(positions="dropped", target_positions="dropped")),
    ):
        page.segmented_control(key="removed").set_value(side).run()
        expected = translate(model, TEXT, DecodingConfig(1), change)
        third = results(page)[2]
        assert ("positions of the target removed" in third) == (side == "target")
        assert expected.text in html.unescape(third)
        assert results(page)[:2] == own[:2]
        assert max(moved(page, "moved-removed")) < 1e-4
    assert page.query_params["removed"] in ("both", ["both"])


@pytest.mark.parametrize(
    ("settings", "says", "formula"),
    [
        ({}, "What is added to each word?", r"h_{pos}=\sqrt{d}\,e(x_{pos})+PE(pos)"),
        ({"positions": "learned", "max_positions": 200}, "This model learned its positions", "+PE(pos)"),
        ({"positions": "none"}, "This model has no positions", "+PE(pos)"),
        (
            {"scale_embedding": False, "concatenate_positions": True},
            "What is put beside each word?",
            r"h_{pos}=[e(x_{pos});\,PE(pos)]\,W",
        ),
    ],
)
def test_the_table_and_its_formula_are_those_of_the_live_model(
    page: AppTest, own_model_directory: Path, settings: dict[str, Any], says: str, formula: str
) -> None:
    rebuild(own_model_directory / "en-fr" / "transformer", **settings)
    shown = [words(page.run()), *(element.value for element in (*page.latex, *page.header))]
    assert set(saved_figures(page)) == FIGURES
    assert any(says in text for text in shown) and any(formula in text for text in shown)
    assert any("+PE(pos)" in text for text in shown) == ("+PE(pos)" in formula)


def test_the_curves_of_a_relative_model_are_drawn_where_there_is_one(page: AppTest, own_model_directory: Path) -> None:
    asked = "What does a head add for the distance alone?"
    assert asked in [header.value for header in page.run().header]
    assert "every distance up to 3" in " ".join(text.value for text in page.markdown)
    shutil.rmtree(own_model_directory / "en-fr" / "relative")
    assert asked not in [header.value for header in page.run().header]


def test_long_sentences_of_both_cards_stand_beside_one_another(page: AppTest, own_model_directory: Path) -> None:
    asked = "Which of them holds up on long sentences?"
    assert asked not in [header.value for header in page.run().header], "no card has scores by length"
    for name, bleu in (("transformer", 41.2), ("relative", 44.8)):
        rows = [
            {"low": low, "high": high, "items": 100, "bleu": b, "chrf": b, "bleu_low": b - 1, "bleu_high": b + 1}
            for low, high, b in ((1, 5, 50.0), (31, 50, bleu))
        ]
        add_meta(own_model_directory / "en-fr" / name, by_length=rows)
    page.run()
    assert asked in [header.value for header in page.header]
    expected = "On sentences of 31–50 words Relative has BLEU 44.8 and Transformer 41.2: their intervals are apart."
    assert expected in [text.value for text in page.markdown]
