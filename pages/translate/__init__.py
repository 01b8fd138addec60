"""Translate: up to four models side by side on one sentence."""
