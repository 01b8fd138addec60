"""A choice between parts of a page that are all drawn: only one is visible, and switching does not run the page."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmtcore.views import bundle
from pages.common.component import Slice
from pages.common.i18n import _
from pages.common.state import State

SCRIPT = Path(__file__).with_suffix(".js")

# Not isolated: it shows and hides parts of the page around it.
CSS = """
.switch {
  display: inline-flex; flex-wrap: wrap; padding: 1px; border: 1px solid var(--st-border-color); border-radius: 0.4rem;
}
.switch button {
  font: inherit; font-size: 0.875rem; padding: 0.2rem 0.5rem; cursor: pointer;
  color: light-dark(#5D626C, #A6A9AE); background: none; border: 0; border-radius: 0.3rem;
}
.switch button:is(:hover, [aria-pressed="true"]) { color: var(--st-text-color); }
.switch button[aria-pressed="true"] { background: var(--st-secondary-background-color); }
.switch button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
"""

_switch = st.components.v2.component("switch", js=bundle.script(SCRIPT), css=CSS, isolate_styles=False)


def draw_switch(label: str, names: Mapping[str, str], state: State, field: str) -> None:
    """Draw the choice, a field of the state that only the browser changes.

    names: labels by code; each has a container, `shown_for(field, code)`. The first is shown at first.
    """
    link = Slice(state, {"choice": field}).to_json()
    _switch(key=field, data={"key": field, "label": label, "names": dict(names), "link": link}, height="content")


def draw_contents(names: Mapping[str, str], state: State) -> None:
    """Draw the contents of a long page: its sections, of which one is shown, the field `section` of its state."""
    draw_switch(_("Sections of this page"), names, state, "section")


def shown_for(field: str, code: str) -> DeltaGenerator:
    """The container of what is shown for this code."""
    return st.container(key=f"{field}-{code}")
