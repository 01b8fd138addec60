"""Link state that a run has written: a run that was asked for before the browser heard of it does not undo it."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.common import link_state


def _page() -> None:
    """Two buttons that write parameters, and what a run reads of them."""
    import streamlit as st  # the script of a test holds all that it needs

    from pages.common.link_state import Whole, forget

    first, second = Whole("first", 0), Whole("second", 0)
    for value in (0, 1, 2):
        st.button(f"first {value}", on_click=first.write, args=(value,))
        st.button(f"second {value}", on_click=second.write, args=(value,))
    st.button("forget", on_click=forget, args=(first, second))
    st.text(f"{first.read()} {second.read()}")


@pytest.fixture
def page() -> AppTest:
    return AppTest.from_function(_page).run()


def press(page: AppTest, label: str, address: dict[str, str]) -> tuple[str, dict[str, list[str]]]:
    """Press a button; the browser says that the address is this one. What the run read, and the address after it."""
    page.query_params.clear()
    page.query_params.update(address)
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception
    return page.text[0].value, {name: list(value) for name, value in page.query_params.items()}


def test_a_late_request_does_not_undo_a_write(page: AppTest) -> None:
    assert press(page, "first 1", {}) == ("1 0", {"first": ["1"]})
    assert press(page, "second 2", {}) == ("1 2", {"first": ["1"], "second": ["2"]})
    assert press(page, "first 2", {}) == ("2 2", {"first": ["2"], "second": ["2"]})
    assert press(page, "first 0", {"first": "1"}) == ("0 2", {"second": ["2"]})
    assert press(page, "second 1", {"first": "2", "second": "2"}) == ("0 1", {"second": ["1"]})
    assert press(page, "forget", {}) == ("0 0", {})
    assert press(page, "first 1", {"second": "1"}) == ("1 0", {"first": ["1"]})


def test_what_the_browser_itself_names_counts(page: AppTest) -> None:
    press(page, "first 1", {})
    assert press(page, "second 1", {"first": "7"})[0] == "7 1", "neither what was written nor what was there before"


def test_after_a_while_an_earlier_address_is_meant(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    press(page, "first 1", {})
    monkeypatch.setattr(link_state, "UNHEARD", -1)
    assert press(page, "second 1", {}) == ("0 1", {"second": ["1"]})
