"""Gates of an LSTM: what each layer of the pair's deep LSTM forgets, lets in and outputs for this sentence.

The address holds the layer (`lstm=2`, nothing while the section is closed) and the step (`lstm-step=3`).
"""

from functools import partial
from typing import Any

import streamlit as st

from nmtcore.analysis.gates import gates_by_layer
from nmtcore.config import DecodingConfig, DeepRecurrentConfig
from nmtcore.decoding.trace import Trace
from nmtcore.models.deep_recurrent import RESIDUAL_FROM
from nmtcore.views.gates_by_layer.data import data
from pages.common import models
from pages.common.address import as_linked, fragment, read_state
from pages.common.component import Slice, mount
from pages.common.controls import errors_said, show_notes
from pages.common.disclosure import section_button
from pages.common.i18n import _
from pages.common.opening import narrowed_beam
from pages.common.result import log_p, translation_line, unfinished_note
from pages.no_attention.state import LSTM_LAYER, NoAttentionState


@fragment
@errors_said()
def lstm_gates() -> None:
    """A button and, once it is pressed, the gates; nothing if the pair has no deep LSTM."""
    state, _notes = read_state(NoAttentionState)
    asked = state.question
    model = models.word_by_word(asked.choice).get("deep-lstm")
    if model is None:
        return
    config, _meta = models.settings(model)
    assert isinstance(config, DeepRecurrentConfig)
    if state.lstm_layer > config.decoder_layers and as_linked(NoAttentionState, "lstm_layer", "choice"):
        show_notes(LSTM_LAYER.wrong(str(state.lstm_layer)))
    show = _("The gates of an LSTM: what is forgotten, what is let in, what is shown?")
    if not section_button(state, "lstm_layer", show=show, hide=_("Hide the LSTM"), key="lstm", opens=1):
        return
    (trace,) = models.ask([models.request(model, asked.source, DecodingConfig(asked.beam))])
    heading = models.heading(model)
    st.header(_("The same sentence in an LSTM"), anchor=False)
    show_notes(*narrowed_beam(asked.beam, trace))
    left, right = st.columns([2, 3], gap="medium")
    with left:
        translation_line(heading, "deep-lstm", trace.text, log_p(trace.log_probability), *unfinished_note(trace))
    right.markdown(_about(config))
    record = partial(_picture, model, models.stamp(model), trace, heading)
    mount("gates_by_layer", record, key="lstm-gates", state=Slice(state, {"layer": "lstm_layer", "step": "lstm_step"}))


def _about(config: DeepRecurrentConfig) -> str:
    says = _(
        "An LSTM carries a cell *c* from word to word beside its state *s*: the forget gate keeps some of the old "
        "cell, the input gate lets in some of the proposal, the output gate shows some of the new cell as the state. "
        "This decoder has {layers} such layers, one on top of another. It has attention: its context vector enters all "
        "of them at every step."
    ).format(layers=config.decoder_layers)
    if not config.residual or config.decoder_layers <= RESIDUAL_FROM:
        return says
    further = _("From layer {layer} on, a layer passes on the sum of its state and what the layer below passed on.")
    return f"{says} {further.format(layer=RESIDUAL_FROM + 1)}"


def _picture(model: str, stamp: tuple[int, ...], trace: Trace, heading: str) -> dict[str, Any]:
    """The record of the picture. stamp: of the model's files, so that a changed model gets a new picture."""
    loaded = models.load(model)
    config = loaded.config
    assert isinstance(config, DeepRecurrentConfig)
    return data(trace, config, gates_by_layer(loaded, trace), model=heading)
