"""The address of a page, and the only module that reads or writes query parameters; `docs/architecture.md`, "State".

A visit to a page begins with a link. Changes since then are kept beside it, numbered, and both together determine what
is on the screen. Streamlit never writes the address: it would remove what the pictures wrote there without a run. The
address bar below sends the numbered changes, and the browser applies each once (`nmtcore/views/kit/address.js`). So the
link that Streamlit passes to every run is always the one that opened the page.
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
    """A visit to a page by a link. session: lets the browser tell one session of the server from the next.

    changes: for each parameter changed since, its text or None, and the number of the change; 0 if the browser made it.
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
        """The present address."""
        changed = {name: text for name, (text, _number) in self.changes.items()}
        return {name: text for name, text in {**self.link, **changed}.items() if text is not None}

    def linked(self) -> frozenset[str]:
        """The parameters of the link that nobody has changed since."""
        return frozenset(self.texts()) - self.changes.keys()

    def put(self, changes: Mapping[str, str | None], heard: Collection[str] = ()) -> None:
        """Change parameters; None removes one. heard: those reported by the browser, which has them already."""
        for name, text in changes.items():
            self.number += name not in heard
            self.changes[name] = (text, 0 if name in heard else self.number)


def _visit() -> Visit:
    """The visit that this run belongs to, a new one if a link was followed."""
    context = get_script_run_ctx()
    assert context is not None, "only a run of a page has an address"
    known: Visit | None = st.session_state.get(VISIT)
    link = st.query_params.to_dict()
    same = not context.is_history_navigation or (known and link == known.opened)
    if known is not None and known.page == context.page_script_hash and same:
        return known
    visit = Visit(context.page_script_hash, link, link)
    if known is not None:
        visit.session, visit.number = known.session, known.number
    st.session_state[VISIT] = visit
    return visit


def as_linked(of: type[State], *names: str) -> bool:
    """Whether nobody has changed any of these fields, given by name, since the link was followed."""
    return not _visit().changes.keys() & {of.parameters()[name].name for name in names}


def read_state(of: type[S]) -> tuple[S, tuple[str, ...]]:
    """The state that the address asks for, and a sentence for each part that is impossible."""
    visit = _visit()
    now = visit.texts()
    read = of.parse(now)
    visit.put({name: text for name, text in read.texts().items() if now[name] != text})  # in its present form
    state, notes = read.settled(visit.linked())
    return state, (*of.notes(now), *notes)


def change_state(of: type[State], **values: Any) -> None:
    """Set fields of the state by name; for a callback, before the next run reads it.

    Parameters that belonged to the former state, or are impossible in the new one, leave the address.
    """
    write_state(of, values)


@lookups_kept()
def write_state(of: type[State], values: Mapping[str, Any], heard: Mapping[str, str | None] | None = None) -> None:
    """The same. heard: texts, by field name, that a picture has already written to the browser's address."""
    visit, handed = _visit(), heard or {}
    now = visit.texts()
    before, _notes = of.parse(now).settled(visit.linked())
    after, _notes = before.changed(**values).settled(())
    parameters = of.parameters()
    stale = [name for name in after.stale(before) if name not in values or name in handed]
    after = after.changed(**{name: parameters[name].default for name in stale})
    new = after.texts()
    named = {parameters[name].name for name in (*values, *stale)}
    different = {p.name for p in parameters.values() if now.get(p.name) != new.get(p.name)}
    known = {parameters[name].name for name, text in handed.items() if new.get(parameters[name].name) == text}
    visit.put({name: new.get(name) for name in sorted(named | different)}, known)


def control(state: State, name: str, *, value: Any = MISSING, then: Callable[[], None] | None = None) -> dict[str, Any]:
    """The arguments by which a Streamlit widget shows and changes a field: `st.slider("Width", 1, 10, **control(...))`.

    value: what it shows instead of the field's own value; then: called as well when somebody changes it.
    """
    key, value = state.parameters()[name].name, state.value(name) if value is MISSING else value
    # In every run: a widget in a closed popover does not exist yet in the browser.
    st.session_state[key] = list(value) if isinstance(value, tuple) else value
    return {"key": key, "on_change": _controlled, "args": (type(state), name, key, then)}


def typed(state: State, name: str, *, value: str | None = None) -> dict[str, Any]:
    """The same for a text box, which keeps a text not yet entered when the page is drawn again."""
    key, value = state.parameters()[name].name, state.value(name) if value is None else value
    _open_box(key, value)
    return {"key": key, "on_change": _controlled, "args": (type(state), name, key, None)}


def entry(key: str, value: str, act: Callable[[str], None], of: str = "") -> dict[str, Any]:
    """The same for a text box without a field: it opens with a value, and `act` is called with what was entered.

    The entered text stays in the box, accepted or refused, until the box opens with another value or for something
    else.
    """
    opens = f"{key} opens"
    if st.session_state.get(opens) != (value, of):
        st.session_state[opens], st.session_state[key] = (value, of), value
    _open_box(key, st.session_state.get(key, value))
    return {"key": key, "on_change": lambda: act(st.session_state[key] or "")}


def menu(key: str, act: Callable[[Any], None]) -> dict[str, Any]:
    """The same for a menu of acts, `st.menu_button`: `act` is called with the option that was chosen."""

    def chosen() -> None:
        if (option := st.session_state[key]) is not None:  # else this run no longer offers it
            act(option)

    return {"key": key, "on_click": chosen}


def _open_box(key: str, value: str) -> None:
    """Put a text into a box that does not show it yet. A box of the same name on an earlier page is another one."""
    boxes = _visit().boxes
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
    """Send the changes to the browser's address. Every page and every fragment draws it once, at its beginning."""
    visit = _visit()

    def reopened() -> None:
        """The server has forgotten this tab, after a long pause or a restart; the browser reports its whole address."""
        search = st.session_state[key].get("reopened")
        if isinstance(search, str):
            now = _visit()
            now.link, now.changes = dict(parse_qsl(search.removeprefix("?"), keep_blank_values=True)), {}

    data = {"session": visit.session, "number": visit.number, "changes": visit.changes, "whole": key == KEY}
    _bar(key=key, data=data, height="content", on_reopened_change=reopened, on_reconnected_change=lambda: None)


def fragment(function: Callable[P, T], run_every: float | None = None) -> Callable[P, T]:
    """`st.fragment` for a part of a page that changes state: its own runs change the address as well.

    run_every: seconds between two automatic runs.
    """

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        address_bar(f"{KEY}-{function.__name__}")
        return function(*args, **kwargs)

    return st.fragment(run, run_every=run_every)
