"""Settings of models and decoding: frozen, one line a field, checked when made."""

from nmtcore.config.architectures import (
    ARCHITECTURES,
    CORE,
    ArchitectureEntry,
    config_classes,
    is_autoregressive,
    model_config,
)
from nmtcore.config.checks import check_choice, check_range, check_whole
from nmtcore.config.decoding import MAX_BEAM, MAX_LENGTHS, MAX_ROUNDS, Decoding, DecodingConfig, MaskPredictDecoding
from nmtcore.config.models import (
    Architecture,
    Cell,
    Context,
    ConvolutionalConfig,
    DeepRecurrentConfig,
    MaskPredictConfig,
    ModelConfig,
    Norm,
    Positions,
    RecurrentConfig,
    Score,
    TransformerConfig,
    backward_compatible_defaults,
)

__all__ = [
    "ARCHITECTURES",
    "CORE",
    "MAX_BEAM",
    "MAX_LENGTHS",
    "MAX_ROUNDS",
    "Architecture",
    "ArchitectureEntry",
    "Cell",
    "Context",
    "ConvolutionalConfig",
    "Decoding",
    "DecodingConfig",
    "DeepRecurrentConfig",
    "MaskPredictConfig",
    "MaskPredictDecoding",
    "ModelConfig",
    "Norm",
    "Positions",
    "RecurrentConfig",
    "Score",
    "TransformerConfig",
    "check_choice",
    "check_range",
    "check_whole",
    "config_classes",
    "backward_compatible_defaults",
    "model_config",
    "is_autoregressive",
]
