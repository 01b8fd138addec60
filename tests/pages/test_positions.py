"""The Positions page with a tiny Transformer: it opens, breaks the model, and says in a sentence what it cannot do."""

import base64
import dataclasses
import html
import itertools
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis import positional_encodings
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


@pytest.mark.parametrize("pair", ["en-fr", "zh-en"])
def test_it_opens_with_every_figure(page: AppTest, pair: str) -> None:
    page.query_params.clear()
    page.query_params["pair"] = pair
    assert set(saved_figures(page.run())) == FIGURES
    assert len(results(page)) == 4


def test_without_positions_shuffling_changes_nothing(page: AppTest) -> None:
    figures = saved_figures(page.run())

    def moved(key: str) -> list[float]:
        return [float(row.rsplit(",", 1)[1]) for row in figures[key]["csv"].splitlines()[1:]]

    assert len(moved("moved-kept")) == len(moved("moved-removed"))
    assert not any("\u2581" in figures[key]["csv"] for key in FIGURES), "pieces as people read them"
    assert max(moved("moved-removed")) < 1e-4 < 1e-2 < max(moved("moved-kept"))
    assert "the same, word for word" in results(page)[3]
    assert "**Positions of the source removed**" in words(page)
    assert re.search(r"No number changes by more than \*\*\d\.\d·10⁻[⁵⁶⁷⁸]\*\*", words(page))


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


def test_what_the_outputs_do_is_said_of_the_order_on_the_screen(page: AppTest) -> None:
    assert "the outputs change" in words(page.run())
    page.segmented_control(key="shuffle").set_value(0).run()  # one's own: at first that of the sentence
    assert "nothing changes with positions either" in words(page) and "the outputs change" not in words(page)


def test_an_empty_translation_is_said_to_be_one(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = models.ask
    monkeypatch.setattr(models, "ask", lambda asked: [dataclasses.replace(found, text="") for found in ask(asked)])
    page.run()
    assert all("(nothing)" in line for line in results(page)[1:])


def test_a_sentence_that_needs_no_positions_is_compared_with_one_that_does(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = models.ask
    monkeypatch.setattr(models, "ask", lambda asked: [dataclasses.replace(found, text="Oui.") for found in ask(asked)])
    asks = [" the same as with positions: try “" in line for line in results(page.run())]
    assert asks == [False, False, True, False]
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
        assert (
            max(float(row.rsplit(",", 1)[1]) for row in saved_figures(page)["moved-removed"]["csv"].split()[1:]) < 1e-4
        )
    assert page.query_params["removed"] in ("both", ["both"])


def test_the_turn_has_the_table_of_the_live_model(page: AppTest, model_directory: Path) -> None:
    record = component_data(page.run(), "rotation")
    sent = np.frombuffer(base64.b64decode(record["values"]), "<f4").reshape(record["rows"], record["width"])
    table = positional_encodings.position_table(
        checkpoint.load(model_directory / "en-fr" / "transformer"), record["rows"]
    )
    np.testing.assert_array_equal(sent, table.sinusoids)
    assert record["last"] == {"i": record["width"] // 2 - 1, "position": record["rows"] - 33, "k": 32}
    assert record["tokens"][-1] == "<eos>"
    positions, rates = np.arange(record["rows"])[:, None], np.array(record["rates"])
    np.testing.assert_allclose(sent[:, 0::2], np.sin(positions * rates), atol=1e-5)


def test_a_learned_table_stands_beside_the_waves(page: AppTest, own_model_directory: Path) -> None:
    rebuild(own_model_directory / "en-fr" / "transformer", positions="learned", max_positions=200)
    page.run()
    assert "This model learned its positions" in words(page)
    assert set(saved_figures(page)) == FIGURES


def test_the_formula_is_that_of_the_live_model(page: AppTest, own_model_directory: Path) -> None:
    def shown() -> str:
        assert words(page.run())
        return "\n".join(element.value for element in (*page.latex, *page.header))

    assert r"h_{pos}=\sqrt{d}\,e(x_{pos})+PE(pos)" in shown()
    folder = own_model_directory / "en-fr" / "transformer"
    rebuild(folder, scale_embedding=False, concatenate_positions=True)
    again = shown()
    assert r"h_{pos}=[e(x_{pos});\,PE(pos)]\,W" in again and "+PE(pos)" not in again
    assert "What is put beside each word?" in again


def test_a_model_without_positions_says_so(page: AppTest, own_model_directory: Path) -> None:
    rebuild(own_model_directory / "en-fr" / "transformer", positions="none")
    page.run()
    assert "This model has no positions" in words(page)


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


def test_a_piece_leads_to_its_nearest_ones_on_the_page_of_the_model(page: AppTest) -> None:
    page.run()
    drawn = [link for data in components(page, "navigation") for link in data["links"]]
    links = [link for link in drawn if "vectors" in link["asked"]]
    assert component_data(page, "scroll_here") == {"links": True}
    place = len(links) - 2
    assert links[place]["address"] == "./transformer"
    query = links[place]["asked"]
    assert query == {"pair": "en-fr", "text": TEXT, "beam": "1", "vectors": f"s{place}"}
    assert component_data(opened("transformer", **query), "embeddings")["picked"] == {"side": "s", "position": place}


def test_it_opens_with_a_sentence_that_hangs_on_the_order(page: AppTest) -> None:
    del page.query_params["text"]
    assert page.run().text_input(key="text").value == example_sentences("en-fr")[ORDER].text
