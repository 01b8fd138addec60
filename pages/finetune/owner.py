"""Ownership of runs: a secret in a cookie, from which each run's control code is derived.

The secret is a cookie of this site, read when a page connects, so it survives a refresh and a restart of the server.
Codes received from others are kept beside it. On one's own computer (`make app`) nobody needs any.
"""

import re
import secrets

import streamlit as st

from nmtcore.runs.run_folder import Run
from pages.common.form import held, hold
from pages.server.classroom import for_this_computer_only

COOKIE = "alignment-lab-runs"
VALUE = re.compile(r"[0-9a-f]{32}(?:\.[0-9a-f]{10}){0,20}")
CODE = re.compile(r"[0-9a-f]{10}")
STATE = "runs secret"
JS = """
export default function ({ data }) {
  document.cookie = `${data.name}=${data.value}; path=/; max-age=31536000; SameSite=Strict`;
}
"""

_keeper = st.components.v2.component("keep_runs_secret", js=JS)


def codes() -> list[str]:
    """The credentials of this browser: its own secret first, then the codes received from others."""
    if held(STATE) is None:
        kept = str(st.context.cookies.get(COOKIE, ""))
        hold(STATE, kept if VALUE.fullmatch(kept) else secrets.token_hex(16))
    return str(held(STATE)).split(".")


def session() -> str:
    """The secret of this browser, under which its runs are counted."""
    return codes()[0]


def may_steer(run: Run) -> bool:
    """Whether this browser may stop, resume, name and delete a run."""
    return for_this_computer_only() or run.allows(codes())


def may_delete(run: Run) -> bool:
    """Whether this browser may delete a run: also one whose owner cannot be known."""
    return for_this_computer_only() or run.may_be_deleted_with(codes())


def write_cookie() -> None:
    """Write the cookie, once a page, at a place where the component takes no room."""
    codes()
    _keeper(key="keep runs secret", data={"name": COOKIE, "value": held(STATE)}, height=0)


def add_code(typed: str) -> bool:
    """Add a control code received from somebody. False if it does not look like one."""
    code = typed.strip().lower()
    if not CODE.fullmatch(code):
        return False
    known = codes()
    if code not in known:
        hold(STATE, ".".join([known[0], *known[1:][-19:], code]))
    return True
