"""Architectures: what each shipped model costs and what it buys, counted and measured."""
