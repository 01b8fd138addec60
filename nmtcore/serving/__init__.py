"""Serving: worker processes decode each request once, and everyone who makes it gets the same record.

It may import decoding and below.
"""
