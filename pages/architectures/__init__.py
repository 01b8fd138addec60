"""Architectures: what each model that ships costs and what it buys, counted and measured."""
