"""Neighbours of a piece: from any picture to the words as vectors, on the same page or on that of the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from nmtcore.config import Architecture, is_autoregressive
from nmtcore.views import bundle
from pages.common import models
from pages.common.component import reported
from pages.common.footer import link_parameters
from pages.common.link_parameters import VECTORS
from pages.common.question import Question, question_texts
from pages.common.registry import EVERY, PAGES, PageEntry, page_texts

ASKED, COUNT = "neighbors asked", "neighbors count"  # keys of the session
OFFERED = "neighbors offered"  # by links to another page, which cannot say that they were followed

_scroll = st.components.v2.component("scroll_here", js=bundle.script(Path(__file__).with_name("scroll_here.js")))


def open_neighbors(code: str) -> None:
    """Open the section with a piece, such as `s3`; for a callback. The section is scrolled to in the next run."""
    if VECTORS.parse(code) is None:
        return
    VECTORS.write(code)
    _ask_to_scroll("asked")


def picture_asks(key: str) -> Callable[[], None]:
    """What runs when the picture with this key asks for the neighbours of a piece."""

    def asked() -> None:
        open_neighbors(str(reported(key, "vectors") or ""))

    return asked


def _ask_to_scroll(state: str) -> None:
    """Let the next run scroll to the section. state: `asked` while a fragment may run alone, then `running`."""
    st.session_state[ASKED] = state
    st.session_state[COUNT] = st.session_state.get(COUNT, 0) + 1


def leave_fragment() -> None:
    """Run the whole page where somebody in this fragment has asked for neighbours: the section stands outside it."""
    if st.session_state.get(ASKED) == "asked":
        st.session_state[ASKED] = "running"
        st.rerun()


def scroll_to_neighbors() -> None:
    """Scroll to this place once for each time that somebody has asked; at the head of the section."""
    if st.session_state.pop(OFFERED, False):
        _ask_to_scroll("running")
    asked = st.session_state.get(COUNT, 0) if st.session_state.pop(ASKED, None) else 0
    _scroll(key="scroll-here", data={"asked": asked}, height="content")


def neighbors_address(question: Question, model: str) -> str | None:
    """The page with the words of this model as vectors and the same question; None where no page has them."""
    if (section := _section(question, model)) is None:
        return None
    page, asked = section
    return f"{page.name}?{urlencode(asked)}"


def neighbors_links(question: Question, model: str, pieces: Mapping[str, str], key: str) -> None:
    """A link a piece to that page, which scrolls to the section. pieces: their names as Markdown, by code.

    Links and not buttons: `st.switch_page` leaves five steps in the browser's history, a link the one that Back takes.
    """
    if (section := _section(question, model)) is None:
        return
    page, asked = section
    st.session_state[OFFERED] = True
    with (
        st.container(key=key, horizontal=True, gap="small"),
        suppress(StreamlitPageNotFoundError),  # a page that a test runs alone
    ):
        for code, name in pieces.items():
            link = {**link_parameters(), **asked, VECTORS.name: code}
            st.page_link(page.script, label=name, query_params=link, width="content")


@cache
def _page(architecture: Architecture) -> PageEntry | None:
    """The page of an architecture that has words as vectors; see `_section`."""
    offering = {p.offers: p for p in PAGES if VECTORS in p.declared.values()}
    return offering.get(architecture) or (offering.get(EVERY) if is_autoregressive(architecture) else None)


def _section(question: Question, model: str) -> tuple[PageEntry, dict[str, str]] | None:
    """The page with the words of this model as vectors, and the query parameters that ask it the same question.

    It is the model's own page, or Beam search, which has a choice of models. None for an architecture that neither has:
    one that writes all words at once.
    """
    architecture = models.architecture(model)
    page = _page(architecture)
    if page is None:
        return None
    asked = question_texts(question, model)
    if page.offers == EVERY:
        asked |= page_texts("beam", model_code=architecture)
    return page, asked
