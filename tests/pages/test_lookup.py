"""The soft dictionary on the Additive and Dot pages: closed until asked for, its numbers agree, the link reopens it."""

import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis.lookup import Lookup
from pages.attention.lookup import gradient_sentence
from tests.pages.helpers import page_at, press, said, saved_figures


@pytest.fixture(params=["additive", "dot"])
def page(request: pytest.FixtureRequest, model_directory: Path) -> AppTest:
    return page_at(request.param, text="a red cat")


def test_it_opens_at_the_least_sure_step_and_closes(page: AppTest) -> None:
    assert not page.run().get("plotly_chart")
    press(page, "soft dictionary")
    assert not page.exception and len(page.get("plotly_chart")) == (2 if "additive" in page._script_path else 1)
    assert len(page.get("vega_lite_chart")) == 1
    assert int(page.query_params["lookup"][0]) >= 1
    names = page.selectbox(key="lookup").options
    assert names and not any("\\" in name for name in names), "a list of choices is no Markdown"
    press(page, "soft dictionary")
    assert not page.get("plotly_chart") and "lookup" not in page.query_params


def test_saved_tables_name_the_pieces_as_people_read_them(page: AppTest) -> None:
    page.query_params["lookup"] = "2"
    figures = saved_figures(page.run())
    rows = figures["lookup-weights"]["csv"].splitlines()[1:]
    assert [row.split(",")[0] for row in rows][:2] == ["a", "r"] and len(rows) > 3
    assert ("lookup-gradient" in figures) == ("additive" in page._script_path)
    assert not any("\u2581" in figure["csv"] for figure in figures.values())


def test_exact_lookup_has_one_weight_no_distance_and_no_gradient(page: AppTest) -> None:
    page.query_params["lookup"], page.query_params["tau"] = "2", "0"
    words = "\n".join(said(page.run()))
    assert "lies 0.00 of its length" in words
    assert ("passes nothing back" in words) == ("additive" in page._script_path)
    weights = [float(row.split(",")[2]) for row in saved_figures(page)["lookup-weights"]["csv"].splitlines()[1:]]
    assert sorted(weights)[-2:] == [0, 1]
    page.query_params["tau"] = "2"
    soft = re.search(r"lies (\d+\.\d+) of", "\n".join(said(page.run())))
    assert soft is not None and float(soft[1]) > 0


def test_a_derivative_that_is_hardly_there_is_written_with_its_power_of_ten() -> None:
    values = np.eye(2)
    saturated = Lookup(0.1, np.array([12.5, 9.5]), values)  # a (1 - a) / tau = 10 exp(-30), nearly
    assert "Saturated: the largest derivative is 9.4·10⁻¹³." in gradient_sentence(saturated)
    assert "The largest derivative is 0.250;" in gradient_sentence(Lookup(1.0, np.zeros(2), values))
    assert "passes nothing back" in gradient_sentence(Lookup(0.0, np.array([1.0, 0.0]), values))
