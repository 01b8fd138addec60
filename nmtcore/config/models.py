"""The settings of every model: one class per architecture, or per family of architectures.

The comment after a field is also the help text of its option (`python -m nmtcore train --help`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nmtcore.config.checks import check_choice, check_choices, check_range, check_ranges
from nmtcore.errors import SettingError

Architecture = str  # a key of ARCHITECTURES
Cell = Literal["rnn", "lstm", "gru"]
Score = Literal["none", "additive", "dot", "scaled_dot", "general", "concat", "cosine"]
Locality = Literal["global", "monotonic", "predictive"]
Merge = Literal["concat", "sum", "mean"]
Context = Literal["default", "input", "output", "start", "every_step"]
Norm = Literal["pre", "post"]
Positions = Literal["sinusoidal", "learned", "relative", "none"]
Sinusoids = Literal["alternating", "halves", "marian"]
Activation = Literal["relu", "swish"]
STACK = {  # ranges shared by all but the Transformer
    **{"embedding": (2, 8192), "units": (2, 8192), "encoder_layers": (1, 64), "decoder_layers": (1, 64)},
    "dropout": (0.0, 0.9),
}


@dataclass(frozen=True)
class ModelConfig:
    """The settings that all architectures have."""

    vocab_size: int  # V, pieces shared by both languages

    def __post_init__(self) -> None:
        check_choices(self)
        check_range("vocab_size", self.vocab_size, 4, 1_000_000)

    @property
    def architecture(self) -> Architecture:
        """Its family: a key in ARCHITECTURES."""
        raise NotImplementedError

    @property
    def d_model(self) -> int:
        """The width of a state, which the learning rate schedule noam uses: `units`, in a Transformer `width`."""
        settings: dict[str, int] = vars(self)
        return settings["units"] if "units" in settings else settings["width"]


@dataclass(frozen=True)
class RecurrentConfig(ModelConfig):
    """A recurrent encoder-decoder: Sutskever et al. 2014, Bahdanau et al. 2015, Luong et al. 2015."""

    cell: Cell = "gru"  # recurrent cell
    embedding: int = 256  # E, components of a piece's embedding, shared with the output layer
    units: int = 256  # D, components of an encoder or decoder state
    encoder_layers: int = 1  # layers of the encoder
    decoder_layers: int = 1  # layers of the decoder
    bidirectional: bool = True  # whether the encoder reads in both directions and merges them (Bahdanau et al. 2015)
    attention: Score = "additive"  # a(s, h): Bahdanau's; Luong's dot, general, concat; Vaswani's scaled; Graves' cosine
    context: Context = "default"  # where C goes: start (Sutskever), every_step (Cho), input (Bahdanau), output (Luong)
    dropout: float = 0.2  # share of components set to zero at random in training
    copying: bool = False  # a pointer to the source in addition to the vocabulary (See et al. 2017)
    input_feeding: bool = False  # h~_{j-1} joins the decoder's input y_{j-1} (Luong et al. 2015, section 3.3)
    locality: Locality = "global"  # local attention: a window at j, or at a predicted position (Luong 2015, 3.2)
    window: int = 10  # D of local attention, which sees 2 D + 1 source positions
    merge: Merge = "concat"  # how directions are merged: concat, with D / 2 units each (Bahdanau 2015); else D each

    def __post_init__(self) -> None:
        super().__post_init__()
        check_ranges(self, STACK | {"window": (1, 1024)})
        if self.merge != "concat" and not self.bidirectional:
            raise SettingError("merge needs an encoder that reads both ways: set bidirectional, or leave it at concat.")
        if self.bidirectional and self.merge == "concat" and self.units % 2:
            raise SettingError(
                "units must be even when the directions of the encoder are concatenated: half of them read each way."
            )
        if self.context == "default":
            object.__setattr__(self, "context", self._paper_context())
        allowed = ("start", "every_step") if self.attention == "none" else ("input", "output")
        check_choice(f"context with {self.attention} attention", self.context, allowed)
        if self.copying and self.context != "input":
            raise SettingError(
                "copying needs attention whose context enters the next state: additive attention, or context input."
            )
        if self.attention == "none" and self.locality != "global":
            raise SettingError("locality needs a model with attention: choose a score function, or leave it at global.")
        if self.input_feeding and self.context != "output":
            raise SettingError(
                "input_feeding needs attention whose context enters the output: dot attention, or context output."
            )

    def _paper_context(self) -> Context:
        if self.attention == "none":
            return "start"  # Sutskever; Cho feeds it at every step
        return "input" if self.attention == "additive" else "output"  # Bahdanau; Luong

    @property
    def architecture(self) -> Architecture:
        """The family, with a colour and pages of its own: none, copying, additive (with concat) or dot (all others)."""
        if self.attention == "none":
            return "none"
        if self.copying:
            return "copying"
        return "additive" if self.attention in ("additive", "concat") else "dot"

    @property
    def direction_units(self) -> int:
        """Components of an encoder state in one direction."""
        return self.units // 2 if self.bidirectional and self.merge == "concat" else self.units

    @property
    def stepwise(self) -> bool:
        """Whether a state depends on the attention of the step before, so that training must go step by step too."""
        return self.context == "input" or self.input_feeding


@dataclass(frozen=True)
class DeepRecurrentConfig(ModelConfig):
    """A deep recurrent encoder-decoder with residual connections: GNMT (Wu et al. 2016), small."""

    architecture = "deep-lstm"

    embedding: int = 192  # E, components of a piece's embedding, shared with the output layer
    units: int = 256  # D, components of a state; half from each direction in the encoder's first layer
    encoder_layers: int = 4
    decoder_layers: int = 4
    residual: bool = True  # residual connections, x + LSTM(x), from the third layer on
    dropout: float = 0.2  # on embeddings, between layers, before the output

    def __post_init__(self) -> None:
        super().__post_init__()
        check_ranges(self, STACK)
        if self.units % 2:
            raise SettingError("units must be even: the encoder's first layer reads half of them each way.")


@dataclass(frozen=True)
class ConvolutionalConfig(ModelConfig):
    """A convolutional encoder-decoder: Gehring et al. 2017. Positions are learned, one table for each language."""

    architecture = "convolutional"

    embedding: int = 192  # E, components of a piece's embedding, shared with the output layer
    units: int = 256  # D, components of a layer's states
    kernel: int = 3  # k, pieces that a convolution sees, an odd number; in the decoder the last k
    encoder_layers: int = 4
    decoder_layers: int = 4
    max_positions: int = 512  # rows in both position tables
    dropout: float = 0.1  # on embeddings, before each convolution, before the output

    def __post_init__(self) -> None:
        super().__post_init__()
        check_ranges(self, STACK | {"kernel": (1, 63), "max_positions": (2, 100_000)})
        if self.kernel % 2 == 0:
            raise SettingError(f"kernel must be odd, to see as many words on both sides; it is {self.kernel}.")


@dataclass(frozen=True)
class TransformerConfig(ModelConfig):
    """A Transformer encoder-decoder: Vaswani et al. 2017. `base`, `big` and `deep` are its named sizes."""

    width: int = 256  # D, components of a state: d_model in the paper
    feedforward: int = 1024  # components of the inner layer of FFN(x)
    heads: int = 4  # H, attention heads; each has d_k = D / H components
    encoder_layers: int = 3
    decoder_layers: int = 3
    norm: Norm = "pre"  # LayerNorm: post, after each sub-layer (Vaswani et al. 2017); pre, before it (Wang et al. 2019)
    positions: Positions = "sinusoidal"  # sinusoidal (Vaswani), learned (Gehring), or relative, in attention (Shaw)
    max_positions: int = 512  # rows in a table of learned positions: the most pieces in a text
    tied: bool = True  # one matrix for both embeddings and the output layer
    dropout: float = 0.1  # on embeddings, residuals, attention weights and FFN
    max_relative_position: int = 16  # k, the clipping distance of relative positions (Shaw et al. 2018)
    scale_embedding: bool = True  # embeddings times sqrt(D) (Vaswani et al. 2017, section 3.4)
    concatenate_positions: bool = False  # [e; PE] W, concatenated positions, instead of the sum e + PE
    sinusoids: Sinusoids = "alternating"  # sines and cosines in turn, or in halves; marian: other wavelengths
    activation: Activation = "relu"  # of the feed-forward network; swish is x sigmoid(x) (Ramachandran 2017)
    output_bias: bool = False  # a bias on the logits, as in Marian's models
    tied_output: bool = False  # if not tied: one matrix for target embedding and output (Press and Wolf 2017)

    def __post_init__(self) -> None:
        super().__post_init__()
        sizes = {"width": (2, 65536), "feedforward": (2, 65536), "heads": (1, 256), "max_positions": (2, 100_000)}
        layers = {"encoder_layers": (1, 128), "decoder_layers": (1, 128), "max_relative_position": (1, 1024)}
        check_ranges(self, sizes | layers | {"dropout": (0.0, 0.9)})
        if self.width % (2 * self.heads):
            raise SettingError(f"width must be a multiple of twice the heads ({2 * self.heads}); it is {self.width}.")
        if self.concatenate_positions and not self.absolute:
            raise SettingError("concatenate_positions needs a position table: sinusoidal or learned.")

    @property
    def architecture(self) -> Architecture:
        """The family, with a colour and pages of its own: relative, or transformer (all other positions)."""
        return "relative" if self.positions == "relative" else "transformer"

    @property
    def absolute(self) -> bool:
        """Whether a position table is added to, or concatenated with, the embeddings."""
        return self.positions in ("sinusoidal", "learned")

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
        """Base with 48 encoder layers, which need pre-norm (Wang et al. 2019, with up to 30)."""
        return cls(vocab_size, 512, 2048, 8, 48, 6, norm="pre", dropout=0.1)


@dataclass(frozen=True)
class MaskPredictConfig(ModelConfig):
    """A non-autoregressive encoder-decoder: conditional masked language model, Ghazvininejad et al. 2019.

    Its layers are a Transformer's, pre-norm, with sinusoidal positions and one matrix for both embeddings and the
    output layer; its decoder has no causal mask.
    """

    architecture = "mask-predict"

    width: int = 256  # D, d_model
    feedforward: int = 1024  # components of the inner layer of FFN(x)
    heads: int = 4  # H; each has d_k = D / H components
    encoder_layers: int = 3
    decoder_layers: int = 3
    longest: int = 512  # longest translation, in pieces, whose length it can predict
    dropout: float = 0.1  # on embeddings, residuals, attention weights and FFN

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range("longest", self.longest, 2, 1024)
        self.layers()  # rejects sizes that do not go together

    def layers(self) -> TransformerConfig:
        """The settings of its layers. Raises SettingError for sizes that a Transformer cannot have."""
        names = ("width", "feedforward", "heads", "encoder_layers", "decoder_layers", "dropout")
        return TransformerConfig(self.vocab_size, **{name: getattr(self, name) for name in names})
