"""The models: attention, one file an architecture, encode - start - step, checkpoints. May import text."""
