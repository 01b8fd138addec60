"""What `python -m nmtcore` can do, one module a command: `add` describes its options, `run` does it.

It may import every other folder.
"""
