"""State of pages: the declarations of every page in the registry, and what changes the address.

Only one module touches it. A forged message, which no picture sends, changes nothing and raises nothing. A press of a
disclosure button means what the button said, even if the server has drawn another one meanwhile.
"""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.views.kit.link_state import Choice, Codes, Flag, Number, Pattern, Whole
from pages.beam.state import BeamState
from pages.common import address, registry
from pages.common.address import VISIT, Visit
from pages.common.component import Slice
from pages.common.registry import PAGES, PageEntry
from pages.common.state import State, link_texts, part, stated
from pages.positions.state import PositionsState
from tests.pages.helpers import opened, press

# Parts of the session: messages from pictures, form values, and runs that wait for an answer.
SESSION = {"address", "component", "form", "waiting"}
TOUCHES = {"query_params", "session_state"}

TEXTS: dict[type, list[str]] = {
    Whole: ["0", "1", "2", "3", "7", "999", "x", "-1"],
    Number: ["0", "0.5", "1", "5", "x"],
    Flag: ["shown", "", "x"],
    Choice: ["x"],
    Pattern: ["", "s3", "0.t1s2", "3.2", "cross.1.2", "1.all.00ff", "x y"],
    Codes: ["", "words.hide", "12-45", "dot~none", "on.1-2~not.3.4", "x y"],
}


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.name)
def test_parse_and_texts_are_inverse(model_directory: Path, entry: PageEntry) -> None:
    for name, parameter in entry.state.parameters().items():
        options = getattr(parameter, "options", ())
        for text in (*options, *TEXTS.get(type(parameter), ["a red cat", ""])):
            state = entry.state.parse({parameter.name: text})
            again = entry.state.parse(state.texts())
            assert again == state, (name, text)
            read = parameter.parse(text)
            assert state.value(name) == (parameter.default if read is None else read)
            assert bool(state.texts()) == (state.value(name) != parameter.default), "a default is left out"
    opening = entry.state()
    assert opening == entry.state.parse({}) and opening.texts() == {}
    for name in entry.state.parameters():
        assert opening.changed(**{name: opening.value(name)}) == opening
    with pytest.raises(AttributeError, match="nothing_like_it"):
        opening.changed(nothing_like_it=1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        opening.screen = None


def touched(path: Path) -> set[str]:
    """The parts of the address and the session that a module names."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & TOUCHES | {
        node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "bind"
    }


def test_one_module_touches_the_address() -> None:
    folders = {entry.script.parent for entry in PAGES} | {registry.FOLDER / "common"}
    touching = {f"{path.parent.name}/{path.stem}": touched(path) for folder in folders for path in folder.glob("*.py")}
    found = {name for name, names in touching.items() if names}
    assert found == {f"common/{name}" for name in SESSION}
    assert [name for name, names in touching.items() if "query_params" in names] == ["common/address"]


@dataclasses.dataclass(frozen=True)
class Inner(State):
    width: int = stated(Whole("w", 5, 1, 9, wrong=lambda asked: f"no width: {asked}"))
    offers: str = "all"


@dataclasses.dataclass(frozen=True)
class Outer(State):
    inner: Inner = part(Inner, offers="dot")
    names: tuple[str, ...] = stated(Codes("names", (), "[a-z]+", "~"))
    shown: bool = stated(Flag("shown"))

    def stale(self, before: Outer) -> tuple[str, ...]:
        return ("names",) if self.inner.width != before.inner.width else ()


def test_a_part_is_read_and_changed_by_the_names_of_its_fields() -> None:
    asked = {"w": "7", "names": "a~b", "shown": "shown", "other": "x"}
    state = Outer.parse(asked)
    assert state == Outer(Inner(7, "dot"), ("a", "b"), True)
    assert state.texts() == {"w": "7", "names": "a~b", "shown": "shown"}
    assert state.changed(width=9, shown=False) == Outer(Inner(9, "dot"), ("a", "b"), False)
    assert Outer.notes({"w": "10", "names": "A"}) == ("no width: 10",)
    assert state.changed(width=9).stale(state) == ("names",)
    assert link_texts(Outer, width=5, names=("c",), shown=None) == {"w": None, "names": "c", "shown": None}


def test_two_fields_of_one_name_are_refused() -> None:
    @dataclasses.dataclass(frozen=True)
    class Twice(State):
        inner: Inner = part(Inner)
        width: int = stated(Whole("w2", 1))

    with pytest.raises(AssertionError, match="two fields"):
        Twice.parameters()


def test_what_a_picture_hands_back_goes_with_what_it_spoke_of() -> None:
    """A what-if resets the comparison and the step of the previous search, though the picture sends both."""
    sent = {"step": "4", "compare": "12", "whatif": "not.3.88"}

    def script(sent: dict[str, str]) -> None:
        import streamlit as st  # the script of a test holds all that it needs

        from pages.beam.state import BeamState
        from pages.common.address import read_state
        from pages.common.component import Slice

        fields = {"step": "search_step", "compare": "candidate", "whatif": "whatifs"}
        state, _notes = read_state(BeamState)
        st.button("send", on_click=lambda: Slice(state, fields).take(sent))

    at = AppTest.from_function(script, kwargs={"sent": sent})
    at.query_params["alpha"] = "1"
    at.run().button[0].click().run()
    assert at.query_params == {"alpha": "1", "whatif": "not.3.88"}
    visit = at.session_state[VISIT]
    assert visit.changes["whatif"][1] == 0, "the browser has it"
    assert visit.changes["search-step"][1] and visit.changes["compare"][1], "these it must take out"


def test_a_visit_goes_on_from_the_link_that_opened_it() -> None:
    """Every run gets the link that opened the page, which must not undo later changes."""

    def script() -> None:
        import streamlit as st  # the script of a test holds all that it needs

        from pages.beam.state import BeamState
        from pages.common.address import change_state, control, read_state

        state, notes = read_state(BeamState)
        st.slider("alpha", 0.0, 5.0, **control(state, "alpha"))
        st.button("greedy", on_click=change_state, args=(BeamState,), kwargs={"beam": 1})
        st.text(" ".join(notes))

    at = AppTest.from_function(script)
    at.query_params.update({"alpha": "0.50", "beta": "nan", "unknown": "x"})
    at.run()
    assert at.query_params == {"alpha": "0.5", "beta": "nan", "unknown": "x"}, "in its form, and a mistake as it was"
    assert "nan" in at.text[0].value
    at.slider[0].set_value(2.0).run()
    at.button[0].click().run()
    assert at.query_params == {"alpha": "2", "beam": "1", "unknown": "x"} and at.text[0].value == ""
    assert at.session_state[VISIT].link == {"alpha": "0.50", "beta": "nan", "unknown": "x"}
    at.query_params.clear()
    assert at.run().slider[0].value == 0.6, "another link"


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
