"""Serving: one record a question for all who ask it, decoded by worker processes.

It may import decoding and below.
"""
