"""Beam search: the tree of hypotheses, step by step."""
