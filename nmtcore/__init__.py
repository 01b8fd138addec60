"""nmtcore: neural machine translation with attention that can be read.

One sentence goes through the library in one direction:

    text - vocabulary -> ids - model -> step outputs - search -> Trace - view -> page | notebook | file

The `__init__.py` of each folder says what lies in it and which other folders it may import.
"""

__version__ = "0.1.0"
