"""Decoding: greedy and beam search over any model, and the Trace that records it; mask-predict, and its record.

May import models and text.
"""
