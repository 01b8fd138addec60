"""Messages from the browser: one that no picture sends, but anybody can, changes nothing and raises nothing."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
import streamlit as st

from pages.beam.state import BeamState
from pages.common.component import Slice, whole_number
from pages.positions import own_order
from pages.positions.state import PositionsState

FORGED: tuple[object, ...] = (
    None,
    "",
    "first",
    "-1",
    "1.5",
    "٣",
    "²",
    "1" * 5000,
    [],
    {},
    True,
)  # Arabic 3; int() refuses a superscript


@pytest.mark.parametrize("message", FORGED)
def test_what_is_no_whole_number_is_none(message: object) -> None:
    assert whole_number(message) is None
    assert own_order.read_order(message, 3) == ()


def test_whole_numbers_and_orders_are_read() -> None:
    assert [whole_number(message) for message in (0, 12, "7", "007")] == [0, 12, 7, 7]
    assert own_order.read_order("2.0.1", 3) == (2, 0, 1)


@pytest.mark.parametrize("message", ["0.1", "0.1.1", "0.1.2.3", "1.2.3", "0.1.two", "0..2"])
def test_an_order_has_each_piece_once(message: str) -> None:
    assert own_order.read_order(message, 3) == ()


class Browser:
    """What the pictures of a page have reported, and the address."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch
        self.address: dict[str, str] = {}
        monkeypatch.setattr(st, "query_params", self.address)

    def reports(self, key: str, name: str, message: object) -> None:
        self.monkeypatch.setattr(st, "session_state", {key: {name: message}})


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Browser:
    return Browser(monkeypatch)


def callback(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, component: str, name: str
) -> list[Callable[[], None]]:
    """What a module hands to a component of Streamlit, to be called when there is a message: once it has been drawn."""
    found: list[Callable[[], None]] = []
    monkeypatch.setattr(module, component, lambda *_, **given: found.append(given[name]))
    return found


@pytest.mark.parametrize("message", [*FORGED, "0.0.0"])
def test_chips_that_report_no_order_leave_the_address_alone(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, message: object
) -> None:
    moved = callback(monkeypatch, own_order, "_chips", "on_order_change")
    own_order.order_chips(PositionsState(), ["the", "red", "cat"])
    browser.reports(own_order.KEY, "order", message)
    moved[0]()
    assert not browser.address
    browser.reports(own_order.KEY, "order", "2.0.1")
    moved[0]()
    assert browser.address == {"order": "3"}


@pytest.mark.parametrize("message", ["x", "\ud800", "1" * 5000, 7, ["12"], {}])
def test_a_picture_changes_no_field_to_what_it_cannot_be(browser: Browser, message: object) -> None:
    before = {"compare": "12-7", "alpha": "0.5"}
    browser.address.update(before)
    taken = Slice(BeamState(), {"compare": "candidate", "alpha": "alpha", "beta": "beta"})
    taken.take({"compare": message, "alpha": message, "beta": message})
    taken.take(message)
    assert browser.address == before
    taken.take({"compare": "12-8", "alpha": None, "whatif": "on.3"})
    assert browser.address == {"compare": "12-8"}, "what is not its own it cannot change"
