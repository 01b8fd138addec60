"""Decoding: greedy and beam search over any model, and the Trace that records it. May import models and text."""
