"""Messages from the browser: a forged one, which no picture sends, changes nothing and raises nothing."""

import pytest

from pages.beam.state import BeamState
from pages.common import address
from pages.common.address import Visit
from pages.common.component import Slice
from pages.positions.state import PositionsState


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> Visit:
    visit = Visit("page", {}, {})
    monkeypatch.setattr(address, "_visit", lambda: visit)
    return visit


@pytest.mark.parametrize("message", ["first", "-1", "٣", "²", [], {}, True, 1.5, "0.1", "x.2", "1..2"])
def test_chips_that_report_no_order_leave_the_address_alone(visit: Visit, message: object) -> None:
    chips = Slice(PositionsState(), {"order": "order"}, ("order",))
    chips.take(message)
    chips.take({"order": message})
    assert not visit.texts()
    chips.take({"order": "3.1.2"})
    assert visit.texts() == {"order": "3"}


@pytest.mark.parametrize("message", ["x", "\ud800", "1" * 5000, 7, ["12"], {}])
def test_a_picture_changes_no_field_to_what_it_cannot_be(visit: Visit, message: object) -> None:
    before = {"compare": "12-7", "alpha": "0.5"}
    visit.link.update(before)
    taken = Slice(BeamState(), {"compare": "candidate", "alpha": "alpha", "beta": "beta"})
    taken.take({"compare": message, "alpha": message, "beta": message})
    taken.take(message)
    assert visit.texts() == before
    taken.take({"compare": "12-8", "alpha": None, "whatif": "on.3"})
    assert visit.texts() == {"compare": "12-8"}, "what is not its own it cannot change"
