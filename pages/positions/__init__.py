"""Positions: how a Transformer knows the order of words."""
