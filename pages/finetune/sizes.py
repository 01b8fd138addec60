"""The size of a model from scratch: how it is chosen and described, by the class of its configuration.

A class that is not in SIZES has the small sizes of its architecture and offers no choice.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from nmtcore.config import (
    ARCHITECTURES,
    Architecture,
    MaskPredictConfig,
    ModelConfig,
    RecurrentConfig,
    TransformerConfig,
    model_config,
)
from nmtcore.models.scores import SCORES
from pages.common.form import held
from pages.common.i18n import _

Settings = dict[str, Any]  # fields of a ModelConfig


@dataclass(frozen=True)
class Size:
    """choose: draws the controls, which open with the small sizes; say: describes the size in a few words.

    more: draws the advanced controls of an architecture.
    """

    choose: Callable[[Settings, str], Settings]
    say: Callable[[Mapping[str, Any]], str]
    more: Callable[[Architecture, str], Settings] = lambda architecture, key: {}


def _components(usual: int) -> str:
    return _("Usual: {usual}. Components of a state: more of them can learn more, and take longer.").format(usual=usual)


def _choose_recurrent(small: Settings, key: str) -> Settings:
    units = st.select_slider(
        _("Units"), (16, 32, 64, 128, 256), int(small["units"]), key=f"units-{key}", help=_components(small["units"])
    )
    cell = st.segmented_control(
        _("Cell"),
        ("rnn", "gru", "lstm"),
        default="gru",
        format_func=str.upper,
        key=f"cell-{key}",
        help=_("Usual: GRU. Its two gates keep a word over many steps; an LSTM has three, an RNN none, and forgets."),
    )
    return {"units": units, "embedding": max(16, units // 2), "cell": cell or "gru"}


def _say_recurrent(settings: Mapping[str, Any]) -> str:
    return _("{cell}, {units} units").format(cell=str(settings.get("cell", "gru")).upper(), units=settings["units"])


def _choose_layers(small: Settings, key: str) -> Settings:
    """Width, layers and heads of a Transformer, or of a model with its layers."""
    width = st.select_slider(
        _("Width"), (32, 64, 128, 256), int(small["width"]), key=f"width-{key}", help=_components(small["width"])
    )
    layers = st.slider(
        _("Layers of encoder and decoder"),
        1,
        4,
        int(small["encoder_layers"]),
        key=f"layers-{key}",
        help=_("Usual: {usual} for an exercise, six in the paper. Every layer looks at the sentence once more.").format(
            usual=small["encoder_layers"]
        ),
    )
    heads = st.select_slider(
        _("Heads"),
        (1, 2, 4, 8),
        int(small["heads"]),
        key=f"heads-{key}",
        help=_("Usual: {usual}. Each looks where it wants, with its part of the width.").format(usual=small["heads"]),
    )
    return {
        **{"width": width, "feedforward": 2 * width, "heads": heads},
        **{"encoder_layers": layers, "decoder_layers": layers},
    }


def _choose_transformer(small: Settings, key: str) -> Settings:
    size = _choose_layers(small, key)
    if small.get("positions") == "relative":  # an architecture of its own
        return size
    positions = st.segmented_control(
        _("Positions"),
        ("sinusoidal", "learned", "none"),
        default="sinusoidal",
        key=f"positions-{key}",
        format_func=lambda name: {"sinusoidal": _("sinusoidal"), "learned": _("learned"), "none": _("none")}[name],
        help=_(
            "Usual: sinusoidal (Vaswani et al. 2017); learned ones are from Gehring et al. (2017). Without positions a "
            "Transformer cannot tell an order: it will not learn to reverse. Try it."
        ),
    )
    return size | {"positions": positions or "sinusoidal"}


def _say_transformer(settings: Mapping[str, Any]) -> str:
    layers, width = settings["encoder_layers"], settings["width"]
    return _("{layers} + {layers} layers, width {width}").format(layers=layers, width=width)


def _dropout(key: str) -> float:
    return float(
        st.slider(
            _("Dropout"),
            0.0,
            0.9,
            0.0,
            0.05,
            key=f"dropout-{key}",
            help=_(
                "Usual: 0 for an exercise, which has pairs without end; 0.1 to 0.3 where few pairs would be learnt by "
                "heart."
            ),
        )
    )


def _more_recurrent(architecture: Architecture, key: str) -> Settings:
    values: Settings = {"dropout": _dropout(key)}
    layers = st.slider(
        _("Layers of encoder and decoder"),
        1,
        4,
        1,
        key=f"layers-{key}",
        help=_("Usual: 1 for an exercise. Deep recurrent networks are hard to train."),
    )
    values |= {"encoder_layers": layers, "decoder_layers": layers}
    values["bidirectional"] = st.checkbox(
        _("The encoder reads both ways"),
        True,
        key=f"both-ways-{key}",
        help=_(
            "Usual: yes, so that the state of a word knows what follows it (Bahdanau et al. 2015). One way alone: "
            "Sutskever et al. (2014)."
        ),
    )
    if values["bidirectional"]:
        values["merge"] = st.selectbox(
            _("Both directions are"),
            ("concat", "sum", "mean"),
            key=f"merge-{key}",
            format_func=lambda name: {
                "concat": _("concatenated, half of the units each"),
                "sum": _("added"),
                "mean": _("averaged"),
            }[name],
            help=_(
                "Usual: concatenated (Bahdanau et al. 2015). Added: as in Deep Speech 2 (Amodei et al. 2016). "
                "Averaged: half of that sum, an option of Keras (Bidirectional). For both, each direction has all "
                "units, and more weights."
            ),
        )
    if scores := [name for name, score in SCORES.items() if score.architecture == architecture]:
        sources = [f"{_(SCORES[name].title)}: {SCORES[name].source}" for name in scores]
        values["attention"] = st.selectbox(
            _("Score function"),
            scores,
            key=f"score-{key}",
            format_func=lambda name: f"{_(SCORES[name].title)}, {SCORES[name].short}",
            help=_("Usual: {usual}. Sources: {sources}.").format(
                usual=_(SCORES[scores[0]].title), sources="; ".join(sources)
            ),
        )
    if architecture != "none":
        values |= _locality(key)
    if architecture == "copying":  # its context goes into the next state
        return values
    contexts = ("start", "every_step") if architecture == "none" else ("input", "output")
    usual = 0 if architecture in ("none", "additive") else 1
    values["context"] = st.selectbox(
        _("Where the context enters"),
        contexts,
        usual,
        key=f"context-{key}",
        format_func=lambda name: {
            "start": _("the first state alone (Sutskever)"),
            "every_step": _("every step (Cho)"),
            "input": _("the decoder's input (Bahdanau)"),
            "output": _("its output (Luong)"),
        }[name],
        help=_("Usual: as in the paper of this architecture."),
    )
    if values["context"] == "output":
        values["input_feeding"] = st.checkbox(
            _("Input feeding"),
            False,
            key=f"feeding-{key}",
            help=_(
                "Usual: no. Luong et al. (2015) feed h̃ of each step to the next, so that the decoder knows where it "
                "has looked; training then goes word by word, which takes longer."
            ),
        )
    return values


def _locality(key: str) -> Settings:
    """Draw the window of local attention."""
    locality = st.selectbox(
        _("The decoder looks at"),
        ("global", "monotonic", "predictive"),
        key=f"locality-{key}",
        format_func=lambda name: {
            "global": _("the whole source"),
            "monotonic": _("a window at its own position"),
            "predictive": _("a window at a place that it predicts"),
        }[name],
        help=_(
            "Usual: the whole source. Local attention (Luong et al. 2015) sees 2D + 1 positions around j, or around "
            "S·sigmoid(v·tanh(Ws)). A window at its own position suits languages of like word order; to reverse a "
            "string is its hard case: try it."
        ),
    )
    if locality == "global":
        return {}
    window = st.slider(_("D, positions on each side"), 1, 20, 2, key=f"window-{key}", help=_("In the paper: 10."))
    return {"locality": locality, "window": window}


def _more_transformer(architecture: Architecture, key: str) -> Settings:
    values: Settings = {"dropout": _dropout(key)}
    norm = st.segmented_control(
        _("Norm"),
        ("pre", "post"),
        default="pre",
        key=f"norm-{key}",
        format_func=lambda name: {"pre": _("before each sub-layer"), "post": _("after it")}[name],
        help=_(
            "Usual: before (Wang et al. 2019). After it (Vaswani et al. 2017), deep models need a warm-up to train at "
            "all."
        ),
    )
    width = int(held(f"width-{key}", 64))
    inner = st.select_slider(
        _("Feed-forward"),
        (32, 64, 128, 256, 512, 1024),
        2 * width,
        key=f"feedforward-{key}-{width}",
        help=_("Usual: twice the width for an exercise, four times in the paper. Components of its inner layer."),
    )
    values |= {"norm": norm or "pre", "feedforward": inner}
    values["scale_embedding"] = st.checkbox(
        _("Embeddings times √D"),
        True,
        key=f"scaled-{key}",
        help=_(
            "Usual: yes, as in Vaswani et al. (2017). Without it the positions have larger numbers than the words at "
            "first."
        ),
    )
    if architecture == "transformer" and held(f"positions-{key}") != "none":
        values["concatenate_positions"] = st.checkbox(
            _("Positions beside the word"),
            False,
            key=f"beside-{key}",
            help=_(
                "Usual: no, they are added to it (Vaswani et al. 2017). Beside it, [e; PE] W: a word's features stand "
                "side by side since Collobert et al. (2011), and the matrix W learns how to join the two."
            ),
        )
    return values


SIZES: dict[type[ModelConfig], Size] = {
    RecurrentConfig: Size(_choose_recurrent, _say_recurrent, _more_recurrent),
    TransformerConfig: Size(_choose_transformer, _say_transformer, _more_transformer),
    MaskPredictConfig: Size(_choose_layers, _say_transformer, lambda architecture, key: {"dropout": _dropout(key)}),
}


def choose_size(architecture: Architecture, key: str) -> Settings:
    """Draw the size controls of a model from scratch; returns fields of its configuration."""
    entry = ARCHITECTURES[architecture]
    size = SIZES.get(entry.config)
    return {**entry.small, **(size.choose(entry.small, key) if size else {})}


def choose_more(architecture: Architecture, key: str) -> Settings:
    """Draw the other settings of a model from scratch."""
    size = SIZES.get(ARCHITECTURES[architecture].config)
    return size.more(architecture, key) if size else {}


def said_size(architecture: Architecture, settings: Mapping[str, Any]) -> str:
    """The size in a few words; empty if there is no choice."""
    size = SIZES.get(ARCHITECTURES[architecture].config)
    if size is None:
        return ""
    whole = model_config(architecture, 400, **settings)  # a run from the command line may omit defaults
    return size.say(dataclasses.asdict(whole))
