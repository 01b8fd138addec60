"""The controls that pages share, and the only place that touches st.session_state.

Every control is bound to the URL by its key, so that a link reopens what was on the screen: `?pair=` the
direction in words, `?text=` the sentence, `?beam=` the width. What stands at its default is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from nmtcore.config import MAX_BEAM
from pages.shared.examples import examples
from pages.shared.link import copy_link
from pages.shared.words import _, direction, languages

DEFAULT_BEAM = 5


@dataclass(frozen=True)
class Question:
    """What a person asks: the text as typed, in which direction, with how wide a beam (1 is greedy)."""

    pair: str
    text: str
    beam: int


def question(pairs: Sequence[str]) -> Question:
    """The row of controls at the top of a page: sentence, pair, beam; below it the examples and the link to copy."""
    bring_along()
    with st.container(key="question", horizontal=True, vertical_alignment="bottom", gap="small"):
        sentence = st.container(width="stretch")
        pair = st.selectbox(
            _("Languages"),
            pairs,
            key="pair",
            format_func=direction,
            on_change=_change_pair,
            label_visibility="collapsed",
            bind="query-params",
            width=200,
        )
        beam = _beam()
    text = sentence.text_input(
        _("Sentence to translate"),
        value=_opening(pair),
        key="text",
        placeholder=_("Type a sentence and press Enter"),
        label_visibility="collapsed",
        bind="query-params",
    )
    keep_for_other_pages(pair, text or "", beam)
    _example_links(pair)
    return Question(pair, text or "", beam)


def bring_along() -> None:
    """Ask on this page what was asked on the last: Streamlit forgets what was bound to a page that is left.

    What the address says comes first.
    """
    asked = st.session_state.get("asked", {})
    if not any(key in st.session_state or key in st.query_params for key in asked):
        st.session_state.update(asked)


def keep_for_other_pages(pair: str, text: str, beam: int) -> None:
    """Remember a question for `bring_along`."""
    st.session_state["last pair"] = pair
    st.session_state["asked"] = {"pair": pair, "text": text, "beam": beam}


def say(*sentences: str) -> None:
    """Plain sentences to the person. Whatever is quoted in them is shown as it is, never as Markdown or HTML."""
    if sentences:
        with st.container(key=f"said {'|'.join(sentences)}"[:80], gap="xxsmall"):
            for sentence in sentences:
                st.text(sentence)


def _beam() -> int:
    width = known_beam()
    label = _("Greedy") if width == 1 else _("Beam, width {width}").format(width=width)
    with st.popover(label, key="beam row", width=160):
        return st.slider(
            _("Hypotheses kept at every step; 1 is greedy search"),
            1,
            MAX_BEAM,
            DEFAULT_BEAM,
            key="beam",
            bind="query-params",
        )


def known_beam() -> int:
    """The width that the slider is about to have: its label is drawn before it, and a link's first run has no state."""
    width = str(st.session_state.get("beam", st.query_params.get("beam", "")))
    return int(width) if width.isdecimal() and 1 <= int(width) <= MAX_BEAM else DEFAULT_BEAM


def _example_links(pair: str) -> None:
    with st.container(key="examples", horizontal=True, vertical_alignment="center", gap="small"):
        offered = examples(pair)
        if offered:
            st.caption(_("Try:"), width="content")
        for number, example in enumerate(offered):
            st.button(
                example.name,
                key=f"example {number}",
                type="tertiary",
                help=example.text,
                on_click=_remember,
                args=("text", example.text),
            )
        st.space("stretch")
        copy_link()


def _opening(pair: str) -> str:
    """The sentence that a pair opens with: nobody meets an empty page."""
    return next((example.text for example in examples(pair)), "")


def _change_pair() -> None:
    """A sentence in another language than the new source makes way for the opening sentence."""
    new, old = st.session_state["pair"], st.session_state.get("last pair", "")
    if languages(new)[0] != languages(old)[0]:
        st.session_state["text"] = _opening(new)


def _remember(key: str, value: str) -> None:
    st.session_state[key] = value
