"""Settings of decoding: beam search, and mask-predict for non-autoregressive models."""

from dataclasses import dataclass

from nmtcore.config.checks import check_range, check_whole

MAX_BEAM = 20
DEFAULT_BEAM = 5  # on the pages
MAX_ROUNDS = 200
MAX_LENGTHS = 20


@dataclass(frozen=True)
class DecodingConfig:
    """How to search for a translation (alpha and beta: Wu et al. 2016)."""

    beam: int = 1  # k, hypotheses kept at each step; 1 is greedy search
    alpha: float = 0.6  # length penalty lp(y) = ((5 + |y|) / 6)^alpha, which ranks finished hypotheses
    beta: float = 0.0  # coverage penalty cp(x, y) = beta * sum_i log min(sum_j alpha_ij, 1)
    max_length: int = 0  # most pieces in a translation with <eos>; 0 means 2 S + 20 for S source pieces

    def __post_init__(self) -> None:
        check_whole("The beam width", self.beam, 1, MAX_BEAM)
        check_range("alpha", self.alpha, 0.0, 5.0)
        check_range("beta", self.beta, 0.0, 5.0)
        check_whole("max_length", self.max_length, 0, 1000)

    def limit(self, source_length: int) -> int:
        """The most pieces, including `<eos>`, in the translation of `source_length` pieces."""
        return self.max_length or 2 * source_length + 20


@dataclass(frozen=True)
class MaskPredictDecoding:
    """How to write all words at once and refine them: mask-predict (Ghazvininejad et al. 2019, section 3)."""

    rounds: int = 10  # T, number of decoder runs; 1 predicts every word without knowing any other
    lengths: int = 5  # number of likeliest lengths that are tried in parallel

    def __post_init__(self) -> None:
        check_whole("The number of rounds", self.rounds, 1, MAX_ROUNDS)
        check_whole("The number of lengths", self.lengths, 1, MAX_LENGTHS)


Decoding = DecodingConfig | MaskPredictDecoding  # for models that write word by word, or all words at once
