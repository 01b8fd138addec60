"""The component itself: its script, its style, its words. Mounted by `alignment` and by `heads`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from pages.common.i18n import _
from pages.common.scripts import joined

HERE = Path(__file__).parent
SCRIPTS = (  # in the order of their imports
    *("dom", "mount", "number", "icons", "piece", "tokens", "color", "layout", "width"),
    *("linking", "pointing", "address", "links", "maps"),
    *("heatmap", "ribbons", "vector", "table", "paper", "export", "controls", "player"),
    *("thumbs", "compare", "columns", "cell", "heads", "alignment"),
)


def bundle() -> str:
    """One script of all the modules."""
    return joined([HERE / f"{name}.js" for name in SCRIPTS])


_component = st.components.v2.component(
    "alignment",
    js=bundle(),
    css="\n".join((HERE / f"{name}.css").read_text(encoding="utf-8") for name in ("alignment", "heads")),
)


def mount(key: str, data: Mapping[str, Any]) -> None:
    """Draw the component."""
    _component(key=key, data=data, on_ask_change=_nothing)


def reported(key: str, name: str) -> Any:
    """What the component with this key has reported, before this run of the page mounts it."""
    return st.session_state.get(key, {}).get(name)


def _nothing() -> None:
    """A state value is announced by its callback; this one has nothing to do."""


def words() -> Mapping[str, str]:
    """The component's own words, in the language of the page. Names in braces are filled in the browser."""
    return {
        "matrix": _("Matrix"),
        "ribbons": _("Ribbons"),
        "both": _("Both"),
        "pieces": _("Pieces"),
        "words": _("Words"),
        "hide": _("Hide <eos> and punctuation"),
        "values": _("Values"),
        "too_small": _("The cells are too small for numbers."),
        "save": _("Save"),
        "toolbar": _("What the figures show"),
        "figure": _("alignment"),
        "idle": _("Point at a word to see its links. Click to keep them."),
        "picked": _("Picked: {word}."),
        "looks": _("{model} looks {weight} at {source} for {word}."),
        "nowhere": _("{model} looks at {source} for no word."),
        "vector": _("The model without attention has one vector for the whole sentence."),
        "legend": _("{count} numbers, red {low} to blue {high}"),
        "note_words": _(
            "Pieces are merged to words: weights are summed over source pieces and averaged over target pieces."
        ),
        "note_unspaced": _("Mandarin has no spaces between words: there every piece counts as a word."),
        "note_hide": _("<eos> and punctuation are hidden: the other weights of a row are scaled to sum to one."),
        "note_top": _(
            "Ribbons: the strongest of each row, until {share} of its weight is shown; weaker ones are hidden."
        ),
        "note_least": _("Ribbons: every weight of at least {share}; weaker ones are hidden."),
        "links_rule": _("Which ribbons are shown"),
        "links_share": _("Threshold of the ribbons"),
        "links_top": _("the strongest {share}"),
        "links_least": _("at least {share}"),
        "looked_at": _("looked at"),
        "looking": _("looking"),
        "aria": _(
            "{model}: source along the top, target down the side. Arrow keys move, Escape lets go. A table follows."
        ),
        "aria_vector": _("{model}: every source word goes into one vector, every target word comes out of it."),
        "player": _("Play the decoding"),
        "first": _("First step"),
        "back": _("Step back"),
        "play": _("Play"),
        "pause": _("Pause"),
        "forward": _("Step forward"),
        "last": _("Last step: show all"),
        "step_slider": _("Step of the decoding"),
        "speed": _("Speed"),
        "rate": _("{rate} / s"),
        "step": _("step {step} of {count}: {word}"),
        "all_steps": _("all {count} steps"),
    }
