"""Benchmarks: figures quoted in docs/benchmarks.md come from here. They are run by hand, never with the tests."""
