"""Serving: worker processes decode each request once, and everyone who makes it gets the same record.

May import decoding and everything that decoding may import.
"""
