"""Configurations of the papers' models that are too large to train here, for counting their costs."""

from dataclasses import dataclass, replace

from nmtcore.config import DeepRecurrentConfig, ModelConfig, TransformerConfig

PIECES = 37_000  # of the English-German vocabulary of Vaswani et al. 2017, section 5.1
WORDPIECES = 32_000  # of Wu et al. 2016, section 4.1


@dataclass(frozen=True)
class LargerModel:
    """title: the model's name; config: its sizes; source: the paper that describes it."""

    title: str
    config: ModelConfig
    source: str


_DEEP = TransformerConfig.deep(PIECES)

# The paper's does not share embeddings with the output layer and has a separate attention network: a few more weights.
LARGER = (
    LargerModel("Transformer, base", TransformerConfig.base(PIECES), "Vaswani et al. 2017, table 3"),
    LargerModel("Transformer, big", TransformerConfig.big(PIECES), "Vaswani et al. 2017, table 3"),
    LargerModel("Deep, 30 + 6 layers", replace(_DEEP, encoder_layers=30), "Wang et al. 2019"),
    LargerModel("Deep, 48 + 6 layers", _DEEP, "after Wang et al. 2019, who went to 30"),
    LargerModel(
        "GNMT, 8 + 8 LSTM layers",
        DeepRecurrentConfig(WORDPIECES, embedding=1024, units=1024, encoder_layers=8, decoder_layers=8),
        "Wu et al. 2016, section 3",
    ),
)
