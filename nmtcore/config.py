"""Settings of models and decoding: frozen, one line a field, checked when made."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from nmtcore.errors import SettingError

Architecture = str  # a key of ARCHITECTURES
Cell = Literal["rnn", "lstm", "gru"]
Score = Literal["none", "additive", "dot", "scaled_dot", "general", "concat", "cosine"]
Context = Literal["default", "input", "output", "start", "every_step"]
Norm = Literal["pre", "post"]
Positions = Literal["sinusoidal", "learned", "none"]

MAX_BEAM = 20


def check_range(name: str, value: float, low: float, high: float) -> None:
    """Raise SettingError unless `low <= value <= high` (a NaN never is)."""
    if not low <= value <= high:
        shown = f"{value:g}" if abs(value) < 1e300 or value != value else "far from it"  # a huge int is no float
        raise SettingError(f"{name} must be between {low:g} and {high:g}; it is {shown}.")


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Raise SettingError unless `value` is a whole number from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise SettingError(f"{name} must be a whole number from {low} to {high}; it is {value!r}.")
    check_range(name, value, low, high)


def check_choice(name: str, value: object, allowed: tuple[Any, ...]) -> None:
    """Raise SettingError unless `value` is one of `allowed`."""
    if value not in allowed:
        raise SettingError(f"{name} must be one of {', '.join(map(str, allowed))}; it is {value!r}.")


@dataclass(frozen=True)
class ModelConfig:
    """What the configurations of all architectures have in common."""

    vocab_size: int  # V, pieces shared by both languages

    def __post_init__(self) -> None:
        check_range("vocab_size", self.vocab_size, 4, 1_000_000)

    @property
    def architecture(self) -> Architecture:
        """The key in ARCHITECTURES of the family that it belongs to."""
        raise NotImplementedError

    @property
    def d_model(self) -> int:
        """The width of a state, on which the learning rate of the schedule noam depends."""
        raise NotImplementedError


@dataclass(frozen=True)
class RecurrentConfig(ModelConfig):
    """A recurrent encoder-decoder: Sutskever et al. 2014, Bahdanau et al. 2015, Luong et al. 2015."""

    cell: Cell = "gru"
    embedding: int = 256  # components of a piece's embedding, shared with the output layer
    units: int = 256  # D, components of h_i and of s_j; half from each direction if bidirectional
    encoder_layers: int = 1
    decoder_layers: int = 1
    bidirectional: bool = True  # forward and backward states, concatenated
    attention: Score = "additive"  # the score function a(s, h); "none" has one context vector
    context: Context = "default"  # where C enters; "default" becomes what the paper has
    dropout: float = 0.2  # on embeddings, between layers, before the output

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("cell", self.cell, get_args(Cell))
        check_choice("attention", self.attention, get_args(Score))
        for name in ("embedding", "units"):
            check_range(name, getattr(self, name), 2, 8192)
        for name in ("encoder_layers", "decoder_layers"):
            check_range(name, getattr(self, name), 1, 64)
        check_range("dropout", self.dropout, 0.0, 0.9)
        if self.bidirectional and self.units % 2:
            raise SettingError("units must be even when the encoder is bidirectional: half of them read each way.")
        if self.context == "default":
            object.__setattr__(self, "context", self._paper_context())
        allowed = ("start", "every_step") if self.attention == "none" else ("input", "output")
        check_choice(f"context with {self.attention} attention", self.context, allowed)

    def _paper_context(self) -> Context:
        if self.attention == "none":
            return "start"  # Sutskever; Cho feeds it at every step
        return "input" if self.attention == "additive" else "output"  # Bahdanau; Luong

    @property
    def architecture(self) -> Architecture:
        """The family that colours and pages know: none, additive (with concat) or dot (all others)."""
        if self.attention == "none":
            return "none"
        return "additive" if self.attention in ("additive", "concat") else "dot"

    @property
    def d_model(self) -> int:
        return self.units


@dataclass(frozen=True)
class TransformerConfig(ModelConfig):
    """A Transformer encoder-decoder: Vaswani et al. 2017. `base`, `big` and `deep` are its named sizes."""

    width: int = 256  # D, d_model
    feedforward: int = 1024  # components of the inner layer of FFN(x)
    heads: int = 4  # H; each has d_k = D / H components
    encoder_layers: int = 3
    decoder_layers: int = 3
    norm: Norm = "pre"  # LayerNorm before each sub-layer, or after it as in the paper
    positions: Positions = "sinusoidal"
    max_positions: int = 512  # rows of the table when positions are learned
    tied: bool = True  # one matrix for both embeddings and the output layer
    dropout: float = 0.1  # on embeddings, residuals, attention weights and FFN

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("norm", self.norm, get_args(Norm))
        check_choice("positions", self.positions, get_args(Positions))
        for name in ("width", "feedforward"):
            check_range(name, getattr(self, name), 2, 65536)
        check_range("heads", self.heads, 1, 256)
        for name in ("encoder_layers", "decoder_layers"):
            check_range(name, getattr(self, name), 1, 128)
        check_range("max_positions", self.max_positions, 2, 100_000)
        check_range("dropout", self.dropout, 0.0, 0.9)
        if self.width % (2 * self.heads):
            raise SettingError(f"width must be a multiple of twice the heads ({2 * self.heads}); it is {self.width}.")

    @property
    def architecture(self) -> Architecture:
        return "transformer"

    @property
    def d_model(self) -> int:
        return self.width

    @classmethod
    def base(cls, vocab_size: int) -> TransformerConfig:
        """Vaswani et al. 2017, table 3, base: "65M parameters" (63.1M here, at 37,000 pieces)."""
        return cls(vocab_size, 512, 2048, 8, 6, 6, norm="post", dropout=0.1)

    @classmethod
    def big(cls, vocab_size: int) -> TransformerConfig:
        """Vaswani et al. 2017, table 3, big."""
        return cls(vocab_size, 1024, 4096, 16, 6, 6, norm="post", dropout=0.3)

    @classmethod
    def deep(cls, vocab_size: int) -> TransformerConfig:
        """Base with 48 encoder layers, which need the norm before each sub-layer (Wang et al. 2019, with up to 30)."""
        return cls(vocab_size, 512, 2048, 8, 48, 6, norm="pre", dropout=0.1)


@dataclass(frozen=True)
class ArchitectureEntry:
    """One architecture, as every list, option, colour and heading knows it.

    Its classes are named "module:name", so that settings can be read without loading PyTorch.
    """

    title: str  # in English; pages translate it
    color: str  # its hue everywhere, distinct for colour-blind people (Okabe and Ito 2008)
    config: type[ModelConfig]
    model: str  # its class
    fast: str = ""  # the class of its copy for fast decoding, if it has one
    attention: bool = True  # whether its decoder attends to the source
    settings: dict[str, Any] = field(default_factory=dict)  # which the config has by default
    small: dict[str, Any] = field(default_factory=dict)  # sizes at which it learns an exercise in minutes on a CPU


_RECURRENT = "nmtcore.models.recurrent:Recurrent"
_FAST_RECURRENT = "nmtcore.models.fast.recurrent:FastRecurrent"
_SMALL_RECURRENT = {"embedding": 32, "units": 64, "dropout": 0.0}
_SMALL_TRANSFORMER = {"width": 64, "feedforward": 128, "heads": 2, "encoder_layers": 1, "decoder_layers": 1}

ARCHITECTURES: dict[Architecture, ArchitectureEntry] = {
    "none": ArchitectureEntry(
        "No attention",
        "#7A7A7A",
        RecurrentConfig,
        _RECURRENT,
        _FAST_RECURRENT,
        attention=False,
        settings={"attention": "none"},
        small=_SMALL_RECURRENT,
    ),
    "additive": ArchitectureEntry(
        "Additive",
        "#E69F00",
        RecurrentConfig,
        _RECURRENT,
        _FAST_RECURRENT,
        settings={"attention": "additive"},
        small=_SMALL_RECURRENT,
    ),
    "dot": ArchitectureEntry(
        "Dot",
        "#009E73",
        RecurrentConfig,
        _RECURRENT,
        _FAST_RECURRENT,
        settings={"attention": "dot"},
        small=_SMALL_RECURRENT,
    ),
    "transformer": ArchitectureEntry(
        "Transformer",
        "#0072B2",
        TransformerConfig,
        "nmtcore.models.transformer:Transformer",
        "nmtcore.models.fast.transformer:FastTransformer",
        small={**_SMALL_TRANSFORMER, "dropout": 0.0},
    ),
}


def config_classes() -> dict[type[ModelConfig], list[Architecture]]:
    """The classes of configurations, each with the architectures that it is for."""
    found: dict[type[ModelConfig], list[Architecture]] = {}
    for name, entry in ARCHITECTURES.items():
        found.setdefault(entry.config, []).append(name)
    return found


def model_config(architecture: str, vocab_size: int, **settings: Any) -> ModelConfig:
    """Make the configuration of one of the architectures; `settings` are its class's fields.

    Raises SettingError for an unknown architecture or a field that the architecture does not have.
    """
    check_choice("architecture", architecture, tuple(ARCHITECTURES))
    entry = ARCHITECTURES[architecture]
    known = {f.name for f in dataclasses.fields(entry.config)}
    unknown = sorted(set(settings) - known)
    if unknown:
        raise SettingError(f"The {architecture} architecture has no setting {', '.join(unknown)}.")
    return entry.config(vocab_size, **{**entry.settings, **settings})


@dataclass(frozen=True)
class DecodingConfig:
    """How to search for a translation (alpha and beta: Wu et al. 2016)."""

    beam: int = 1  # k, hypotheses kept a step; 1 is greedy
    alpha: float = 0.6  # length penalty lp(y) = ((5 + |y|) / 6)^alpha, ranks finished hypotheses
    beta: float = 0.0  # coverage penalty cp(x, y) = beta * sum_i log min(sum_j alpha_ij, 1)
    max_length: int = 0  # most pieces of a translation with <eos>; 0 means 2 S + 20 for S source pieces

    def __post_init__(self) -> None:
        check_whole("The beam width", self.beam, 1, MAX_BEAM)
        check_range("alpha", self.alpha, 0.0, 5.0)
        check_range("beta", self.beta, 0.0, 5.0)
        check_whole("max_length", self.max_length, 0, 1000)

    def limit(self, source_length: int) -> int:
        """The most pieces, `<eos>` included, that a translation of `source_length` pieces may have."""
        return self.max_length or 2 * source_length + 20
