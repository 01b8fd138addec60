"""Beam search as a tree, replayed step by step."""
