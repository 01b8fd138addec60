"""The pieces nearest to a vector, as bars of their cosines."""
