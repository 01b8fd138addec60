"""Projection and pins: the browser's data, and impossible requests in a link."""

from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from pages.common.navigation import carried
from pages.common.registry import PAGES
from pages.common.screen import MOST, read_pin
from tests.pages.helpers import component_data, opened, said


@pytest.mark.parametrize(("pane", "key"), [("layer", "residual-stream"), ("batch", "masks")])
def test_each_pane_of_the_transformer_offers_its_own_picture(model_directory: Path, pane: str, key: str) -> None:
    at = opened("transformer", pane=pane, text="A dog.")
    assert key in component_data(at, "projection")["keys"]
    assert "heads" not in at.session_state, "the first picture that is there is projected"


def test_a_pinned_picture_is_the_page_of_its_link_projected(model_directory: Path) -> None:
    pin = "transformer?head=cross.2.1&off=cross.1.1&text=A+dog.&pin=dot%3F&projection=beside&tour=3&whatever=1"
    at = opened("additive", pin=pin, projection="beside")
    pinned = component_data(at, "projection")["pin"]
    name, __, query = pinned["address"].partition("?")
    assert name == "./transformer"
    asked = dict(parse_qsl(query))
    assert asked == {"head": "cross.2.1", "off": "cross.1.1", "text": "A dog.", "projection": "on"}
    assert pinned["title"] == "Transformer · A dog."
    assert len(component_data(at, "picture_links")["links"]) == 5
    assert not [sentence for sentence in said(at) if "pin" in sentence]
    alone = opened("transformer", **asked)
    shown = component_data(alone, "heads")["heads"]
    assert (shown["chosen"]["layer"], shown["chosen"]["head"], shown["off"]) == (1, 0, ["cross.1.1"])


def test_the_first_page_has_no_name_in_its_address() -> None:
    pinned = read_pin("translate?text=A&pair=zh-en")
    assert pinned and pinned.page is PAGES[0]
    assert pinned.address == "./?text=A&pair=zh-en&projection=on"
    assert read_pin(pinned.code) == pinned


@pytest.mark.parametrize(
    "code",
    ["//elsewhere.org/x", "https://elsewhere.org", "javascript:alert(1)", "../translate", "Translate?text=A", "?text=A"]
    + ["nobody", "translate?text=" + "x" * MOST],
)
def test_a_pin_that_is_no_page_of_the_app_is_none(code: str) -> None:
    assert read_pin(code) is None


def test_a_pin_that_cannot_be_is_left_out_in_a_sentence(model_directory: Path) -> None:
    at = opened("dot", pin="//elsewhere.org/x", projection="beside")
    assert "The link pins a picture that is not here: it was left out." in said(at)
    assert component_data(at, "projection")["pin"] is None
    assert len(component_data(at, "picture_links")["links"]) == 3


def test_the_question_and_a_pin_go_along_to_another_page() -> None:
    assert set(carried()) == {"pair", "text", "beam", "reading", "pin"}
