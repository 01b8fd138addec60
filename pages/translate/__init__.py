"""Translate: all models side by side on one sentence."""
