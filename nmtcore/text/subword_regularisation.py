"""Subword regularisation: a random segmentation of a text under a unigram model (Kudo 2018, section 3.2).

The sentencepiece library can do this too, but since version 0.2.3 each process draws other ones from the same seed.
"""

import math
import random
from collections.abc import Mapping


class SegmentationSampler:
    """Draws segmentations, each with a probability proportional to the product of its pieces' weights.

    log_weights: the logarithm of each piece's weight; unknown: the same for a character without a piece.
    """

    def __init__(self, log_weights: Mapping[str, float], unknown: float) -> None:
        self.log_weights, self.unknown = log_weights, unknown
        self.longest = max(map(len, log_weights))

    def draw(self, text: str, generator: random.Random) -> list[str]:
        """Forward filtering, backward sampling: sum over the segmentations of each prefix, then draw from the end."""
        arriving: list[list[tuple[float, int]]] = [[] for _ in range(len(text) + 1)]  # pieces: sum with it, its start
        total = 0.0  # log of the summed weights of all segmentations of text[:start]
        for start in range(len(text)):
            if start:
                total = log_sum([weight for weight, _ in arriving[start]])
            for end in range(start + 1, min(start + self.longest, len(text)) + 1):
                weight = self.log_weights.get(text[start:end], self.unknown if end == start + 1 else None)
                if weight is not None:
                    arriving[end].append((total + weight, start))
        pieces, end = [], len(text)
        while end:
            weights, starts = zip(*arriving[end], strict=True)
            highest = max(weights)
            (start,) = generator.choices(starts, [math.exp(weight - highest) for weight in weights])
            pieces.append(text[start:end])
            end = start
        return pieces[::-1]


def log_sum(logs: list[float]) -> float:
    """The logarithm of the sum of numbers whose logarithms are given."""
    highest = max(logs)
    return highest + math.log(sum(math.exp(log - highest) for log in logs))
