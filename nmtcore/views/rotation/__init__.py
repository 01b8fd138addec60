"""Positional encodings as a rotation: one pair of dimensions on a circle and as two waves."""
