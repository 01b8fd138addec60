"""Architectures: what each model of the shelf costs and what it buys, counted and measured."""
