"""Transformer: every head, one cell, which heads matter."""
