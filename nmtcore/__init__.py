"""nmtcore: neural machine translation with attention that can be read.

One sentence goes through the library in one direction:

    text - vocab -> ids - recurrent | transformer -> step outputs - decode -> Trace - figures -> page
"""

__version__ = "0.1.0"
