"""Nearest neighbours of a piece: links from any picture to the words as vectors, on this page or the model's own."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import streamlit as st

from nmtcore.config import Architecture, is_autoregressive
from nmtcore.views import bundle
from pages.common import models
from pages.common.navigation import PageLink, navigation
from pages.common.question import Question, question_texts
from pages.common.registry import EVERY, PAGES, PageEntry, page_texts
from pages.common.vectors import VECTORS

_scroll = st.components.v2.component("scroll_here", js=bundle.script(Path(__file__).with_name("scroll_here.js")))


def scroll_to_neighbors() -> None:
    """The head of the section, to which the browser scrolls when somebody asks for neighbours."""
    _scroll(key="scroll-here", data={"links": False}, height="content")


def neighbors_address(question: Question, model: str) -> str | None:
    """The address of the page with this model's words as vectors and the same question; None without one."""
    if (section := _section(question, model)) is None:
        return None
    page, asked = section
    return page.link(asked)


def neighbors_links(question: Question, model: str, pieces: Mapping[str, str], key: str) -> None:
    """For each piece a link to that section. pieces: their names, by code.

    Links and not buttons: `st.switch_page` leaves five entries in the browser's history, a link leaves one.
    """
    if (section := _section(question, model)) is None:
        return
    page, asked = section
    _scroll(key=f"{key} scroll", data={"links": True}, height="content")
    navigation([PageLink(page, name, {**asked, VECTORS.name: code}) for code, name in pieces.items()], key=key)


@cache
def _page(architecture: Architecture) -> PageEntry | None:
    """The page of an architecture that has words as vectors; see `_section`."""
    offering = {p.offers: p for p in PAGES if VECTORS in p.state.parameters().values()}
    return offering.get(architecture) or (offering.get(EVERY) if is_autoregressive(architecture) else None)


def _section(question: Question, model: str) -> tuple[PageEntry, dict[str, str]] | None:
    """The page with this model's words as vectors, and the query parameters for the same question.

    It is the model's own page, or Beam search, which offers a choice of models. None for a non-autoregressive model,
    which neither has.
    """
    architecture = models.architecture(model)
    page = _page(architecture)
    if page is None:
        return None
    asked = question_texts(question, model)
    if page.offers == EVERY:
        asked |= page_texts("beam", model_code=architecture)
    return page, asked
