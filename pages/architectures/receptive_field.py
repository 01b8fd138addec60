"""What a state of the convolutional encoder has seen, layer by layer, for a chosen word."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from nmtcore.config import ConvolutionalConfig
from nmtcore.figures.receptive_field import field_table, find_receptive_field, pyramid
from nmtcore.text.words import sentence_names
from pages.architectures.results import ModelResult
from pages.architectures.state import SEES, ArchitecturesState
from pages.common.controls import quiet_list, show_notes
from pages.common.figure import draw_figure, theme_colors
from pages.common.i18n import _


def followed(state: ArchitecturesState, count: int) -> int:
    """The position, from 0, of the piece whose state is followed, among this many pieces."""
    return state.sees - 1 if 0 < state.sees <= count else (count - 1) // 2


def convolutional(results: Sequence[ModelResult]) -> tuple[ModelResult, ConvolutionalConfig] | None:
    """The first convolutional model, if there is one."""
    return next(((one, one.config) for one in results if isinstance(one.config, ConvolutionalConfig)), None)


def draw_receptive_fields(state: ArchitecturesState, one: ModelResult, config: ConvolutionalConfig) -> None:
    """The pyramid of a convolutional model."""
    tokens, layers, k = one.record.source, config.encoder_layers, config.kernel
    names = sentence_names(tokens)
    st.header(_("What has a convolution seen?"), anchor=False)
    if state.sees > len(tokens):
        show_notes(SEES.wrong(str(state.sees)))
    place = followed(state, len(tokens))
    drawing, words = st.columns([5, 2], gap="medium")
    with words:
        titles = {number: f"{number} {name}" for number, name in enumerate(names, 1)}
        quiet_list(
            state, "sees", _("The word whose state is followed"), list(titles), titles.__getitem__, value=place + 1
        )
    field = find_receptive_field(config, len(tokens), place)
    table = field_table(field, names)
    rows = [_("words"), *(_("layer {number}").format(number=layer) for layer in range(1, layers + 1))]
    with drawing:
        draw_figure(
            partial(pyramid, field, tokens, rows, theme_colors().ink),
            key="receptive-field",
            title=_("What the last layer's state of “{word}” has seen: {model}, {sentence}").format(
                word=names[place], model=one.title, sentence=one.source.text
            ),
            table=table,
        )
    words.markdown(
        _(
            "A layer sees {k} states of the one below: its own and {sides} on each side. Every hop down adds {sides} "
            "on each side; through {layers} layers this state has seen {seen} of the {all} pieces."
        ).format(k=k, sides=k // 2, seen=int(table["seen"][0]), layers=layers, all=len(tokens))
    )
    words.latex(r"1+l\,(k-1)")
