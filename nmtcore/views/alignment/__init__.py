"""Attention of one sentence by several models, side by side: matrix, ribbons, or the one vector."""
