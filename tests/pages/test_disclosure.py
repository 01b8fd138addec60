"""Disclosure buttons: a press means what the button said, even if the server has drawn another one meanwhile."""

from pathlib import Path

from tests.pages.helpers import opened, press


def test_a_press_on_hide_hides_though_the_newest_button_says_show(model_directory: Path) -> None:
    at = opened("additive", text="a red cat", vectors="s1")
    press(at, "vectors")
    assert "vectors" not in at.query_params
    press(at, "vectors", "close")
    assert "vectors" not in at.query_params, "pressed twice before the first press was answered"
    at.query_params["vectors"] = "s1"  # reopened by a picture, which this press's run is the first to see
    press(at, "vectors", "close")
    assert "vectors" not in at.query_params


def test_a_press_on_show_keeps_the_piece_of_a_section_that_is_open(model_directory: Path) -> None:
    at = opened("additive", text="a red cat")
    at.query_params["vectors"] = "t0"
    press(at, "vectors", "open")
    assert "".join(at.query_params["vectors"]) == "t0"
