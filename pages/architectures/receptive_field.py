"""What a state of the convolutional encoder has seen, layer by layer, for a word that is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from nmtcore.analysis.receptive_field import find_receptive_field
from nmtcore.config import ConvolutionalConfig
from nmtcore.figures.receptive_field import field_table, pyramid
from nmtcore.text.words import sentence_names
from pages.architectures.found import Found
from pages.common.controls import linked_selectbox, show_notes
from pages.common.figure import draw_figure, theme_colors
from pages.common.i18n import _
from pages.common.link_parameters import SEES


def draw_receptive_fields(found: Sequence[Found]) -> None:
    """The pyramid of the first convolutional model; nothing without one."""
    one = next((one for one in found if isinstance(one.config, ConvolutionalConfig)), None)
    if one is None:
        return
    assert isinstance(one.config, ConvolutionalConfig)
    tokens, layers, k = one.beam.source, one.config.encoder_layers, one.config.kernel
    names = sentence_names(tokens)
    st.header(_("What has a convolution seen?"), anchor=False)
    usual = str((len(tokens) - 1) // 2 + 1)
    parameter = SEES.among([str(i + 1) for i in range(len(tokens))], usual, wrong=_wrong)
    show_notes(*parameter.note())
    drawing, words = st.columns([5, 2], gap="medium")
    with words:
        code = linked_selectbox(
            parameter, _("The word whose state is followed"), lambda i: f"{i} {names[int(i) - 1]}", 240
        )
    field = find_receptive_field(one.config, len(tokens), int(code) - 1)
    table = field_table(field, names)
    rows = [_("words"), *(_("layer {number}").format(number=layer) for layer in range(1, layers + 1))]
    with drawing:
        draw_figure(
            partial(pyramid, field, tokens, rows, theme_colors().ink),
            key="receptive-field",
            title=_("What the last layer's state of “{word}” has seen: {model}, {sentence}").format(
                word=names[int(code) - 1], model=one.title, sentence=one.text
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


def _wrong(asked: str) -> str:
    return _("The link asks for a word that this sentence does not have: one in its middle is shown.")
