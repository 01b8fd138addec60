"""Settings of models and decoding: frozen dataclasses with one line per field, checked when created.

What is imported "as" its own name, other rooms import from here.
"""

from nmtcore.config.architectures import ARCHITECTURES as ARCHITECTURES
from nmtcore.config.architectures import CORE as CORE
from nmtcore.config.architectures import ArchitectureEntry as ArchitectureEntry
from nmtcore.config.architectures import Layer as Layer
from nmtcore.config.architectures import config_classes as config_classes
from nmtcore.config.architectures import is_autoregressive as is_autoregressive
from nmtcore.config.architectures import model_config as model_config
from nmtcore.config.checks import check_choice as check_choice
from nmtcore.config.checks import check_choices as check_choices
from nmtcore.config.checks import check_range as check_range
from nmtcore.config.checks import check_ranges as check_ranges
from nmtcore.config.decoding import DEFAULT_BEAM as DEFAULT_BEAM
from nmtcore.config.decoding import MAX_BEAM as MAX_BEAM
from nmtcore.config.decoding import Decoding as Decoding
from nmtcore.config.decoding import DecodingConfig as DecodingConfig
from nmtcore.config.decoding import MaskPredictDecoding as MaskPredictDecoding
from nmtcore.config.models import Activation as Activation
from nmtcore.config.models import Architecture as Architecture
from nmtcore.config.models import ConvolutionalConfig as ConvolutionalConfig
from nmtcore.config.models import DeepRecurrentConfig as DeepRecurrentConfig
from nmtcore.config.models import MaskPredictConfig as MaskPredictConfig
from nmtcore.config.models import ModelConfig as ModelConfig
from nmtcore.config.models import RecurrentConfig as RecurrentConfig
from nmtcore.config.models import Score as Score
from nmtcore.config.models import Sinusoids as Sinusoids
from nmtcore.config.models import TransformerConfig as TransformerConfig
