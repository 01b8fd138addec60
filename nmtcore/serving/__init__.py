"""Serving: one record of a request for all who make it, decoded by worker processes.

It may import decoding and below.
"""
