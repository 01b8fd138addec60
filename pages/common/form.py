"""Form values: what widgets hold that are no part of the state of a page, for no link has them; the session keeps them.

A setting that another one hangs on is read before its widget is drawn; what was pasted or given as a file is kept while
its widget is not drawn, which Streamlit would forget; what came of a click is said by the run after it.
"""

from typing import Any

import streamlit as st

PASTED_PAIRS = "pasted kept"  # the text of pairs for Fine-tune, a sentence, a tab, its translation a line


def held(key: str, default: Any = None) -> Any:
    """What the widget with this key holds, or what was put there."""
    return st.session_state.get(key, default)


def hold(key: str, value: Any) -> None:
    """Put a value there. Before its widget is drawn, that shows it."""
    st.session_state[key] = value


def drop(key: str, default: Any = None) -> Any:
    """Take away what is there, and return it."""
    return st.session_state.pop(key, default)
