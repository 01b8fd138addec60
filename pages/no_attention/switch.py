"""A choice between figures that are on the page already: only one is shown, and changing it runs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from nmtcore.views import bundle
from pages.common.component import Slice
from pages.common.state import State

SCRIPT = Path(__file__).with_suffix(".js")

# Not isolated: what it shows and hides lies beside it on the page.
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
    """Draw the choice, a field of the state that the browser alone changes.

    names: of the codes, each the suffix of the key of a container on the page, `{field}-{code}`, in words.
    """
    link = Slice(state, {"choice": field}).to_json()
    _switch(key=field, data={"key": field, "label": label, "names": dict(names), "link": link}, height="content")
