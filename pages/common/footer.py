"""The footer of every page: a question for the class with a reveal, and the way to the idea before and after."""

from typing import NoReturn

import streamlit as st

from pages.common import registry
from pages.common.i18n import _
from pages.common.navigation import ENDS, ROW, PageLink, navigation
from pages.common.state import State


def page_footer(page: str, question: str, answer: str) -> None:
    """Draw the footer of `page`, a name of the registry. `question` and `answer` are Markdown."""
    with st.container(key="lesson"):
        st.markdown(_("**A question for the class.** {question}").format(question=question))
        # Closed on every page and never in a link: nobody should see the answer before the question.
        with st.expander(_("Show the answer"), type="compact"):
            st.markdown(answer)
        _ideas_beside(page)


def end_page(state: State) -> NoReturn:
    """End a page, by its state, that has no result to ask about: only with the way to the idea before and after."""
    _ideas_beside(next(entry.name for entry in registry.PAGES if entry.state is type(state)))
    st.stop()


def _ideas_beside(page: str) -> None:
    pages = registry.PAGES
    place = [entry.name for entry in pages].index(page)
    words = {place - 1: _("← Previous idea: {page}"), place + 1: _("Next idea: {page} →")}
    beside = [(pages[at], said) for at, said in words.items() if 0 <= at < len(pages)]
    links = [PageLink(one, said.format(page=one.title())) for one, said in beside]
    navigation(links, key="ideas", look=ENDS if place + 1 < len(pages) else ROW)
