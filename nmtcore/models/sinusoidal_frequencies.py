"""Sinusoidal positional encodings: the angular frequency and the wavelength of each pair of dimensions, without torch.

A pair i is the dimensions 2i and 2i + 1, sine and cosine of one angle (Vaswani et al. 2017, section 3.5).
"""

import math


def angular_frequency(pair: int, width: int) -> float:
    """Angular frequencies omega_i = 10000^(-2i/D), in radians per position."""
    return float(10000.0 ** (-2 * pair / width))


def wavelength(pair: int, width: int) -> float:
    """Wavelengths 2 pi / omega_i: the number of positions after which a pair repeats."""
    return 2 * math.pi / angular_frequency(pair, width)
