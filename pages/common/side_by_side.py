"""Models that stand side by side on one sentence: those that ship for its languages, and saved ones that fit them.

In the address each has a code: its architecture, or `saved.` and the name under which it was saved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from nmtcore.config import ARCHITECTURES
from nmtcore.models.checkpoint import CONFIG
from pages.common import models, saved_models
from pages.common.controls import show_notes
from pages.common.examples import unseen_name
from pages.common.i18n import _
from pages.common.link_parameters import MODELS
from pages.common.once import once_a_run
from pages.common.text import not_markdown

MOST = 4  # columns that can be read beside one another
CHIPS, REFUSED, BEFORE = "model chips", "model chips refused", "model chips before"  # keys of the session


@once_a_run
def offered(choice: str) -> dict[str, str]:
    """The ids of all models that fit a choice, by their codes, each saved one behind that which ships.

    The models that the choice opens with are among them, there or not.
    """
    return {code(model): model for model in fitting(choice)}


@once_a_run
def fitting(choice: str) -> tuple[str, ...]:
    """The ids of all models that fit a choice, however they write, in the order of their architectures."""
    saved = saved_models.usable()[0]
    pair, own = models.pair_of(choice), saved.get(choice)
    on_shelf = pair in models.pairs()
    place = models.model_directory() / pair
    ids = [f"{pair}/{name}" for name in ARCHITECTURES if (place / name / CONFIG).exists()]
    ids += models.available(choice).values()
    alike = [model for model in saved.values() if on_shelf or own is None or model.exercise == own.exercise]
    ids += [model.id for model in alike if model.pair == pair]
    order = list(ARCHITECTURES)
    ids.sort(key=lambda model: (order.index(models.architecture(model)), model in saved))
    return tuple(dict.fromkeys(ids))


def code(model: str) -> str:
    """A model in the address."""
    return models.link_code(model) if saved_models.is_saved(model) else models.architecture(model)


def label(model: str) -> str:
    """A model in words, as it heads its column."""
    return models.heading(model, models.architecture(model))


def opening(choice: str) -> tuple[str, ...]:
    """The codes of the models that a choice opens with: the core models of its pair, a saved one in its place."""
    usual = {code(model) for model in models.available(choice).values()}
    return tuple(name for name in offered(choice) if name in usual)


def chosen(choice: str) -> tuple[str, ...]:
    """The ids of the models that the address asks for, at most four, in a fixed order; else those of the opening."""
    found = offered(choice)
    asked = [name for name in dict.fromkeys(MODELS.items()) if name in found][:MOST]
    return tuple(found[name] for name in found if name in (asked or opening(choice)))


def model_chips(choice: str) -> tuple[str, ...]:
    """A quiet row of chips that chooses the models; returns their ids."""
    found, shown = offered(choice), chosen(choice)
    if st.session_state.setdefault(BEFORE, choice) != choice:  # other languages: what they lack was not asked of them
        st.session_state[BEFORE] = choice
        _write(choice, [name for name in MODELS.items() if name in found])
        shown = chosen(choice)
    asked = dict.fromkeys(MODELS.items())
    notes = [MODELS.wrong(name) for name in asked if name not in found][:3]
    if len([name for name in asked if name in found]) > MOST or st.session_state.pop(REFUSED, "") == "many":
        notes.append(_("At most {most} models fit side by side: take one away first.").format(most=MOST))
    show_notes(*notes)
    if len(found) < 2:
        return shown
    st.session_state[CHIPS] = [code(model) for model in shown]

    def choose() -> None:
        names = st.session_state[CHIPS]
        if len(names) > MOST:
            st.session_state[REFUSED] = "many"
        elif names:  # the last one stays
            _write(choice, names)

    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="models row"):
        st.caption(_("Models"), width="content")
        st.pills(
            _("Models"),
            tuple(found),
            selection_mode="multi",
            key=CHIPS,
            format_func=lambda name: label(found[name]),
            on_change=choose,
            label_visibility="collapsed",
            width="content",
        )
        if "copying" in found and (example := unseen_name(models.pair_of(choice))):
            st.button(
                example.name,
                key="new name",
                type="tertiary",
                help=not_markdown(example.text),
                on_click=_ask_copying,
                args=(choice, shown, example.text),
            )
    return shown


def _ask_copying(choice: str, shown: Sequence[str], text: str) -> None:
    """Ask for a sentence with the copying model beside the others; where four are shown, the first makes way."""
    others = [code(model) for model in shown if code(model) != "copying"]
    st.session_state["text"] = text
    _write(choice, [*others[-MOST + 1 :], "copying"])


def _write(choice: str, names: Iterable[str]) -> None:
    wanted = tuple(name for name in offered(choice) if name in set(names))
    MODELS.write(() if wanted == opening(choice) else wanted)
