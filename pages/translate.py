"""Translate: all four models side by side on the same sentence."""

from __future__ import annotations

import time

import streamlit as st

from nmtcore.config import DecodingConfig
from nmtcore.errors import CheckpointError, TextError
from nmtcore.trace import Trace
from pages.shared import models
from pages.shared.alignment import Panel, alignment
from pages.shared.controls import question
from pages.shared.text import clean
from pages.shared.words import _, architecture, languages, plain

PATIENCE = 0.6  # seconds of decoding before what is there is drawn


def panel(trace: Trace) -> Panel:
    """One model's column: its attention, or the one vector of the model that has none."""
    cross = trace.attention_of("cross")
    return Panel(
        architecture(trace.architecture),
        trace.architecture,
        trace.source,
        trace.target,
        attention=cross,
        vector=None if cross else tuple(trace.inner["summary"][-1]),
        layer=cross.layers - 1 if cross else 0,
        head="mean",
        translation=trace.text,
        log_probability=trace.log_probability,
        seconds=trace.seconds,
        notes=() if trace.finished else (_("stopped at the length limit"),),
    )


st.title(_("Where does each model look?"), anchor=False)
st.markdown(_("Four models translate the same sentence. Pick a word to see, in each of them, what it was made from."))

pairs = models.pairs()
if not pairs:
    st.info(_("There is no model yet. Train one with the command in README.md, or name a folder of models."))
    st.stop()

asked = question(pairs)
panels: list[Panel] = []
problems: list[str] = []
waiting = False
began = time.monotonic()
try:
    ready = clean(asked.text, languages(asked.pair)[0])
    for model in models.models(asked.pair):
        name = model.rpartition("/")[2]
        if panels and time.monotonic() - began > PATIENCE:
            waiting = True
            panels.append(Panel(architecture(name), name))
            continue
        try:
            panels.append(panel(models.translate(model, ready.text, DecodingConfig(asked.beam))))
        except CheckpointError as error:
            problems.append(str(error))
except TextError as error:
    st.info(plain(str(error)))
    st.stop()

for note in (*ready.notes, *problems):
    st.caption(plain(note))
alignment(panels, key="alignment", sentence=ready.text)
if waiting:
    st.rerun()  # what has been decoded is remembered, so the next run goes on from there
