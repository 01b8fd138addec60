"""Settings of models and decoding: frozen, one line a field, checked when made."""

from nmtcore.config.architectures import ARCHITECTURES, CORE, ArchitectureEntry, config_classes, model_config
from nmtcore.config.checks import check_choice, check_range, check_whole
from nmtcore.config.decoding import MAX_BEAM, DecodingConfig
from nmtcore.config.models import (
    Architecture,
    Cell,
    Context,
    ConvolutionalConfig,
    DeepRecurrentConfig,
    ModelConfig,
    Norm,
    Positions,
    RecurrentConfig,
    Score,
    TransformerConfig,
    later_settings,
)

__all__ = [
    "ARCHITECTURES",
    "CORE",
    "MAX_BEAM",
    "Architecture",
    "ArchitectureEntry",
    "Cell",
    "Context",
    "ConvolutionalConfig",
    "DecodingConfig",
    "DeepRecurrentConfig",
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
    "later_settings",
    "model_config",
]
