"""Form values: what widgets hold that is not part of a page's state, since no link contains it; the session keeps it.

A setting on which another depends is read before its widget is drawn; pasted text and uploaded files are kept while
their widget is not drawn, when Streamlit would forget them; the outcome of a click is reported by the next run.
"""

from typing import Any

import streamlit as st

PASTED_PAIRS = "pasted kept"  # the pairs for Fine-tune as text: on each line a sentence, a tab and its translation


def held(key: str, default: Any = None) -> Any:
    """The value of the widget with this key, or what `hold` put there."""
    return st.session_state.get(key, default)


def hold(key: str, value: Any) -> None:
    """Put a value there; a widget drawn afterwards shows it."""
    st.session_state[key] = value


def drop(key: str, default: Any = None) -> Any:
    return st.session_state.pop(key, default)
