"""nmtcore: neural machine translation with attention that can be read.

One sentence goes through the library in one direction:

    text - vocab -> ids - model -> step outputs - search -> Trace - view -> page | notebook | file

Each folder is a room whose `__init__.py` says what lives there and which rooms it may import.
"""

__version__ = "0.1.0"
