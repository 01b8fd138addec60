"""The shortcuts return what Streamlit's own code returns."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.components.v2.bidi_component import main as bidi_component
from streamlit.components.v2.bidi_component import serialization
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata

from pages.server.shortcuts import PRESENTER, TABLES, kept_theme, presented_if_triggered, without_tables


@pytest.mark.parametrize("section", ["theme", "theme.light", "theme.dark", "theme.sidebar", "theme.dark.sidebar"])
def test_the_theme_is_that_of_the_settings(section: str) -> None:
    populate: Any = vars(app_session)["_populate_theme_msg"]
    kept = kept_theme(populate)
    for _ in range(2):
        own, theirs = CustomThemeConfig(), CustomThemeConfig()
        kept(own, section)
        populate(theirs, section)
        assert own == theirs
        own.primary_color = "a message that is changed changes no other"
    assert section == "theme.sidebar" or theirs != CustomThemeConfig()


COLUMN = pd.Series([1, 2])


@pytest.mark.parametrize("value", ["chat", 1, None, [COLUMN], (COLUMN,), {"a": 1, "b": [2]}, {"a": {"b": COLUMN}}, {}])
def test_plain_data_are_sent_as_they_are(value: Any) -> None:
    extract: Any = vars(serialization)[TABLES]
    for function in (extract, without_tables(extract)):
        blobs: dict[str, bytes] = {}
        assert function({"key": value}, blobs)["key"] is value and not blobs


@pytest.mark.parametrize("value", [COLUMN, np.eye(2), {"a": COLUMN}, pd.DataFrame({"a": COLUMN})])
def test_tables_are_still_taken_out(value: Any) -> None:
    blobs: dict[str, bytes] = {}
    found = without_tables(vars(serialization)[TABLES])({"word": "chat", "table": value}, blobs)
    assert found["word"] == "chat" and [*found["table"].values()] == [*blobs]


@pytest.mark.parametrize(
    "triggered", [None, [], [{"event": "asked", "value": "open"}], {"event": "asked", "value": "open"}]
)
@pytest.mark.parametrize("value", [{}, {"step": "3", "asked": None}, {"asked": "close"}, None])
def test_a_component_shows_its_values_and_what_it_has_triggered(value: Any, triggered: Any) -> None:
    state = SessionState()
    plain: Any = {"deserializer": lambda value: value, "serializer": lambda value: value}
    metadata = WidgetMetadata("triggers", **plain, value_type="json_trigger_value")
    make: Any = vars(bidi_component)[PRESENTER]
    for known in (False, True):  # a component may also be read before its run has mounted it
        if known:
            state._new_widget_state.set_widget_metadata(metadata)
            state._new_widget_state.set_from_value("triggers", triggered)
        presented = presented_if_triggered(make)("triggers", "component", {"step"})(value, state)
        assert presented == make("triggers", "component", {"step"})(value, state)
    assert not triggered or not value or presented["asked"] == value.get("asked", "open")
