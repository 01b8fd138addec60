"""The shortcuts return what Streamlit's own code returns."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.components.v2.bidi_component import main as bidi_component
from streamlit.components.v2.bidi_component import serialization
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.testing.v1 import AppTest

from pages.server.shortcuts import PRESENTER, TABLES, VisibleState, kept_theme, presented_if_triggered, without_tables

WHOLE: Any = vars(SafeSessionState)["filtered_state"].fget


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


def test_the_visible_state_is_the_whole_one() -> None:
    state = SessionState()
    state["word"], state["number"], state["$$STREAMLIT_INTERNAL_KEY_X"] = "chat", None, 1
    safe = SafeSessionState(state, lambda: None)
    visible, whole = VisibleState(safe, WHOLE), WHOLE(safe)
    assert dict(visible) == whole == {"word": "chat", "number": None} and len(visible) == 2
    assert "word" in visible and "nowhere" not in visible and repr(visible) == repr(whole)
    assert visible["word"] == "chat" and visible["number"] is None
    with pytest.raises(KeyError):
        visible["nowhere"]


def test_widgets_read_their_values_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Asked(VisibleState):
        def __getitem__(self, key: str) -> Any:
            asked.append(key)
            return super().__getitem__(key)

    def script() -> None:
        import streamlit as st

        st.session_state.setdefault("width", 3)
        chosen = st.selectbox("word", ["chat", "chien"], key="word"), st.slider("width", 1, 5, key="width")
        st.text(f"{chosen} {st.text_input('text', 'bon', key='text')}")

    monkeypatch.setattr(SafeSessionState, "filtered_state", property(lambda state: Asked(state, WHOLE)))
    page = AppTest.from_function(script).run()
    assert page.text[0].value == "('chat', 3) bon"
    page.selectbox[0].select("chien").run()
    page.text_input[0].input("jour").run()
    assert page.text[0].value == "('chien', 3) jour" and not page.exception and {"word", "width"} <= {*asked}


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
