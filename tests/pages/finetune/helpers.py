"""Helpers for tests of the Fine-tune page."""

from typing import Any

from streamlit.testing.v1 import AppTest

from nmtcore.runs.run_folder import Run
from tests.pages.helpers import components

OWNER = "0123456789abcdef" * 2


def owned(page: AppTest, secret: str = OWNER) -> AppTest:
    page.session_state["runs secret"] = secret
    return page


def watching(page: AppTest, run: Run) -> AppTest:
    page.query_params["run"] = run.id
    return page.run()


def drawn(at: AppTest) -> list[dict[str, Any]]:
    return components(at, "alignment")


def said(at: AppTest) -> str:
    assert not at.exception, at.exception
    return " ".join([*(e.value for e in at.text), *(e.value for e in at.markdown), *(e.value for e in at.caption)])


def labels(at: AppTest) -> list[str]:
    """The labels of the enabled buttons."""
    return [button.label for button in at.button if not button.disabled]
