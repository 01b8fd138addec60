"""The one vector: the encoder's states, C that they leave, the decoder's states and what each of them writes.

The browser gets all states of the decode once; stepping, playing, pointing and saving never run the page. The step
stands in the address (`step=3`), written there by the component.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from nmtcore.config import RecurrentConfig
from nmtcore.decoding.trace import Trace
from nmtcore.figures.palette import ARCHITECTURE
from pages.common.alignment.heads import in_base64
from pages.common.i18n import _, title
from pages.common.scripts import joined
from pages.common.steps import walking

HERE = Path(__file__).parent
STEPS = HERE.parent / "steps"
DRAWING = (  # of the alignments
    *("dom", "mount", "number", "icons", "piece", "tokens", "color", "layout", "width"),
    *("address", "paper", "maps"),
)
WALKING = ("place", "notation", "softmax", "record", "saving", "transport", "walk", "numbers")  # of the stepper
OWN = ("states", "plan", "cells", "picture", "candidates", "tables", "bottleneck")
SCRIPTS = (  # in import order
    *(HERE.parent / "alignment" / f"{name}.js" for name in DRAWING),
    *(STEPS / f"{name}.js" for name in WALKING),
    *(HERE / f"{name}.js" for name in OWN),
)
STYLES = (STEPS / "steps.css", HERE / "bottleneck.css")
FULL = 32767  # the 16-bit number that stands for 1

_component = st.components.v2.component(
    "bottleneck", js=joined(SCRIPTS), css="\n".join(style.read_text(encoding="utf-8") for style in STYLES)
)


def bottleneck(trace: Trace, config: RecurrentConfig, *, key: str) -> None:
    """Draw the decode of a model without attention."""
    _component(key=key, data={**record(trace, config), "words": words()})


def record(trace: Trace, config: RecurrentConfig) -> dict[str, Any]:
    """What the browser draws.

    cells: h_1 .. h_S, C, s_1 .. s_T, each of D numbers, in 16 bits and base64. All of them come from a tanh or lie
    between two that do, so they are at most 1 in size, and rounding changes none by more than 1.6e-5.
    """
    inner = trace.inner
    cells = np.concatenate((inner["states"][0], inner["summary"][-1:], inner["state"][:, 0]))  # (S + 1 + T, D)
    return {
        "model": title("none"),
        "sentence": trace.source_text,
        "hue": ARCHITECTURE["none"],
        "size": config.units,
        "cells": in_base64(np.round(cells.clip(-1, 1) * FULL).astype("<i2")),
        "source": list(trace.source),
        "target": list(trace.target),
        "finished": trace.finished,
        "bothWays": config.bidirectional,
        "everyStep": config.context == "every_step",
        "taken": list(trace.ids),
        "probabilities": [step.probability for step in trace.steps],
        "candidates": [[[c.token, c.probability, c.id] for c in step.candidates] for step in trace.steps],
    }


def words() -> Mapping[str, Any]:
    """The component's own words, in the language of the page. Names in braces are filled in the browser."""
    return {
        "title": _("{model}, step {step}: {sentence}"),
        **walking(),
        "slider": _("Step of the decoder"),
        "where": _("Step {j} of {T}: {word}"),
        "figure": _("the states"),
        "ignored": _("The link asked for {asked}; it can be {low} to {high}."),
        "says": _(
            "Each column is one state: {D} numbers, red below zero, blue above. The encoder made {all} numbers "
            "of this sentence. Only {C} goes on, made from the outlined ends, and it has {D}, "
            "however long the sentence is."
        ),
        "wrote": _("After {last} the decoder writes {word}: probability {p}."),
        "frame": _("The states as columns of coloured cells; arrow keys step"),
        "picture": _(
            "{S} encoder states lead into one vector C of {D} numbers, and out of it come {T} decoder states; {j} of "
            "them are there so far. A table of the numbers can be opened below."
        ),
        "named": _("{word}: component {i} of {state} is {value}"),
        "unnamed": _("Component {i} of {state} is {value}"),
        "candidates": _("The likeliest next pieces"),
        "probability": _("probability"),
        "open": _("The numbers as tables"),
        "state": _("state"),
        "piece": _("piece"),
        "table_states": _("The first {count} of {D} components of every state; the CSV has all"),
    }
