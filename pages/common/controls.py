"""The controls that pages share. Their values are in the state of the page, and so in its address."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import streamlit as st

from nmtcore.config import MAX_BEAM
from nmtcore.errors import NmtError
from nmtcore.views import bundle
from pages.common import models
from pages.common.address import MISSING, change_state, control, menu, typed
from pages.common.examples import Example
from pages.common.i18n import _
from pages.common.question import Question
from pages.common.state import State
from pages.common.text import not_markdown

_lines = st.components.v2.component("sentence_box", js=bundle.script(Path(__file__).with_name("sentence_box.js")))


def question_row(
    state: State,
    question: Question,
    says: Sequence[str] = (),
    more: Callable[[], None] | None = None,
    ask: Callable[[Example], dict[str, Any]] | None = None,
    examples: Sequence[Example] = (),
) -> None:
    """Draw the row of controls of a page: the sentence, the examples, and a button with the settings chosen once.

    question: the part of the state that they show. says, more: what the page adds to the button's label, and a function
    that draws it. ask: what an example changes in the state, if that is more than the sentence. examples: further ones.
    """
    with st.container(key="question", horizontal=True, vertical_alignment="bottom", gap="small"):
        sentence_box(state, question)
        example_menu(state, (*question.examples(), *examples), ask)
        labels = models.labels(question.choices)
        beam = _("greedy") if question.beam == 1 else _("beam {width}").format(width=question.beam)
        with st.popover(
            " · ".join((*says, beam, labels.get(question.choice, question.choice))), key="settings", width="content"
        ):
            choice_box(state, question, labels)
            if more:
                more()
            st.slider(_("Hypotheses kept at every step; 1 is greedy search"), 1, MAX_BEAM, **control(state, "beam"))


def sentence_box(state: State, question: Question) -> None:
    """The box for the sentence; on a phone it has several lines."""
    keyed = typed(state, "typed", value=question.text)
    with st.container(key="sentence", gap=None):
        st.text_input(
            _("Sentence to translate"),
            placeholder=_("Type a sentence and press Enter"),
            label_visibility="collapsed",
            width="stretch",
            **keyed,
        )
        _lines(key="sentence lines", height="content")


def quiet_list(
    state: State,
    name: str,
    label: str,
    options: Sequence[Any],
    titles: Callable[[Any], str],
    *,
    value: Any = MISSING,
    then: Callable[[], None] | None = None,
    width: int = 240,
) -> None:
    """The options of a field as a list whose label only screen readers hear. value, then: as of `control`."""
    keyed = control(state, name, value=value, then=then)
    st.selectbox(label, options, format_func=titles, label_visibility="collapsed", width=width, **keyed)


def change_button(state: State, label: str, key: str, *, help: str | None = None, **changes: Any) -> None:
    """A quiet button that gives fields of the state other values."""
    st.button(label, key=key, type="tertiary", help=help, on_click=change_state, args=(type(state),), kwargs=changes)


def choice_box(state: State, question: Question, labels: Mapping[str, str]) -> None:
    """The list of language pairs and saved models."""
    st.selectbox(
        _("Languages, or a saved model"),
        question.choices,
        format_func=labels.__getitem__,
        **control(state, "choice"),
    )


def show_notes(*sentences: str) -> None:
    """Show plain sentences to the person. Quoted text is shown literally, never as Markdown or HTML."""
    if sentences:
        with st.container(key=f"said {'|'.join(sentences)}"[:80], gap="xxsmall"):
            for sentence in sentences:
                st.text(sentence)


@contextmanager
def errors_said() -> Iterator[None]:
    """Show one of our errors in place of what it keeps from being drawn. Also a decorator of drawing functions."""
    try:
        yield
    except NmtError as error:
        show_notes(str(error))


def example_menu(state: State, examples: Sequence[Example], ask: Callable[[Example], dict[str, Any]] | None) -> None:
    """The examples behind a button, each with the point that it makes and its sentence."""

    def label(example: Example) -> str:
        return f"**{example.name}**: {not_markdown(example.text)}"

    def take(example: Example) -> None:
        change_state(type(state), **(ask(example) if ask else {"typed": example.text}))

    if examples:
        st.menu_button(_("Try"), examples, format_func=label, **menu("examples", take))
