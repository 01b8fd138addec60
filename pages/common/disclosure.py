"""Disclosure button: it opens and closes a section of a page that is folded away at first."""

from pathlib import Path

import streamlit as st

from nmtcore.views import bundle
from pages.common.address import change_state, read_state
from pages.common.component import reported
from pages.common.state import State

FOLDER = Path(__file__).parent
OPEN, CLOSE = "open", "close"  # what a press asks for
CSS = "button { padding: 0.3rem 0; text-align: left; white-space: normal }"

# Not `st.button`: a press is handled as a press of the newest button with that key. If somebody presses "hide" while a
# run that is not on the screen yet has drawn "show", the section would open.
_button = st.components.v2.component(
    "disclosure",
    html='<button type="button"></button>',
    js=bundle.script(FOLDER / "disclosure.js"),
    css=bundle.style(FOLDER / "quiet_button.css") + CSS,
)


def section_button(state: State, name: str, *, show: str, hide: str, key: str, opens: object = True) -> bool:
    """Draw the button and return whether the section is open, which is when a field of the state is not at its default.

    opens: the value that the button gives the field, or a function that makes it when pressed; show, hide: its labels.
    """
    default = state.parameters()[name].default
    shown = bool(state.value(name) != default)

    def pressed() -> None:
        asked = reported(key, "asked")
        now, _notes = read_state(type(state))
        if asked == CLOSE:
            change_state(type(state), **{name: default})
        elif asked == OPEN and now.value(name) == default:  # otherwise a picture has opened it meanwhile
            change_state(type(state), **{name: opens() if callable(opens) else opens})

    asks = CLOSE if shown else OPEN
    data = {"says": hide if shown else show, "asks": asks, "open": shown}
    _button(key=key, data=data, width="content", on_asked_change=pressed)
    return shown
