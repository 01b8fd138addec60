"""The controls that pages share, and what of them is kept for the next page.

The address says what they stand at, so that a link reopens what was on the screen: see `link_parameters.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from nmtcore.config import MAX_BEAM, Architecture
from pages.common import models, saved_models
from pages.common.copy_link import copy_link_button
from pages.common.examples import Example, example_sentences
from pages.common.glossary import glossary_button
from pages.common.i18n import _, languages
from pages.common.link_parameters import BEAM, PAIR, TEXT, VECTORS
from pages.common.link_state import Choice, forget
from pages.common.projection_link import picture_links
from pages.common.reading import reading_switch
from pages.common.text import not_markdown
from pages.common.tour import tour_link

WIDEST = 360  # px of the list of pairs and saved models
LETTER = 8  # px of a letter in it
MORE = 3  # examples of its language beside a saved model's own


@dataclass(frozen=True)
class Question:
    """What a person asks: the text as typed, in which direction, with how wide a beam (1 is greedy).

    choice: what was picked, a pair or a saved model (see models.py); pair: the languages of it; architecture: of the
    one model that was picked, on a page that shows one of several.
    """

    choice: str
    pair: str
    text: str
    beam: int
    architecture: Architecture | None = None

    def model(self, architecture: Architecture) -> str:
        """The id of the model with this architecture. Raises CheckpointError where there is none."""
        return models.model(self.choice, architecture)


def question(choices: Sequence[str], first: int = 0) -> Question:
    """The row of controls at the top of a page: sentence, pair, beam; below it the examples and the link to copy.

    choices: the pairs and saved models that the page can show; first: the number of the example that it opens with.
    """
    restore_question(choices)
    with question_row():
        sentence = st.container(width="stretch")
        choice = choice_box(choices, change_choice)
        beam = beam_slider(_("Beam, width {width}"), 160)
        text = sentence_box(sentence, opening_sentence(choice, first))
    remember_question(choice, text)
    example_links(offered_examples(choice), partial(_remember, "text"), models.pair_of(choice))
    show_notes(*saved_models.usable()[1])
    return Question(choice, models.pair_of(choice), text, beam)


@contextmanager
def question_row() -> Iterator[None]:
    """The row of controls. What is in it belongs to the app, not to the page that is run.

    So Streamlit keeps what the address says of it from page to page, with one step of the browser's history for
    each page, and Back finds the sentence. What belongs to a page is taken out of the address with it.
    """
    with (
        _script(lambda pages: pages.main_script_hash),
        st.container(key="question", horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        yield


def of_this_page() -> AbstractContextManager[None]:
    """For a control in the row that only one page has."""
    return _script(lambda pages: pages.current_page_script_hash)


def _script(which: Callable[[PagesManager], str]) -> AbstractContextManager[None]:
    context = get_script_run_ctx(suppress_warning=True)
    return context.run_with_active_hash(which(context.pages_manager)) if context else nullcontext()


def sentence_box(column: DeltaGenerator, value: str, on_change: Callable[[], None] | None = None) -> str:
    """The sentence as typed, `value` where nobody has typed one."""
    text = column.text_input(
        _("Sentence to translate"),
        value=value,
        key="text",
        placeholder=_("Type a sentence and press Enter"),
        on_change=on_change,
        label_visibility="collapsed",
        bind="query-params",
    )
    return text or ""


def choice_box(choices: Sequence[str], on_change: Callable[[], None], narrowest: int = 200) -> str:
    """The list of language pairs and saved models; wide enough for the longest name in it."""
    labels = models.labels(choices)
    width = max(narrowest, *(min(WIDEST, LETTER * len(label) + 56) for label in labels.values()))
    parameter = models.link_choice(choices)

    def changed() -> None:
        if "." in (VECTORS.asked() or ""):
            forget(VECTORS)  # a row of the embedding table: another piece in another vocabulary
        on_change()

    return linked_selectbox(
        parameter, _("Languages, or a saved model"), labels.__getitem__, width, changed, values=choices
    )


def linked_selectbox(
    parameter: Choice,
    label: str,
    words: Callable[[str], str],
    width: int,
    on_change: Callable[[], None] | None = None,
    values: Sequence[str] = (),
) -> str:
    """A list whose choice stands in the address as a code, whatever language its words are in.

    Streamlit's own binding would write the words. parameter: declares the codes; its name is the key of the list.
    values: what the codes stand for, if not for themselves.
    """
    meaning = dict(zip(parameter.options, values or parameter.options, strict=True))
    code = parameter.read()
    parameter.write(code)  # in its present form; what cannot be is taken out
    st.session_state[parameter.name] = meaning[code]

    def changed() -> None:
        chosen = st.session_state[parameter.name]
        parameter.write(next(code for code, value in meaning.items() if value == chosen))
        if on_change:
            on_change()

    return st.selectbox(
        label,
        tuple(meaning.values()),
        key=parameter.name,
        format_func=words,
        on_change=changed,
        label_visibility="collapsed",
        width=width,
    )


def restore_question(choices: Sequence[str]) -> None:
    """Ask on this page what was asked on the last: Streamlit forgets what was bound to a page that is left.

    What the address says comes first. Instead of a saved model that this page does not have, its pair is asked; one
    that has been deleted meanwhile is forgotten.
    """
    asked = dict(st.session_state.get("asked", {}))
    come = _just_come()
    missing = asked and asked["pair"] not in choices
    if missing:
        asked["pair"] = models.pair_of(asked["pair"])
    here = not come and all(key in st.session_state for key in asked)
    parameter = models.link_choice(choices)
    # A link to the page that names a question, rather than what it took along from the last page.
    other = PAIR.name in st.query_params and asked and parameter.read() != models.link_code(asked["pair"])
    named = (other or TEXT.name in st.query_params) and not (missing and come)
    if asked and asked["pair"] in choices and not here and not named:
        parameter.write(models.link_code(asked["pair"]))
        st.session_state["text"] = asked["text"]
    elif come and TEXT.name in st.query_params:
        # Said again, or the browser may fill a box that it draws anew with the opening sentence.
        st.session_state["text"] = st.query_params[TEXT.name]
    if st.session_state.get("pair", choices[0]) not in choices:
        st.session_state.pop("text", None)


def _just_come() -> bool:
    """Whether the question before was asked on another page: what is in the state then is that page's.

    A run that ended before its question was drawn, since another page was chosen, does not count.
    """
    return bool(st.session_state.get("asked page", _page()) != _page())


def _page() -> str:
    context = get_script_run_ctx(suppress_warning=True)
    return context.page_script_hash if context else ""


def remember_question(choice: str, text: str) -> None:
    """Remember a question for `restore_question`."""
    st.session_state["asked page"] = _page()
    st.session_state["last source language"] = source_language(choice)
    st.session_state["asked"] = {"pair": choice, "text": text}


def show_notes(*sentences: str) -> None:
    """Plain sentences to the person. Whatever is quoted in them is shown as it is, never as Markdown or HTML."""
    if sentences:
        with st.container(key=f"said {'|'.join(sentences)}"[:80], gap="xxsmall"):
            for sentence in sentences:
                st.text(sentence)


def beam_slider(label: str, room: int, on_change: Callable[[], None] | None = None) -> int:
    """The beam's width, behind a button of `room` px; `label` names a {width} above 1.

    Not bound to the address by Streamlit, which takes out of it what belongs to a slider that nobody has opened yet.
    """
    st.session_state["beam"] = width = BEAM.read()
    BEAM.write(width)  # a width that cannot be is taken out of the address
    shown = _("Greedy") if width == 1 else label.format(width=width)
    with st.popover(shown, key="beam row", width=room):
        return st.slider(
            _("Hypotheses kept at every step; 1 is greedy search"),
            1,
            MAX_BEAM,
            key="beam",
            on_change=_widen,
            args=(on_change,),
        )


def _widen(then: Callable[[], None] | None) -> None:
    BEAM.write(st.session_state["beam"])
    if then:
        then()


def example_links(offered: Sequence[Example], ask: Callable[[str], None], pair: str) -> None:
    """A link for each example, which asks for its sentence; what the terms mean; the links to the tour and to copy.

    Where the source of the pair is Mandarin, also the link to how it is read.
    """
    row = st.container(key="examples", horizontal=True, vertical_alignment="center", gap="small")
    with row.container(key="offered examples", horizontal=True, vertical_alignment="center", gap="small"):
        if offered:
            st.caption(_("Try:"), width="content")
        for number, example in enumerate(offered):
            st.button(
                example.name,
                key=f"example {number}",
                type="tertiary",
                help=not_markdown(example.text),
                on_click=ask,
                args=(example.text,),
            )
    with row.container(
        key="page links",
        horizontal=True,
        horizontal_alignment="right",
        vertical_alignment="center",
        gap="small",
        width="content",
    ):
        reading_switch(pair)
        tour_link()
        picture_links()
        glossary_button()
        copy_link_button()


def offered_examples(choice: str) -> tuple[Example, ...]:
    """The examples of a choice: of a saved model first what was watched while it was trained."""
    model = saved_models.usable()[0].get(choice)
    if model is None:
        return example_sentences(choice)
    own = [Example(_("the watched sentence"), model.pinned[0])]
    if model.longer:
        own.append(Example(_("longer than in training"), model.longer))
    return (*own, *example_sentences(model.pair)[:MORE])


def opening_sentence(choice: str, first: int = 0) -> str:
    """The sentence that a choice opens with: nobody meets an empty page.

    first: the number of the example, but for a saved model, which opens with its own sentence.
    """
    offered = offered_examples(choice)
    if first and choice in saved_models.usable()[0]:  # looked up in the folder of runs: only where it matters
        first = 0
    return offered[min(first, len(offered) - 1)].text if offered else ""


def source_language(choice: str) -> str:
    """What a choice reads: a language, or the made-up one of its exercise."""
    model = saved_models.usable()[0].get(choice)
    if model is None:
        return languages(choice)[0]
    return languages(model.pair)[0] if model.pair in models.pairs() else f"{model.source} {model.exercise}"


def change_choice() -> None:
    """A sentence in another language than the new source makes way for the opening sentence."""
    new = st.session_state["pair"]
    if source_language(new) != st.session_state.get("last source language"):
        st.session_state["text"] = opening_sentence(new)


def _remember(key: str, value: str) -> None:
    st.session_state[key] = value
