"""The registry of architectures: one entry each, from which all lists, options, colours and headings are made."""

import dataclasses
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from nmtcore.config.checks import check_choice
from nmtcore.config.models import (
    Architecture,
    ConvolutionalConfig,
    DeepRecurrentConfig,
    MaskPredictConfig,
    ModelConfig,
    RecurrentConfig,
    TransformerConfig,
)
from nmtcore.errors import SettingError

Layer = Literal["recurrent", "self_attention", "convolution"]


@dataclass(frozen=True)
class ArchitectureEntry:
    """One architecture, with everything that lists, options, colours and headings need.

    Its classes are named "module:name", so that settings can be read without loading PyTorch.
    """

    title: str  # in English; pages translate it
    color: str  # its hue in all pictures, distinct for colour-blind people (Okabe and Ito 2008, Tol 2021)
    config: type[ModelConfig]
    model: str  # its class
    fast: str = ""  # the class of its copy for fast decoding, if its steps are written anew there
    layer: Layer | None = None  # the encoder's kind of layer, in table 1 of Vaswani et al. (2017)
    attention: bool = True  # whether its decoder attends to the source
    autoregressive: bool = True  # whether each word is predicted from those before it, not all words at once
    core: bool = False  # whether it is one of the four that every language pair has and that pages show first
    settings: dict[str, Any] = field(default_factory=dict)  # its defaults for the fields of `config`
    small: dict[str, Any] = field(default_factory=dict)  # sizes at which it learns an exercise in minutes on a CPU


_SMALL_RECURRENT = {"embedding": 32, "units": 64, "dropout": 0.0}
_recurrent = partial(
    ArchitectureEntry,
    config=RecurrentConfig,
    model="nmtcore.models.recurrent:Recurrent",
    fast="nmtcore.models.fast.recurrent:FastRecurrent",
    layer="recurrent",
    small=_SMALL_RECURRENT,
)
_SMALL_TRANSFORMER = {
    **{"width": 64, "feedforward": 128, "heads": 2, "encoder_layers": 1, "decoder_layers": 1},
    **{"dropout": 0.0},
}
_transformer = partial(
    ArchitectureEntry,
    config=TransformerConfig,
    model="nmtcore.models.transformer:Transformer",
    fast="nmtcore.models.fast.transformer:FastTransformer",
    layer="self_attention",
    small=_SMALL_TRANSFORMER,
)

ARCHITECTURES: dict[Architecture, ArchitectureEntry] = {
    "none": _recurrent("No attention", "#7A7A7A", attention=False, settings={"attention": "none"}, core=True),
    "additive": _recurrent("Additive", "#E69F00", settings={"attention": "additive"}, core=True),
    "dot": _recurrent("Dot", "#009E73", settings={"attention": "dot"}, core=True),
    "transformer": _transformer("Transformer", "#0072B2", core=True),
    "relative": _transformer(
        "Relative",
        "#56B4E9",
        settings={"positions": "relative"},
        small={**_SMALL_TRANSFORMER, "positions": "relative"},
    ),
    "convolutional": ArchitectureEntry(
        "Convolutional",
        "#CC79A7",
        ConvolutionalConfig,
        "nmtcore.models.convolutional:Convolutional",
        layer="convolution",
        small={"embedding": 32, "units": 64, "encoder_layers": 2, "decoder_layers": 2, "dropout": 0.0},
    ),
    "deep-lstm": ArchitectureEntry(
        "Deep LSTM",
        "#D55E00",
        DeepRecurrentConfig,
        "nmtcore.models.deep_recurrent:DeepRecurrent",
        "nmtcore.models.fast.recurrent:FastDeepRecurrent",
        "recurrent",
        small={"embedding": 32, "units": 64, "encoder_layers": 3, "decoder_layers": 3, "dropout": 0.0},
    ),
    "copying": _recurrent(
        "Pointer-generator",
        "#882255",
        model="nmtcore.models.pointer_generator:PointerGenerator",
        fast="nmtcore.models.fast.recurrent:FastPointerGenerator",
        settings={"attention": "additive", "copying": True},
        small={**_SMALL_RECURRENT, "copying": True},
    ),
    "mask-predict": ArchitectureEntry(
        "Mask-predict",
        "#999933",
        MaskPredictConfig,
        "nmtcore.models.mask_predict:MaskPredict",
        layer="self_attention",
        autoregressive=False,
        small=_SMALL_TRANSFORMER,
    ),
}

CORE: tuple[Architecture, ...] = tuple(name for name, entry in ARCHITECTURES.items() if entry.core)


def is_autoregressive(architecture: Architecture) -> bool:
    """Whether an architecture is autoregressive, as search and step-by-step pictures need."""
    return architecture not in ARCHITECTURES or ARCHITECTURES[architecture].autoregressive


def config_classes() -> dict[type[ModelConfig], list[Architecture]]:
    """The configuration classes, each with its architectures."""
    classes: dict[type[ModelConfig], list[Architecture]] = {}
    for name, entry in ARCHITECTURES.items():
        classes.setdefault(entry.config, []).append(name)
    return classes


def model_config(architecture: str, vocab_size: int, **settings: Any) -> ModelConfig:
    """Make the configuration of an architecture; `settings` are fields of its class.

    Raises SettingError for an unknown architecture or a field that the architecture does not have.
    """
    check_choice("architecture", architecture, tuple(ARCHITECTURES))
    entry = ARCHITECTURES[architecture]
    known = {f.name for f in dataclasses.fields(entry.config)}
    unknown = sorted(set(settings) - known)
    if unknown:
        raise SettingError(f"The {architecture} architecture has no setting {', '.join(unknown)}.")
    return entry.config(vocab_size, **{**entry.settings, **settings})
