"""Transformer: every head, one cell, and which heads matter."""
