"""Position ablation: the live Transformer without positions, and with its words in another order."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nmtcore.analysis.position_ablation import PermutedStates, permuted_states, random_order
from nmtcore.decoding.trace import Trace
from nmtcore.figures import word_bars
from nmtcore.figures.palette import HUES
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.text.words import sentence_names
from nmtcore.views.parameters import SIDES
from pages.common import models, saved_models
from pages.common.address import control, fragment, read_state
from pages.common.controls import errors_said
from pages.common.figure import draw_figure, theme_colors
from pages.common.i18n import _
from pages.common.opening import ModelPage
from pages.common.result import log_p, number_text, translation_line, unfinished_note
from pages.common.switch import shown_for
from pages.common.tour import TourStep, guided_tour
from pages.positions.own_order import order_chips
from pages.positions.state import ORDER_LETTERS, OWN, SHUFFLES, PositionsState
from pages.positions.tour import BOTH, MOVED, ORDERS, RESULTS, side_name, tour_steps

CSS = Path(__file__).with_suffix(".css")
COMING = "\u00a0"  # a blank remark that reserves space for the one to come
ROUNDING = 1e-4  # more than 32-bit rounding changes in the encoder
SCALE = 1.5  # of the bars: the same scale for all orders of nearly all sentences

CHANGES = {
    "source": Intervention(positions="dropped"),
    "target": Intervention(target_positions="dropped"),
    "both": Intervention(positions="dropped", target_positions="dropped"),
}


@fragment
@errors_said()  # for example a saved model that has been deleted meanwhile
def position_ablation(page: ModelPage[PositionsState]) -> None:
    """Four runs of the live model: words in order and shuffled, positions kept and removed; and the page's tour.

    The tour stands outside the section, since its steps go to others, which hide this one.
    """
    with shown_for("section", "order"):
        steps = _four_runs(page)
    guided_tour(steps)


def _four_runs(page: ModelPage[PositionsState]) -> list[TourStep]:
    """Draw the four runs; returns the steps of the tour.

    The encoder alone takes no time: its part is drawn before the translations arrive, each in its place.
    """
    trace = page.trace
    state, _notes = read_state(PositionsState)
    removed = state.removed
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        _switch(state, "shuffle", _("Shuffle the pieces"), (*range(1, SHUFFLES + 1), OWN), _order_name)
        _switch(state, "removed", _("Remove the positions of"), SIDES, side_name)
    pieces = tuple(sentence_names(trace.source[:-1]))
    order = order_chips(state, pieces) if state.shuffle == OWN else random_order(len(pieces), state.shuffle)
    with st.container(key=BOTH):
        st.html(CSS)
        with st.container(key=ORDERS):
            left, right = st.columns(2, gap="medium")
        left.text(" ".join(pieces))
        right.text(" ".join(pieces[i] for i in order))
        with st.container(key=RESULTS):
            places = [column.empty() for __ in range(2) for column in st.columns(2, gap="medium")]
    names = _run_names(removed)
    _draw_translation(places[0], names[0], trace)
    for place, name in zip(places[1:], names[1:], strict=True):
        _draw_translation(place, name, None)
    if removed != "source":
        st.caption(
            _(
                "Without positions of the target the decoder does not know how far it has got. Its future mask still "
                "tells it what came before: from the second layer on, each vector that it reads is made from the "
                "words before."
            )
        )
    loaded = models.load(page.model)
    # The encoder reads the positions of the source alone.
    kept, gone = (permuted_states(loaded, page.source, order, change) for change in (NO_CHANGE, CHANGES["source"]))
    encoder_output_shift(page.source.text, kept, gone, removed)
    ways = [(change, moved) for change in (NO_CHANGE, CHANGES[removed]) for moved in ((), order)]
    traces = models.ask([models.request(page.model, page.source, page.decoding, *way) for way in ways])
    for i, (place, name, trace) in enumerate(zip(places, names, traces, strict=True)):
        said = [_("the same, word for word")] if i % 2 == 1 and trace.text == traces[i - 1].text else []
        example = "" if saved_models.is_saved(page.question.choice) else page.question.opening()  # which needs them
        if i == 2 and trace.text == traces[0].text and example not in ("", page.source.text):
            said = [_("the same as with positions: try “{example}”").format(example=example)]
        _draw_translation(place, name, trace, said)
    return tour_steps(order, removed, traces, (kept, gone))


def _switch(state: PositionsState, name: str, label: str, options: Sequence[Any], titles: Callable[[Any], str]) -> None:
    """The options of a field beside their label: on one line, so that the translations begin higher."""
    st.caption(label, width="content")
    st.segmented_control(
        label,
        options,
        format_func=titles,
        required=True,
        label_visibility="collapsed",
        width="content",
        **control(state, name),
    )


def _draw_translation(place: DeltaGenerator, name: str, trace: Trace | None, said: Sequence[str] = ()) -> None:
    """A translation, or a note that it is still to come; said: how it compares with the others."""
    with place:
        if trace is None:
            translation_line(name, "transformer", "…", COMING)
            return
        notes = (log_p(trace.log_probability), *said, *unfinished_note(trace))
        translation_line(name, "transformer", trace.text, *notes)


def _run_names(removed: str) -> tuple[str, ...]:
    """The headings of the four translations, line by line."""
    return (
        _("In order, with positions"),
        _("As chosen, with positions"),
        *{
            "source": (_("In order, positions of the source removed"), _("As chosen, positions of the source removed")),
            "target": (_("In order, positions of the target removed"), _("As chosen, positions of the target removed")),
            "both": (_("In order, all positions removed"), _("As chosen, all positions removed")),
        }[removed],
    )


def _order_name(shuffle: int) -> str:
    if shuffle == OWN:
        return _("my own order")
    return _("shuffle {letter}").format(letter=ORDER_LETTERS[shuffle - 1])


def encoder_output_shift(sentence: str, kept: PermutedStates, removed: PermutedStates, side: str) -> None:
    """How far the encoder's outputs move when the words are shuffled, with positions and without.

    side: whose positions the translations above lack; the encoder reads those of the source alone.
    """
    st.header(_("How far does the encoder's output for each word move?"), anchor=False)
    *columns, words = st.columns([1, 1, 0.8], gap="medium")
    most = max(SCALE, float(kept.moved.max()), float(removed.moved.max()))
    without = _("All positions removed") if side == "both" else _("Positions of the source removed")
    names = (_("With positions"), without)
    if side == "target":
        st.caption(_("The encoder never sees the target: here, too, it is the source that loses its positions."))
    for column, name, states in zip(columns, names, (kept, removed), strict=True):
        with column, st.container(key=MOVED if states is removed else None):
            largest = number_text(states.largest)
            st.markdown(f"**{name}**")
            st.caption(_("No number changes by more than **{value}**.").format(value=largest))
            hue, domain = HUES["transformer"], (0, most)
            pieces = sentence_names(states.tokens)
            draw_figure(
                partial(
                    word_bars.bars_by_word, pieces, states.moved, hue, domain, "|h′ − h| / |h|", theme_colors().ink
                ),
                key="moved-kept" if states is kept else "moved-removed",
                title=_("How far the encoder's outputs move when the words are shuffled. {name}: {sentence}").format(
                    name=name, sentence=sentence
                ),
                table=pd.DataFrame({"piece": pieces, "moved": states.moved}),
            )
    with words:
        st.markdown(
            _(
                "The encoder reads the same pieces in another order. Without positions each piece gets the output "
                "that it had, but for 32-bit rounding: the outputs are permuted like the words."
            )
        )
        st.latex(r"f(\Pi X)=\Pi f(X)")
        if kept.largest < ROUNDING:  # the original order, or equal words that changed places
            st.markdown(_("Here every place has the word that it had, so nothing changes with positions either."))
        else:
            st.markdown(_("With positions, each word carries its place, and the outputs change."))
            st.latex(r"f(\Pi X{+}PE)\neq\Pi f(X{+}PE)")
