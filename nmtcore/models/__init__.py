"""The models: attention, one file per architecture, the interface encode, start, step, and checkpoints.

May import text.

Shape comments use these letters, here and in every model:
B batch, S source positions, T target positions, H heads, D model width, K = D / H width of a head,
V vocabulary, E embedding, L layers; N rows of several sentences one after the other, without padding.
"""
