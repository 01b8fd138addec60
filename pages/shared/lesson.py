"""The foot of every page: a question for the class with a reveal, and the way to the idea before and after."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from pages.shared.words import _

ORDER = ("translate", "no_attention", "additive", "dot", "transformer", "positions", "beam", "finetune")
PAGES = Path(__file__).parents[1]


def page_title(page: str) -> str:
    """The name of a page, in links and in the list at the side."""
    names = {
        "translate": _("Translate"),
        "no_attention": _("No attention"),
        "additive": _("Additive attention"),
        "dot": _("Dot attention"),
        "transformer": _("Transformer"),
        "positions": _("Positions"),
        "beam": _("Beam search"),
        "finetune": _("Fine-tune"),
    }
    return names[page]


def carried() -> dict[str, str]:
    """What a link to another page must take along, for Streamlit brings sentence and pair: the beam's width."""
    return {name: st.query_params[name] for name in ("beam",) if name in st.query_params}


def lesson(page: str, question: str, answer: str) -> None:
    """Draw the foot of `page`, one of ORDER. `question` and `answer` are Markdown."""
    place = ORDER.index(page)
    with st.container(key="lesson"):
        st.markdown(_("**A question for the class.** {question}").format(question=question))
        with st.expander(_("Show the answer"), type="compact", key="answer", bind="query-params"):
            st.markdown(answer)
        with st.container(horizontal=True, key="ideas"):
            if place > 0:
                _link(ORDER[place - 1], _("← Previous idea: {page}"))
            st.space("stretch")
            if place + 1 < len(ORDER):
                _link(ORDER[place + 1], _("Next idea: {page} →"))


def _link(page: str, words: str) -> None:
    # A page that is not there yet, or a page run alone by a test, has no link.
    with suppress(StreamlitPageNotFoundError):
        st.page_link(PAGES / f"{page}.py", label=words.format(page=page_title(page)), query_params=carried(), icon="")
