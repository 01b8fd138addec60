"""The browser's half of the address, for tests without one: `at.query_params` is what its address bar shows.

After a run it contains the page's changes. A test that changes it before the next run follows a link.
"""

from typing import Any

from streamlit.testing.v1 import AppTest

from pages.common.address import VISIT

_run = AppTest._run


def run(at: AppTest, *args: Any, **kwargs: Any) -> AppTest:
    shown = getattr(at, "_shown", None)
    if shown is not None and at.query_params == shown:
        at.query_params = dict(at.session_state[VISIT].opened)  # Streamlit goes on sending the link that was opened
    elif VISIT in at.session_state:
        del at.session_state[VISIT]
    _run(at, *args, **kwargs)
    if VISIT in at.session_state:
        at.query_params = at.session_state[VISIT].texts()
        at._shown = dict(at.query_params)  # type: ignore[attr-defined]
    return at


AppTest._run = run  # type: ignore[method-assign,assignment]
