"""Ownership of runs: a secret in a cookie, from which each run's control code is derived.

The secret is a cookie of this site, read when a page connects, so it survives a refresh and a restart of the server.
Codes received from others are kept beside it. On one's own computer (`make app`) nobody needs any.
"""

import re
import secrets
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Visitor:
    """The credentials of a browser: its own secret first, then the codes received from others.

    alone: on a computer of one's own, where nobody needs any.
    """

    codes: tuple[str, ...]
    alone: bool

    @property
    def session(self) -> str:
        """The browser's own secret, under which its runs are counted."""
        return self.codes[0]

    def may_steer(self, run: Run) -> bool:
        """Whether it may stop, resume, name and delete a run."""
        return self.alone or run.allows(self.codes)

    def may_delete(self, run: Run) -> bool:
        """Whether it may delete a run, including one whose owner is unknown."""
        return self.alone or run.may_be_deleted_with(self.codes)


def visitor() -> Visitor:
    """The visitor who is looking at the page."""
    if held(STATE) is None:
        kept = str(st.context.cookies.get(COOKIE, ""))
        hold(STATE, kept if VALUE.fullmatch(kept) else secrets.token_hex(16))
    return Visitor(tuple(str(held(STATE)).split(".")), for_this_computer_only())


def write_cookie() -> None:
    """Write the cookie, once a page, at a place where the component takes no room."""
    visitor()
    _keeper(key="keep runs secret", data={"name": COOKIE, "value": held(STATE)}, height=0)


def add_code(typed: str) -> bool:
    """Add a control code received from somebody. False if it does not look like one."""
    code = typed.strip().lower()
    if not CODE.fullmatch(code):
        return False
    own, *others = visitor().codes
    if code not in (own, *others):
        hold(STATE, ".".join([own, *others[-19:], code]))
    return True
