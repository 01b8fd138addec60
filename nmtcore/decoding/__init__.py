"""Decoding: greedy and beam search with autoregressive models, recorded as a Trace; mask-predict and its record.

May import models and text.
"""
