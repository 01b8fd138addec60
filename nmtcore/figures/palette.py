"""Colour palette: each colour has one meaning, distinct for colour-blind people (Okabe and Ito 2008; ColorBrewer)."""

from nmtcore.config import ARCHITECTURES, Architecture

HUES: dict[Architecture, str] = {name: entry.color for name, entry in ARCHITECTURES.items()}  # of each architecture
NEGATIVE, NEUTRAL, POSITIVE = "#B2182B", "#F7F7F7", "#2166AC"  # signed values, around 0
CURVES = ("#E69F00", "#009E73", "#0072B2", "#CC79A7")  # Okabe and Ito: curves that do not stand for architectures
GREEDY = "#D55E00"  # dashed
PRUNED = "#BBBBBB"
