"""Decoding: greedy and beam search over models that write word by word, and its Trace; mask-predict and its record.

May import models and text.
"""
