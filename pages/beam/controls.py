"""The controls of the Beam search page, and what its address says beside them.

The row holds sentence, pair, model and width, bound to the address by their keys as on the other pages. The
component on the page writes `alpha`, `beta`, `step` and `dropped` there; what-ifs are `whatif` and `compare`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from nmtcore.config import MAX_BEAM, DecodingConfig
from nmtcore.errors import InterventionError, SettingError
from nmtcore.models.checkpoint import CONFIG
from nmtcore.text.vocabulary import Vocab
from pages.beam import constraints
from pages.beam.constraints import Constraint
from pages.beam.contrasts import contrast_sentences, first_model
from pages.common import models, saved_models
from pages.common.controls import (
    DEFAULT_BEAM,
    beam_slider,
    choice_box,
    of_this_page,
    offered_examples,
    question_row,
    remember_question,
    restore_question,
    sentence_box,
    source_language,
)
from pages.common.copy_link import copy_link
from pages.common.i18n import _, languages, title
from pages.common.link_checks import brings_sentence, leave_out_long, left_out, not_here, unknown_choice
from pages.common.text import not_markdown
from pages.common.tree import View

DROPPED = ("none", "step", "all")
MOST = 400  # letters of a typed beginning


@dataclass(frozen=True)
class SearchQuestion:
    """What a person asks of a search, and plain sentences about what the address asked in vain."""

    model: str
    source: str  # language
    text: str
    beam: int
    notes: tuple[str, ...]


def search_question(choices: Sequence[str]) -> SearchQuestion:
    """The row of controls: sentence, pair, model, width; below it the examples and the link to copy."""
    left = left_out()
    notes = (*left, *unknown_choice(choices), *_bad_width())
    linked = brings_sentence()
    restore_question(choices)
    with question_row():
        sentence = st.container(width="stretch")
        choice = choice_box(choices, _change_choice, 190)
        ids = models.available(choice)
        offered, opens = _offered(choice)
        named = st.query_params.get("model")
        if named is not None and "model" not in st.session_state and named not in map(title, offered):
            notes = (*notes, not_here(named, title(opens)))
        with of_this_page():
            architecture = st.selectbox(
                _("Model"),
                offered,
                index=offered.index(opens),
                key="model",
                format_func=title,
                on_change=_forget,
                label_visibility="collapsed",
                bind="query-params",
                width=150,
            )
        beam = beam_slider(_("Width {width}"), 120, lambda: _forget("step", "later"))
        model = ids[architecture]
        if left:
            st.session_state["text"] = _opening(choice, model)
        text = sentence_box(sentence, _opening(choice, model), _forget)
    if linked:
        leave_out_long(text, notes)
    remember_question(choice, text)
    _example_links(choice, model)
    notes = (*saved_models.usable()[1], *notes)
    return SearchQuestion(model, languages(models.pair_of(choice))[0], text, beam, notes)


def view() -> tuple[View, tuple[str, ...]]:
    """How the tree opens, as the address says, and a sentence about each part of it that cannot be."""
    notes, numbers = [], {}
    for name in ("alpha", "beta"):
        try:
            value = float(st.query_params.get(name, getattr(View, name)))
            DecodingConfig(**{name: value})
            numbers[name] = value
        except SettingError as error:
            notes.append(str(error))
        except ValueError:
            asked = st.query_params[name][:40]
            notes.append(_("{name} must be a number from 0 to 5; it is {value}.").format(name=name, value=repr(asked)))
    step = st.query_params.get("step", "0")
    if not (step.isascii() and step.isdecimal()):
        notes.append(_("The step must be a whole number; the search is shown as a whole."))
        step = "0"
    dropped = st.query_params.get("dropped", "step")
    if dropped not in DROPPED:
        notes.append(_("The link asks for dropped candidates that are not none, step or all: one step's are shown."))
        dropped = "step"
    whole = st.query_params.get("later") == "shown"
    return View(**numbers, step=int(step[:6]), whole=whole, dropped=dropped), tuple(notes)


def whatifs() -> tuple[tuple[Constraint, ...], tuple[str, ...]]:
    """The what-ifs in the address, and a sentence about one that cannot be read."""
    found: list[Constraint] = []
    notes: list[str] = []
    for code in filter(None, st.query_params.get("whatif", "").split("~")):
        try:
            found.extend(constraints.read(code))
        except InterventionError as error:
            notes.append(str(error))
    return tuple(found), tuple(notes)


def candidate() -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The beginning that is compared with the winner, as token ids, and a sentence where it cannot be read."""
    code = st.query_params.get("compare", "")
    found = constraints.read_ids(code)
    if code and not found:
        return (), (_("The link compares with a candidate that cannot be read: it was left out."),)
    return found, ()


def acted(changes: Mapping[str, str]) -> None:
    """What a click in the tree changes: `whatif`, `compare`; `alpha` and `beta` are those that it was made with."""
    if "whatif" in changes:
        _forget("step", "later", "compare")
    for name in {"whatif", "compare", "alpha", "beta"} & set(changes):
        if changes[name]:
            st.query_params[name] = changes[name]
        else:
            st.query_params.pop(name, None)


def begin_with(vocab: Vocab) -> None:
    """A box for the first words of the translation: search goes on from them. An empty one ends that what-if."""
    held = _held(whatifs()[0])
    _show_held(held, vocab)
    with st.container(key="begin", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_("What if the translation began with"), width="content")
        typed = st.text_input(
            _("First words of the translation"),
            key="beginning",
            max_chars=MOST,
            on_change=_begin,
            args=(vocab,),
            label_visibility="collapsed",
            width=320,
        )
    try:
        if typed and typed != st.session_state["beginning held"][1]:
            constraints.beginning(typed, vocab)
    except InterventionError as error:
        st.text(str(error))
        if held:
            st.text(_("Until then the what-if stands: {what}.").format(what=held.sentence(vocab)))


def _held(asked: Sequence[Constraint]) -> Constraint | None:
    """The beginning that search goes on from: the last one that was asked for."""
    return next((what for what in reversed(asked) if what.beginning), None)


def _show_held(held: Constraint | None, vocab: Vocab) -> None:
    """The box holds that beginning, whoever asked for it: link, box or tree. What is refused stays as typed."""
    code, text = (held.code, held.typed(vocab)[:MOST]) if held else ("", "")
    if "beginning" not in st.session_state or st.session_state.get("beginning held") != (code, text):
        st.session_state["beginning held"] = (code, text)
        st.session_state["beginning"] = text


def _begin(vocab: Vocab) -> None:
    typed = (st.session_state["beginning"] or "").strip()
    try:
        asked = (constraints.beginning(typed, vocab),) if typed else ()
    except InterventionError:
        return
    before = whatifs()[0]
    after = (*(what for what in before if not what.beginning), *asked)
    if after != before:
        acted({"whatif": constraints.write(after)})


def _bad_width() -> tuple[str, ...]:
    """The slider takes no width outside its range: say so, for it says nothing."""
    asked = st.query_params.get("beam", str(DEFAULT_BEAM))
    try:
        DecodingConfig(beam=int(asked))
    except SettingError as error:
        return (str(error),)
    except ValueError:
        return (
            _("The beam width must be a whole number from 1 to {most}; it is {asked}.").format(
                most=MAX_BEAM, asked=repr(asked[:40])
            ),
        )
    return ()


def _example_links(choice: str, model: str) -> None:
    with st.container(key="examples", horizontal=True, vertical_alignment="center", gap="small"):
        offered = contrast_sentences(model) or offered_examples(choice)
        if offered:
            st.caption(_("Try:"), width="content")
        for number, example in enumerate(offered):
            st.button(
                example.name,
                key=f"example {number}",
                type="tertiary",
                help=not_markdown(example.text),
                on_click=_ask,
                args=(example.text,),
            )
        st.space("stretch")
        copy_link()


def _opening(choice: str, model: str) -> str:
    offered = contrast_sentences(model) or offered_examples(choice)
    return offered[0].text if offered else ""


def _first(choice: str) -> str:
    """The architecture that a choice opens with: of a saved model its own."""
    found = saved_models.usable()[0].get(choice)
    return found.architecture if found else first_model(choice)


def _offered(choice: str) -> tuple[list[str], str]:
    """The architectures that a choice has, and the one that it opens with."""
    ids = models.available(choice)
    there = [architecture for architecture, model in ids.items() if (models.folder(model) / CONFIG).exists()]
    first = _first(choice)
    return there, first if first in there else there[-1]


def _change_choice() -> None:
    """A sentence in another language than the new source makes way for the opening sentence."""
    new = st.session_state["pair"]
    _forget()
    st.session_state["model"] = _offered(new)[1]  # without a value it would take the address's, of the old choice
    if source_language(new) != st.session_state.get("last source language"):
        st.session_state["text"] = _opening(new, models.available(new).get(_first(new), ""))  # type: ignore[call-overload]


def _ask(text: str) -> None:
    _forget()
    st.session_state["text"] = text


def _forget(*names: str) -> None:
    """What-ifs and steps are of one search: they go when another is asked for."""
    for name in names or ("whatif", "compare", "step", "later"):
        st.query_params.pop(name, None)
    if not names:
        st.session_state["beginning"] = ""
