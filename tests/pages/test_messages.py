"""Messages from the browser: a forged one, which no picture sends, changes nothing and raises nothing."""

import pytest
import streamlit as st

from pages.beam.state import BeamState
from pages.common.component import Slice
from pages.positions.state import PositionsState


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    parameters: dict[str, str] = {}
    monkeypatch.setattr(st, "query_params", parameters)
    return parameters


@pytest.mark.parametrize("message", ["first", "-1", "٣", "²", [], {}, True, 1.5, "0.1", "x.2", "1..2"])
def test_chips_that_report_no_order_leave_the_address_alone(address: dict[str, str], message: object) -> None:
    chips = Slice(PositionsState(), {"order": "order"}, ("order",))
    chips.take(message)
    chips.take({"order": message})
    assert not address
    chips.take({"order": "3.1.2"})
    assert address == {"order": "3"}


@pytest.mark.parametrize("message", ["x", "\ud800", "1" * 5000, 7, ["12"], {}])
def test_a_picture_changes_no_field_to_what_it_cannot_be(address: dict[str, str], message: object) -> None:
    before = {"compare": "12-7", "alpha": "0.5"}
    address.update(before)
    taken = Slice(BeamState(), {"compare": "candidate", "alpha": "alpha", "beta": "beta"})
    taken.take({"compare": message, "alpha": message, "beta": message})
    taken.take(message)
    assert address == before
    taken.take({"compare": "12-8", "alpha": None, "whatif": "on.3"})
    assert address == {"compare": "12-8"}, "what is not its own it cannot change"
