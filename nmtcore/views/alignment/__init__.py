"""Attention for one sentence in several models, side by side: matrix, ribbons, or the single context vector."""
