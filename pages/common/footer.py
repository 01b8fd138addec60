"""The footer of every page: a question for the class with a reveal, and the way to the idea before and after."""

from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from pages.common import registry
from pages.common.address import texts
from pages.common.i18n import _
from pages.common.question import Question
from pages.common.registry import PageEntry
from pages.common.screen import PIN


def link_parameters() -> dict[str, str]:
    """Query parameters that a link to another page carries: the question and the pinned picture."""
    now = texts()
    pinned = {PIN: now[PIN]} if PIN in now else {}
    return Question.parse(now).texts() | pinned


def page_footer(page: str, question: str, answer: str) -> None:
    """Draw the footer of `page`, a name of the registry. `question` and `answer` are Markdown."""
    pages = registry.PAGES
    place = [entry.name for entry in pages].index(page)
    with st.container(key="lesson"):
        st.markdown(_("**A question for the class.** {question}").format(question=question))
        # Closed on every page and never in a link: nobody should see the answer before the question.
        with st.expander(_("Show the answer"), type="compact"):
            st.markdown(answer)
        with st.container(horizontal=True, horizontal_alignment="distribute" if place else "right", key="ideas"):
            if place > 0:
                _link(pages[place - 1], _("← Previous idea: {page}"))
            if place + 1 < len(pages):
                _link(pages[place + 1], _("Next idea: {page} →"))


def _link(page: PageEntry, words: str) -> None:
    # A page that is not there yet, or a page run alone by a test, has no link.
    with suppress(StreamlitPageNotFoundError):
        st.page_link(page.script, label=words.format(page=page.title()), query_params=link_parameters(), icon="")
