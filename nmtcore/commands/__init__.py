"""The commands of `python -m nmtcore`, one module each: `add` declares its options, `run` executes it.

May import every other folder.
"""
