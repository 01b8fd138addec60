"""The models side by side on Translate: up to four, shipped or saved, in the link."""

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.text.vocabulary import Vocab
from pages.common.i18n import title
from tests.helpers import WORD_BY_WORD
from tests.pages.helpers import component_data, opened, said
from tests.pages.test_saved import root, save, save_reverse

__all__ = ["root"]  # a fixture
FOUR = ["No attention", "Additive", "Dot", "Transformer"]


def titles(at: AppTest) -> list[str]:
    return [panel["title"] for panel in component_data(at, "alignment")["panels"]]


def chips(at: AppTest) -> list[str]:
    (group,) = [group for group in at.button_group if group.key == "models"]
    return list(group.value)


def linked(at: AppTest) -> str:
    found = at.query_params.get("models", "")
    return found if isinstance(found, str) else found[0]


def test_a_link_names_two(model_directory: Path) -> None:
    at = opened("translate", models="transformer~none")
    assert titles(at) == ["No attention", "Transformer"] and said(at) == []
    assert at.markdown[0].value.startswith("Several models translate the same sentence")
    at.button_group(key="models").set_value(["dot"]).run()
    assert titles(at) == ["Dot"] and linked(at) == "dot"
    assert at.markdown[0].value.startswith("One model")
    at.button_group(key="models").set_value([]).run()
    assert titles(at) == ["Dot"], "the last one stays"
    at.button_group(key="models").set_value(["transformer", "dot", "additive", "none"]).run()
    assert titles(at) == FOUR and linked(at) == "" and chips(at) == ["none", "additive", "dot", "transformer"]


def test_a_saved_model_stands_beside_the_one_that_it_began_with(
    model_directory: Path, root: Path, vocab: Vocab
) -> None:
    save(root, vocab, "My first")
    save_reverse(root, "Backwards")
    at = opened("translate", models="dot~saved.My first", text="A big dog.")
    assert titles(at) == ["Dot", "Dot: My first"] and said(at) == []
    assert at.button_group(key="models").options == [*FOUR[:3], "Dot: My first", *map(title, list(WORD_BY_WORD)[3:])]
    first, second = component_data(at, "alignment")["panels"]
    assert first["weights"] != second["weights"]
    at.button_group(key="models").set_value(["none", "additive", "dot", "saved.My first", "transformer"]).run()
    assert titles(at) == ["No attention", "Additive", "Dot", "Dot: My first"], "the first four"
    assert said(at) == ["4 models fit side by side. Show Transformer in place of:"] * 2
    at.selectbox(key="pair").set_value("zh-en").run()
    assert titles(at) == FOUR and said(at) == [], "Mandarin has no such saved model, and nobody asked for one"


def test_a_transformer_is_drawn_by_the_head_of_the_one_that_it_began_with(
    model_directory: Path, root: Path, vocab: Vocab
) -> None:
    best = {"best": {"layer": 0, "head": 1}}
    save(root, vocab, "Mine", "transformer", alignments_at_start=best)
    save(root, vocab, "Untested", "transformer")
    save(root, vocab, "Odd", "transformer", alignments_at_start={"best": {"layer": 0, "head": 99}})
    at = opened("translate", models="saved.Mine~saved.Untested~saved.Odd")
    drawn = [panel["caption"][1] for panel in component_data(at, "alignment")["panels"]]
    assert drawn == ["layer 1, head 2", *["layer 3, mean of the heads"] * 2]


@pytest.mark.parametrize("where", ["row", "chips"])
def test_of_five_in_a_link_four_are_shown_and_the_fifth_can_take_a_place(
    model_directory: Path, root: Path, vocab: Vocab, where: str
) -> None:
    save(root, vocab, "Mine")
    link = {"models": "saved.Mine~none~additive~dot~transformer"}
    at = opened("translate", **link)
    assert titles(at) == ["No attention", "Additive", "Dot", "Dot: Mine"]
    at.button(key=f"no place {where}").click().run()
    assert titles(at) == ["No attention", "Additive", "Dot", "Dot: Mine"] and said(at) == []
    at = opened("translate", **link)
    at.button(key=f"place {where} additive").click().run()
    assert titles(at) == ["No attention", "Dot", "Dot: Mine", "Transformer"] and said(at) == []
    assert linked(at) == "none~dot~saved.Mine~transformer"


def offered_names(at: AppTest) -> list[str]:
    """The labels of the examples on offer."""
    options = at.menu_button(key="examples").options
    assert len(options) > 3
    return [option for option in options if "unseen name" in option]


def test_a_new_name_is_asked_of_the_copying_model_beside_three_others(model_directory: Path) -> None:
    at = opened("translate")
    assert offered_names(at) == at.menu_button(key="examples").options[-1:]
    at.menu_button(key="examples").click_index(-1).run()
    assert at.text_input(key="text").value == "My name is Wanjiru Okonkwo and I live in Nakuru."
    assert titles(at) == ["Additive", "Dot", "Transformer", "Pointer-generator"]
    assert linked(at) == "additive~dot~transformer~copying"
    copying = component_data(at, "alignment")["panels"][-1]
    assert len(copying["generation"]) == len(copying["target"]) and 0 < min(copying["generation"]) < 1


def test_a_new_name_is_offered_in_english_alone_and_with_a_model_that_copies(own_model_directory: Path) -> None:
    assert offered_names(opened("translate", pair="zh-en")) == []
    shutil.rmtree(own_model_directory / "en-fr" / "copying")
    assert offered_names(opened("translate")) == []
