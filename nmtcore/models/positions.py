"""Positional encodings: sinusoids added to embeddings, and relative position vectors inside attention."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nmtcore.config import Sinusoids


def sinusoids(length: int, width: int, order: Sinusoids = "alternating") -> Tensor:
    """Sinusoidal positional encodings, (length, D) (Vaswani et al. 2017, section 3.5).

    PE(pos, 2i) = sin(pos / 10000^(2i/D)), PE(pos, 2i+1) = cos(pos / 10000^(2i/D)).
    order: "halves" puts all sines first, then all cosines, as in Hugging Face's Marian; "marian" does so too, with
    exponents i / (D/2 - 1) in place of i / (D/2), as in the program of that name.
    """
    with torch.device("cpu"):  # on `meta`, used to check a file's shapes, arithmetic would load torch's compiler
        last = max(width // 2 - 1, 1) if order == "marian" else width / 2
        rates = 10000.0 ** (-torch.arange(width // 2, dtype=torch.float64) / last)  # (D / 2,)
        angles = torch.arange(length, dtype=torch.float64)[:, None] * rates  # (length, D / 2)
        pairs = torch.stack((angles.sin(), angles.cos()), -1)  # (length, D / 2, 2)
        table = (pairs if order == "alternating" else pairs.mT).flatten(1).float()
    return table.to(torch.get_default_device())


class RelativePositions(nn.Module):
    """Relative position representations a^K and a^V: a learned vector for each distance j - i from -k to k.

    All heads of a layer share them (Shaw et al. 2018). max_relative_position: k; width: K.
    """

    def __init__(self, max_relative_position: int, width: int) -> None:
        super().__init__()
        self.max_relative_position = max_relative_position
        self.key = nn.Parameter(torch.empty(2 * max_relative_position + 1, width))
        self.value = nn.Parameter(torch.empty(2 * max_relative_position + 1, width))
        nn.init.xavier_uniform_(self.key)
        nn.init.xavier_uniform_(self.value)

    def forward(self, distances: Tensor) -> tuple[Tensor, Tensor]:
        """Look up a^K and a^V for distances (T, S), clipped to -k .. k; (T, S, K) each."""
        rows = distances.clamp(-self.max_relative_position, self.max_relative_position) + self.max_relative_position
        return F.embedding(rows, self.key), F.embedding(rows, self.value)
