"""The models: attention, one file an architecture, encode - start - step, checkpoints. May import text.

The letters that end tensor lines, here and in every model:
B batch, S source positions, T target positions, H heads, D model width, K = D / H width of a head,
V vocabulary, E embedding, L layers; N rows of several sentences one after the other, without padding.
"""
