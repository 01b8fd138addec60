"""Serving: one record a question for all who ask it, decoded by worker processes. May import decoding and models."""
