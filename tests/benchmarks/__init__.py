"""Benchmarks: figures quoted in README come from here. They are run by hand, never with the tests."""
