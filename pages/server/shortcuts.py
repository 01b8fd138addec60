"""Shortcuts for work that Streamlit repeats in every run although little of it is needed, or nothing has changed.

Together they save an eighth of what a sentence costs the server. Each returns what Streamlit's own code returns:
`tests/server/test_shortcuts.py` compares both, for the version in `requirements.txt`.
"""

from collections.abc import Callable
from types import NoneType
from typing import Any

from streamlit import config
from streamlit.components.v2.bidi_component import main as bidi_component
from streamlit.components.v2.bidi_component import serialization
from streamlit.runtime import app_session
from streamlit.watcher import polling_path_watcher

PLAIN = (str, int, float, NoneType, list, tuple)  # Streamlit takes a dict of pandas columns for a table, too
LOOK = 10.0  # s between two checks of Streamlit's settings; Streamlit checks five times a second

TABLES = "_extract_dataframes_from_dict"
PRESENTER = "make_bidi_component_presenter"


def kept_theme(populate: Callable[[Any, str], None]) -> Callable[..., None]:
    """Make the function that writes a section of the theme into a message, reading the settings once."""
    sections: dict[str, Any] = {}

    def populate_from_kept(message: Any, section: str = "theme") -> None:
        if section not in sections:
            made = type(message)()
            populate(made, section)
            sections[section] = made
        message.MergeFrom(sections[section])

    return populate_from_kept


def without_tables(extract: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Make the function that extracts tables from a component's data, if it may contain any."""

    def extract_where_any(data: dict[str, Any], blobs: dict[str, bytes] | None = None) -> dict[str, Any]:
        parts = (part for value in data.values() for part in (value.values() if isinstance(value, dict) else [value]))
        return data if all(isinstance(part, (*PLAIN, dict)) for part in parts) else extract(data, blobs)

    return extract_where_any


def presented_if_triggered(make: Callable[..., Callable[..., Any]]) -> Callable[..., Callable[..., Any]]:
    """The function that makes the presenter of a component, which adds triggered values to its own.

    With nothing triggered, values are returned as they are: Streamlit makes a class for them at each look, three
    times per component, so that a page can write to them, which none does.
    """

    def make_for(aggregator_id: str, *given: Any, **named: Any) -> Callable[..., Any]:
        present = make(aggregator_id, *given, **named)

        def present_if_triggered(value: object, state: Any) -> object:
            return present(value, state) if state._new_widget_state.get(aggregator_id) else value

        return present_if_triggered

    return make_for


def take_shortcuts() -> None:
    """Make a starting server use them."""
    if vars(serialization)[TABLES].__module__ != __name__:  # not yet: tests start several servers in one process
        vars(serialization)[TABLES] = without_tables(vars(serialization)[TABLES])
        vars(bidi_component)[PRESENTER] = presented_if_triggered(vars(bidi_component)[PRESENTER])
        vars(app_session)["_populate_theme_msg"] = kept_theme(vars(app_session)["_populate_theme_msg"])
    if config.get_option("server.fileWatcherType") == "none":
        vars(polling_path_watcher)["_POLLING_PERIOD_SECS"] = LOOK
