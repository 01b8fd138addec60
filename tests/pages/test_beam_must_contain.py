"""The Beam search page: words that the translation must contain, an acrostic, and what they cost."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.config import DecodingConfig
from nmtcore.figures.text import signed
from nmtcore.intervention import Intervention
from nmtcore.models.checkpoint import Checkpoint
from pages.beam.constraints import Constraint
from tests.helpers import translate
from tests.pages.helpers import component_data, page_at, said

TEXT = "a red cat"
PAGE = f"beam?text={TEXT}&model=transformer"


def captions(at: AppTest) -> str:
    return "\n".join(caption.value for caption in at.caption)


def test_typed_words_are_in_the_translation_and_their_cost_is_the_difference(page: AppTest, model: Checkpoint) -> None:
    at = page.run().text_input(key="contained words").set_value("chien, chat").run()
    assert not at.exception
    vocab = model.vocab
    asked = Intervention(contains=(tuple(vocab.encode("chien")), tuple(vocab.encode("chat"))))
    bound, free = (translate(model, TEXT, DecodingConfig(5), change) for change in (asked, Intervention()))
    data = component_data(at, "beam_tree")
    assert bound.text in {end["text"] for end in data["ends"]}
    assert [what["code"].split(".")[0] for what in data["whatifs"]] == ["has", "has"]
    cost = re.search(r"costs (\d+\.\d+) in log P: (−\d+\.\d+) instead of (−\d+\.\d+)", captions(at))
    assert cost is not None
    lost, now, before = (float(number.replace("−", "-")) for number in cost.groups())
    assert (now, before) == pytest.approx((bound.log_probability, free.log_probability), abs=5e-4)
    assert lost == pytest.approx(before - now, abs=6e-3)
    at.text_input(key="contained words").set_value("").run()
    assert component_data(at, "beam_tree")["whatifs"] == [] and "in log P" not in captions(at)


def test_the_cost_is_that_of_the_winners_for_the_penalties_of_the_tree(
    model_directory: Path, model: Checkpoint
) -> None:
    constraint = Constraint(phrase=tuple(model.vocab.encode("chien")))
    width, text = 10, "the cat"
    found = [
        translate(model, text, DecodingConfig(width), Intervention(contains=what))
        for what in ((constraint.phrase,), ())
    ]
    now, before = ([signed(trace.ranked(alpha, 0.0)[0].total, 3) for trace in found] for alpha in (0.6, 5.0))
    assert now != before, "a sentence that tells them apart"
    page = page_at("beam", text=text, model="transformer", beam=str(width), whatif=constraint.code, alpha="5")
    assert re.findall(r"log P: (−\d+\.\d+) instead of (−\d+\.\d+)", captions(page.run())) == [tuple(before)]


def test_a_candidate_is_compared_under_the_same_constraint(page: AppTest, model: Checkpoint) -> None:
    constraint = Constraint(phrase=tuple(model.vocab.encode("chien")))
    page.query_params["whatif"] = constraint.code
    page.query_params["compare"] = str(model.vocab.encode("un")[0])
    (candidate,) = (line for line in component_data(page.run(), "beam_tree")["lines"] if line["kind"] == "candidate")
    assert candidate["text"].startswith("un") and re.search(r"\bchien\b", candidate["text"])


def test_an_acrostic_from_the_box_and_from_the_link(page: AppTest) -> None:
    at = page.run().text_input(key="first letters").set_value("Çu").run()
    assert at.query_params["whatif"] == "letters.cu"
    data = component_data(at, "beam_tree")
    assert all([word[0].lower() for word in end["text"].split()[:2]] == ["c", "u"] for end in data["ends"])
    page.query_params["whatif"] = "letters.cu"
    assert page.run().text_input(key="first letters").value == "CU"


@pytest.mark.parametrize(
    ("box", "typed", "words"),
    [
        ("first letters", "12", "1 to 20 letters from A to Z"),
        ("first letters", "а", "1 to 20 letters from A to Z"),  # Cyrillic
        ("contained words", "Ω", "is not in this model's vocabulary"),
        ("contained words", ",,, ;", "Type the words"),
        ("contained words", "chien " * 40 + "chien", "up to 200 characters, and this has 245"),
        ("prefix", "Ω", "“Ω” is not in this model's vocabulary"),
        ("prefix", "le " * 150 + "le", "up to 400 characters, and this has 452"),
    ],
)
def test_what_cannot_be_asked_is_said_and_stays_as_typed(page: AppTest, box: str, typed: str, words: str) -> None:
    at = page.run().text_input(key=box).set_value(typed).run()
    assert words in "\n".join(text.value for text in at.text)
    assert at.text_input(key=box).value == typed and "whatif" not in at.query_params


@pytest.mark.parametrize(
    ("box", "typed", "words"),
    [
        ("first letters", "我茶", "use another letter"),
        ("contained words", "chien " * 30, "ask for less. The free search is shown."),
    ],
)
def test_what_search_cannot_meet_is_said_and_the_free_search_stands(
    page: AppTest, box: str, typed: str, words: str
) -> None:
    at = page.run().text_input(key=box).set_value(typed).run()
    assert any(words in sentence for sentence in said(at)) and at.query_params["whatif"]
    assert component_data(at, "beam_tree")["sentence"] == TEXT
