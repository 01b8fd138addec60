"""The size of a model from scratch: how it is chosen and said, by the class of its configuration.

A class that is not listed in SIZES has the small sizes of its architecture, with nothing to choose.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from nmtcore.config import ARCHITECTURES, Architecture, ModelConfig, RecurrentConfig, TransformerConfig, model_config
from pages.common.i18n import _

Settings = dict[str, Any]  # fields of a ModelConfig


@dataclass(frozen=True)
class Size:
    """choose: draws the controls, which begin at the small sizes, by a key of theirs; say: the size in a few words."""

    choose: Callable[[Settings, str], Settings]
    say: Callable[[Mapping[str, Any]], str]


def _choose_recurrent(small: Settings, key: str) -> Settings:
    units = st.select_slider(
        _("Units"), (16, 32, 64, 128, 256), int(small["units"]), key=f"units-{key}", help=_("Components of a state.")
    )
    cell = st.segmented_control(
        _("Cell"), ("rnn", "gru", "lstm"), default="gru", format_func=str.upper, key=f"cell-{key}"
    )
    return {"units": units, "embedding": max(16, units // 2), "cell": cell or "gru"}


def _say_recurrent(settings: Mapping[str, Any]) -> str:
    return _("{cell}, {units} units").format(cell=str(settings.get("cell", "gru")).upper(), units=settings["units"])


def _choose_transformer(small: Settings, key: str) -> Settings:
    width = st.select_slider(
        _("Width"), (32, 64, 128, 256), int(small["width"]), key=f"width-{key}", help=_("Components of a state.")
    )
    layers = st.slider(_("Layers of encoder and decoder"), 1, 4, int(small["encoder_layers"]), key=f"layers-{key}")
    heads = st.select_slider(_("Heads"), (1, 2, 4, 8), int(small["heads"]), key=f"heads-{key}")
    positions = st.segmented_control(
        _("Positions"),
        ("sinusoidal", "learned", "none"),
        default="sinusoidal",
        key=f"positions-{key}",
        format_func=lambda name: {"sinusoidal": _("sinusoidal"), "learned": _("learned"), "none": _("none")}[name],
        help=_("Without positions a Transformer cannot tell an order: it will not learn to reverse. Try it."),
    )
    return {
        **{"width": width, "feedforward": 2 * width, "heads": heads, "positions": positions or "sinusoidal"},
        **{"encoder_layers": layers, "decoder_layers": layers},
    }


def _say_transformer(settings: Mapping[str, Any]) -> str:
    layers, width = settings["encoder_layers"], settings["width"]
    return _("{layers} + {layers} layers, width {width}").format(layers=layers, width=width)


SIZES: dict[type[ModelConfig], Size] = {
    RecurrentConfig: Size(_choose_recurrent, _say_recurrent),
    TransformerConfig: Size(_choose_transformer, _say_transformer),
}


def choose_size(architecture: Architecture, key: str) -> Settings:
    """Draw the controls of the size of a model from scratch; what its configuration gets."""
    entry = ARCHITECTURES[architecture]
    size = SIZES.get(entry.config)
    return {**entry.small, **(size.choose(entry.small, key) if size else {})}


def said_size(architecture: Architecture, settings: Mapping[str, Any]) -> str:
    """The size in a few words; empty where there is nothing to choose."""
    size = SIZES.get(ARCHITECTURES[architecture].config)
    if size is None:
        return ""
    whole = model_config(architecture, 400, **settings)  # a run of the command line may leave out what is the default
    return size.say(dataclasses.asdict(whole))
