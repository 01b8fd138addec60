"""The address of a page, and the only module that reads or writes query parameters; `docs/architecture.md`, "State".

A visit of a page begins with a link. What the page changes since then is kept beside it, numbered, and both together
say what is on the screen. Streamlit never writes the address: it would take out what the pictures wrote there without
a run. The address bar below sends the numbered changes, and the browser makes each of them once
(`nmtcore/views/kit/address.js`). The link that Streamlit hands to every run is thus the one that opened the page.
"""

import functools
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from urllib.parse import parse_qsl

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from nmtcore.views import bundle
from pages.common.once import lookups_kept
from pages.common.state import State

VISIT = "visit"  # key of the session
KEY = "address-bar"
MISSING = object()

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound=State)

_bar = st.components.v2.component("address_bar", js=bundle.script(Path(__file__).with_name("address_bar.js")))


@dataclass
class Visit:
    """A page at a link. session: tells the browser one session of the server from the next.

    changes: a text or None for each parameter that has changed since, with its number; 0 where the browser has it.
    boxes: keys of the text boxes that this page has shown.
    """

    page: str
    link: dict[str, str]
    opened: dict[str, str]
    session: str = field(default_factory=lambda: secrets.token_hex(8))
    number: int = 0
    changes: dict[str, tuple[str | None, int]] = field(default_factory=dict)
    boxes: set[str] = field(default_factory=set)

    def texts(self) -> dict[str, str]:
        """The address as it is now."""
        changed = {name: text for name, (text, _number) in self.changes.items()}
        return {name: text for name, text in {**self.link, **changed}.items() if text is not None}

    def put(self, changes: Mapping[str, str | None], heard: Collection[str] = ()) -> None:
        for name, text in changes.items():
            self.number += name not in heard
            self.changes[name] = (text, 0 if name in heard else self.number)


def _visit() -> Visit | None:
    """The visit of this run, a new one where a link was followed; None outside of a run."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return None
    known: Visit | None = st.session_state.get(VISIT)
    same = known is not None and known.page == context.page_script_hash
    if same and not context.is_history_navigation:
        return known
    link = st.query_params.to_dict()
    if known is not None and same and link == known.opened:
        return known
    visit = Visit(context.page_script_hash, link, link)
    if known is not None:
        visit.session, visit.number = known.session, known.number
    st.session_state[VISIT] = visit
    return visit


def texts() -> dict[str, str]:
    """The query parameters of the page, as they are now."""
    visit = _visit()
    return dict(st.query_params) if visit is None else visit.texts()


def linked() -> frozenset[str]:
    """The query parameters that stand as the link gave them: nobody has changed them since."""
    visit = _visit()
    return frozenset(texts()) - frozenset(visit.changes if visit else ())


def as_linked(of: type[State], *names: str) -> bool:
    """Whether these fields, by their names, stand as the link gave or left them: nobody has changed them since."""
    visit, parameters = _visit(), of.parameters()
    return visit is None or not visit.changes.keys() & {parameters[name].name for name in names}


def put(changes: Mapping[str, str | None], heard: Collection[str] = ()) -> None:
    """Change query parameters; None takes one out. heard: those that come from the browser, which has them."""
    if visit := _visit():
        visit.put(changes, heard)
        return
    for name, text in changes.items():  # outside of a run
        if text is None:
            st.query_params.pop(name, None)
        else:
            st.query_params[name] = text


def read_state(of: type[S]) -> tuple[S, tuple[str, ...]]:
    """The state that the address asks for, and a sentence for each part of it that cannot be."""
    now = texts()
    read = of.parse(now)
    put({name: text for name, text in read.texts().items() if now[name] != text})  # in its present form
    state, notes = read.settled(linked())
    return state, (*of.notes(now), *notes)


def change_state(of: type[State], **values: Any) -> None:
    """Give fields of the state new values, by their names; for a callback, before the next run reads it.

    What was asked of the state before, and what cannot be, is taken out of the address with it.
    """
    write_state(of, values)


@lookups_kept()
def write_state(of: type[State], values: Mapping[str, Any], heard: Mapping[str, str | None] | None = None) -> None:
    """The same. heard: texts that a picture has put into the browser's address already, by the names of the fields."""
    now, handed = texts(), heard or {}
    before, _notes = of.parse(now).settled(linked())
    after, _notes = before.changed(**values).settled(())
    parameters = of.parameters()
    stale = [name for name in after.stale(before) if name not in values or name in handed]
    after = after.changed(**{name: parameters[name].default for name in stale})
    new = after.texts()
    named = {parameters[name].name for name in (*values, *stale)}
    different = {p.name for p in parameters.values() if now.get(p.name) != new.get(p.name)}
    known = {parameters[name].name for name, text in handed.items() if new.get(parameters[name].name) == text}
    put({name: new.get(name) for name in sorted(named | different)}, known)


def control(state: State, name: str, *, value: Any = MISSING, then: Callable[[], None] | None = None) -> dict[str, Any]:
    """What a widget of Streamlit needs to show a field and to change it: `st.slider("Width", 1, 10, **control(...))`.

    value: what it shows, where that is not the field's own value; then: what else is called when somebody has
    changed it.
    """
    key, value = state.parameters()[name].name, state.value(name) if value is MISSING else value
    # In every run: a widget in a popover that is closed is not there yet in the browser.
    st.session_state[key] = list(value) if isinstance(value, tuple) else value
    return {"key": key, "on_change": _controlled, "args": (type(state), name, key, then)}


def typed(state: State, name: str, *, value: str | None = None) -> dict[str, Any]:
    """The same for a text box, in which a text that is not entered yet stays when the page is drawn again."""
    key, value = state.parameters()[name].name, state.value(name) if value is None else value
    _open_box(key, value)
    return {"key": key, "on_change": _controlled, "args": (type(state), name, key, None)}


def entry(key: str, value: str, act: Callable[[str], None], of: str = "") -> dict[str, Any]:
    """The same for a text box that is no field: it opens with a value, and `act` is called with what was entered.

    What is entered stays in the box, refused or not, until it opens with another value, or is a box of something else.
    """
    opens = f"{key} opens"
    if st.session_state.get(opens) != (value, of):
        st.session_state[opens], st.session_state[key] = (value, of), value
    _open_box(key, st.session_state.get(key, value))
    return {"key": key, "on_change": _entered, "args": (key, act)}


def menu(key: str, act: Callable[[Any], None]) -> dict[str, Any]:
    """The same for a menu of acts, `st.menu_button`: `act` is called with the option that was chosen."""
    return {"key": key, "on_click": _chosen, "args": (key, act)}


def _chosen(key: str, act: Callable[[Any], None]) -> None:
    if (option := st.session_state[key]) is not None:  # else this run no longer offers it
        act(option)


def _entered(key: str, act: Callable[[str], None]) -> None:
    act(st.session_state[key] or "")


def _open_box(key: str, value: str) -> None:
    """Put a text into a box that does not show it yet. A box of a page before is another, by the same name."""
    boxes = visit.boxes if (visit := _visit()) else set()
    if key not in boxes or st.session_state.get(key) != value:
        st.session_state[key] = value
    boxes.add(key)


def _controlled(of: type[State], name: str, key: str, then: Callable[[], None] | None) -> None:
    value = st.session_state[key]
    value = tuple(value) if isinstance(value, list) else value
    change_state(of, **{name: of.parameters()[name].default if value is None else value})
    if then:
        then()


def address_bar(key: str = KEY) -> None:
    """Send what has changed to the browser's address. Every page and every fragment draws it once, at its beginning."""
    if (visit := _visit()) is None:
        return

    def reopened() -> None:
        """The server had forgotten this tab, after a long pause or a new start; the browser says where it was."""
        search = st.session_state[key].get("reopened")
        if isinstance(search, str) and (now := _visit()):
            now.link, now.changes = dict(parse_qsl(search.removeprefix("?"), keep_blank_values=True)), {}

    data = {"session": visit.session, "number": visit.number, "changes": visit.changes, "whole": key == KEY}
    _bar(key=key, data=data, height="content", on_reopened_change=reopened, on_reconnected_change=lambda: None)


def fragment(function: Callable[P, T], run_every: float | None = None) -> Callable[P, T]:
    """`st.fragment` for a part of a page that changes state: its runs of its own reach the address too.

    run_every: seconds between two runs that nobody asks for.
    """

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        address_bar(f"{KEY}-{function.__name__}")
        return function(*args, **kwargs)

    return st.fragment(run, run_every=run_every)
